import { Inexpressible } from '../inexpressible.ts';

/** Maximum size of a function, in bytes (AWS, "Quotas on CloudFront Functions"). */
const MAX_FUNCTION_BYTES = 10_240;

/** A value as a JavaScript literal: JSON, with the two characters escaped that ended a line before ES 2019. */
export function jsonLiteral(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Headers in the format of CloudFront events: lower-case names, each value in an object. */
export function eventHeaders(headers: Readonly<Record<string, string>>): Record<string, { value: string }> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), { value }]));
}

/**
 * The code of a function; if it does not fit, without comments and indentation (no string in it spans several lines).
 * @throws if it is still too large, which only a long list of origins can cause
 */
export function functionCode(name: string, code: string): string {
  const bare = code.replace(/^ *\/\/.*\n|^ +/gm, '');
  const found = [code, bare].find((text) => Buffer.byteLength(text) <= MAX_FUNCTION_BYTES);
  if (found !== undefined) return found;
  throw new Inexpressible(
    `${name} has ${Buffer.byteLength(bare)} bytes, and CloudFront accepts functions of at most ${MAX_FUNCTION_BYTES}: list fewer origins in \`cors\``,
  );
}
