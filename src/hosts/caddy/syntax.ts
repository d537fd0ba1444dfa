import { inexpressible } from '../inexpressible.ts';

const HOST = 'Caddy';

/**
 * A string as one token of a Caddyfile, in which `{name}` stands for a placeholder wherever Caddy expands them. Between double
 * quotes a backslash escapes a double quote and nothing else, not even itself; between backticks there is no escape at all
 * (measured on Caddy 2.6).
 * @throws if a Caddyfile has no way to write it
 */
export function quoteTemplate(text: string): string {
  if (/[\u0000-\u001f\u007f]/.test(text)) throw inexpressible(HOST, text, 'it contains a control character');
  if (text === '{' || text === '}') throw inexpressible(HOST, text, 'a brace alone is a block, even between quotes');
  // Replaced in the file as it is read, before there are any tokens, and there is no escape.
  if (text.includes('{$')) throw inexpressible(HOST, text, 'it contains `{$`, which begins an environment variable');
  if (!/["\\]/.test(text)) return `"${text}"`;
  if (!text.includes('`')) return `\`${text}\``;
  throw inexpressible(HOST, text, 'it contains both a backtick and a double quote or backslash');
}

/** A string as one token, to be taken as it stands where Caddy expands placeholders: responses, and values of maps and headers. */
export function quote(text: string): string {
  return quoteTemplate(escapePlaceholders(text));
}

/** Text that no placeholder is read into. Caddy takes backslashes off only where there is a brace that opens (`Replacer.replace`). */
export function escapePlaceholders(text: string): string {
  return text.includes('{') ? text.replace(/[{}]/g, '\\$&') : text;
}

/** Words that a Caddyfile takes for its own at the beginning of a line of a map, even between quotes. */
const WORDS: ReadonlySet<string> = new Set(['default', 'import']);

/** A key of a `map`, compared as text; the few words that cannot be are written as a regular expression. */
export function quoteMapKey(text: string): string {
  if (text.startsWith('~')) throw inexpressible(HOST, text, 'a key that begins with `~` is a regular expression');
  return quoteTemplate(WORDS.has(text) ? `~^${text}$` : text);
}

/** `name { … }`, its lines indented as `caddy fmt` does. */
export function block(name: string, lines: readonly string[]): string[] {
  return [`${name} {`, ...lines.map((line) => (line === '' ? '' : `\t${line}`)), '}'];
}

/** `header { … }`: headers of the answer, in place of any that were set before. Their values may name placeholders. */
export function headers(values: Readonly<Record<string, string>>, matcher = ''): string[] {
  return block(
    directive('header', matcher),
    Object.entries(values).map(([name, value]) => `${name} ${quoteTemplate(value)}`),
  );
}

/** An answer without a file. Nothing after it is reached. */
export function refusal(matcher: string, body: string, status: number): string {
  return directive('respond', matcher, quote(body), String(status));
}

/** A directive on one line. */
function directive(...words: readonly string[]): string {
  return words.filter((word) => word !== '').join(' ');
}
