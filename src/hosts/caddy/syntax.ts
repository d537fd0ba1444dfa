import { inexpressible } from '../contract/inexpressible.ts';

const HOST = 'Caddy';

/**
 * Quotes a string as one token of a Caddyfile, in which `{name}` may be a placeholder. Between double quotes, a backslash escapes only
 * a double quote, not even itself; between backticks nothing is an escape (measured on Caddy 2.6).
 * @throws if the string cannot be expressed
 */
export function quoteTemplate(text: string): string {
  if (/[\u0000-\u001f\u007f]/.test(text)) throw inexpressible(HOST, text, 'it contains a control character');
  if (text === '{' || text === '}') throw inexpressible(HOST, text, 'a brace alone is a block, even between quotes');
  // Caddy replaces it before it reads tokens, without any escape.
  if (text.includes('{$')) throw inexpressible(HOST, text, 'it contains `{$`, which begins an environment variable');
  if (!/["\\]/.test(text)) return `"${text}"`;
  if (!text.includes('`')) return `\`${text}\``;
  throw inexpressible(HOST, text, 'it contains both a backtick and a double quote or backslash');
}

/** Quotes a literal string where Caddy expands placeholders: responses, and values of maps and headers. */
export function quote(text: string): string {
  return quoteTemplate(escapePlaceholders(text));
}

/** Escapes braces. Caddy removes the backslashes only if the text contains an opening brace (`Replacer.replace`). */
export function escapePlaceholders(text: string): string {
  return text.includes('{') ? text.replace(/[{}]/g, '\\$&') : text;
}

/** Words that Caddy takes for keywords at the beginning of a line of a map, even between quotes. */
const KEYWORDS: ReadonlySet<string> = new Set(['default', 'import']);

/** Quotes a key of a `map`, compared as text. A keyword is written as a regular expression. */
export function quoteMapKey(text: string): string {
  if (text.startsWith('~')) throw inexpressible(HOST, text, 'a key that begins with `~` is a regular expression');
  return quoteTemplate(KEYWORDS.has(text) ? `~^${text}$` : text);
}

/** Returns `name { … }`, with its lines indented like `caddy fmt`. */
export function block(name: string, lines: readonly string[]): string[] {
  return [`${name} {`, ...lines.map((line) => (line === '' ? '' : `\t${line}`)), '}'];
}

/** Returns `header { … }`, which replaces earlier response headers. The values may contain placeholders. */
export function headers(values: Readonly<Record<string, string>>, matcher = ''): string[] {
  const lines = Object.entries(values).map(([name, value]) => `${name} ${quoteTemplate(value)}`);
  const name = directive('header', matcher);
  return lines.length === 1 ? [`${name} ${lines.join()}`] : lines.length === 0 ? [] : block(name, lines);
}

function directive(...words: readonly string[]): string {
  return words.filter((word) => word !== '').join(' ');
}

/** Returns a named matcher of requests whose placeholder has one of these values. */
export function matcher(name: string, placeholder: string, ...values: readonly string[]): string {
  return `@themecast_${name} vars ${placeholder} ${values.join(' ')}`;
}
