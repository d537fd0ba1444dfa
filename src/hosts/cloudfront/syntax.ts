import { Inexpressible } from '../inexpressible.ts';

/** Greatest size of a function, in bytes (AWS, "Quotas on CloudFront Functions"). */
const FUNCTION_BYTES = 10_240;

/** A value as an expression of JavaScript. JSON is one, but for two characters that ended a line before ES 2019. */
export function jsonLiteral(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Header fields as events of CloudFront have them: names in lower case, each value in an object. */
export function eventHeaders(headers: Readonly<Record<string, string>>): Record<string, { value: string }> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), { value }]));
}

/**
 * The code of a function, without its comments and indents if there is no room for them. (No text in it goes over several lines.)
 * @throws if it is too large all the same, which only a long list of origins can make it
 */
export function functionCode(name: string, code: string): string {
  if (Buffer.byteLength(code) <= FUNCTION_BYTES) return code;
  const bare = code.replace(/^ *\/\/.*\n|^ +/gm, '');
  const bytes = Buffer.byteLength(bare);
  if (bytes <= FUNCTION_BYTES) return bare;
  throw new Inexpressible(
    `CloudFront takes functions of at most ${FUNCTION_BYTES} bytes, and ${name} has ${bytes}: list fewer origins in \`cors\``,
  );
}
