import { escapeRegExp } from '../regexp.ts';
import { inexpressible } from '../inexpressible.ts';

const HOST = 'Varnish';

/** The delimiters of a string, and what would end it too early. Long strings may contain quotes. */
const DELIMITERS = [
  ['"', '"', /"/],
  ['"""', '"""', /"""|"$/],
  ['{"', '"}', /"\}/],
] as const;

/**
 * Quotes a string of VCL, which has no escapes: the text between the delimiters is the string (measured on Varnish 7.1).
 * @throws if the string cannot be expressed
 */
export function quote(text: string): string {
  if (/[\u0000-\u001f\u007f]/.test(text)) throw inexpressible(HOST, text, 'it contains a control character');
  const marks = DELIMITERS.find(([, , end]) => !end.test(text));
  if (marks === undefined) throw inexpressible(HOST, text, 'its quotes would end the string');
  return marks[0] + text + marks[1];
}

/** Matches one of several texts. */
export function oneOf(texts: readonly string[]): string {
  return `(?:${texts.map(escapeRegExp).join('|')})`;
}

/** `head { … }`, its lines indented. */
export function block(head: string, lines: readonly string[]): string[] {
  return [`${head} {`, ...lines.map((line) => (line === '' ? '' : `    ${line}`)), '}'];
}

/** `if … elsif … else`: the first true condition applies. */
export function firstOf(
  cases: readonly (readonly [condition: string, ...lines: string[]])[],
  fallback: readonly string[] = [],
): string[] {
  const branches = cases.flatMap(([condition, ...lines], index) =>
    block(`${index === 0 ? 'if' : 'elsif'} (${condition})`, lines),
  );
  return fallback.length === 0 ? branches : [...branches, ...block('else', fallback)];
}

/** Sets response headers. */
export function setHeaders(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).map(([name, value]) => `set resp.http.${name} = ${quote(value)};`);
}
