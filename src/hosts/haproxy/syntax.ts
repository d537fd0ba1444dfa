import { inexpressible } from '../inexpressible.ts';

const HOST = 'HAProxy';

/**
 * Quotes a string as one literal word: within single quotes HAProxy interprets nothing (configuration manual, §2.2). Text with a single
 * quote is put into double quotes, where `\`, `"` and `$` are escaped.
 * @throws if the string cannot be expressed
 */
export function quote(text: string): string {
  if (/[\u0000-\u001f\u007f]/.test(text)) throw inexpressible(HOST, text, 'it contains a control character');
  return text.includes("'") ? `"${text.replace(/[\\"$]/g, '\\$&')}"` : `'${text}'`;
}

/** Quotes a literal string where HAProxy expects a log format, in which `%` begins a variable. */
export function quoteFormat(text: string): string {
  return quote(text.replaceAll('%', '%%'));
}

/**
 * Quotes an argument of a fetch or converter. Their lexer removes a second layer of quotes and backslashes; the whole expression is then
 * quoted with {@link quote}.
 */
export function quoteArgument(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`;
}

/** A `regsub` that replaces its input by the capture of the regular expression (PCRE), or by nothing without a match. */
export function captured(regex: string, flags = ''): string {
  return `regsub(${[`^(?s:${regex}|.*)$`, '\\1', flags].map(quoteArgument).join(',')})`;
}

/** Escapes text for a regular expression, with brackets instead of backslashes. */
export function escapeRegExp(text: string): string {
  if (/[\\^]/.test(text)) throw inexpressible(HOST, text, 'it contains a backslash or a caret');
  return text.replace(/[$.*+?()[\]{}|]/g, '[$&]');
}

/**
 * A line of a map file: the key up to white space, then the value. Lines that begin with `#` are comments.
 * @throws if the line would be read differently
 */
export function mapLine(key: string, value: string): string {
  if (!/^[^\s#\u0000-\u001f\u007f][^\s\u0000-\u001f\u007f]*$/.test(key))
    throw inexpressible(HOST, key, 'it is not a valid map key');
  if (!/^[a-z0-9-]+$/.test(value)) throw inexpressible(HOST, value, 'it is not a slug');
  return `${key} ${value}\n`;
}

/** A section, its lines indented. */
export function section(name: string, lines: readonly string[]): string {
  return [name, ...lines.map((line) => (line === '' ? '' : `    ${line}`)), ''].join('\n');
}
