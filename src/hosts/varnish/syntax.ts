import { escapeRegExp } from '../regexp.ts';
import { inexpressible } from '../inexpressible.ts';

const HOST = 'Varnish';

/** The marks of a string, and what would end one too early. Long strings may hold quotes. */
const MARKS = [
  ['"', '"', /"/],
  ['"""', '"""', /"""|"$/],
  ['{"', '"}', /"\}/],
] as const;

/**
 * A string of VCL. It knows no escapes at all: what stands between the marks is the string (measured on Varnish 7.1).
 * @throws if VCL has no way to write it
 */
export function quote(text: string): string {
  if (/[\u0000-\u001f\u007f]/.test(text)) throw inexpressible(HOST, text, 'it contains a control character');
  const marks = MARKS.find(([, , end]) => !end.test(text));
  if (marks === undefined) throw inexpressible(HOST, text, 'its quotes would end the string');
  return marks[0] + text + marks[1];
}

/** One of several texts, inside a regular expression. */
export function oneOf(texts: readonly string[]): string {
  return `(?:${texts.map(escapeRegExp).join('|')})`;
}

/** `head { … }`, its lines indented. */
export function block(head: string, lines: readonly string[]): string[] {
  return [`${head} {`, ...lines.map((line) => (line === '' ? '' : `    ${line}`)), '}'];
}

/** `if … elsif … else`: the first condition that holds decides. */
export function firstOf(
  cases: readonly (readonly [condition: string, ...lines: string[]])[],
  otherwise: readonly string[] = [],
): string[] {
  const branches = cases.flatMap(([condition, ...lines], index) =>
    block(`${index === 0 ? 'if' : 'elsif'} (${condition})`, lines),
  );
  return otherwise.length === 0 ? branches : [...branches, ...block('else', otherwise)];
}

/** Sets headers of the answer. */
export function setHeaders(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).map(([name, value]) => `set resp.http.${name} = ${quote(value)};`);
}
