import { inexpressible } from '../inexpressible.ts';

const HOST = 'HAProxy';

/**
 * A string as one word of a line, taken as it stands: within single quotes HAProxy interprets nothing (configuration manual,
 * §2.2). There is no single quote in them, so text that has one is put into double quotes, where `\`, `"` and `$` are escaped.
 * @throws if HAProxy has no way to write it
 */
export function quote(text: string): string {
  if (/[\u0000-\u001f\u007f]/.test(text)) throw inexpressible(HOST, text, 'it contains a control character');
  return text.includes("'") ? `"${text.replace(/[\\"$]/g, '\\$&')}"` : `'${text}'`;
}

/** A string where HAProxy would read a log format, in which `%` begins a variable. */
export function quoteFormat(text: string): string {
  return quote(text.replaceAll('%', '%%'));
}

/**
 * A string as an argument of a fetch or converter. Those have a lexer of their own, which takes off a second layer of quotes and
 * backslashes; the expression around it goes through {@link quote} as a whole.
 */
export function quoteArgument(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`;
}

/** A `regsub` that replaces the whole of its input by what the regular expression (PCRE) captures; by nothing if it does not match. */
export function captured(regex: string, flags = ''): string {
  return `regsub(${[`^(?s:${regex}|.*)$`, '\\1', flags].map(quoteArgument).join(',')})`;
}

/** Text inside a regular expression that matches itself; in brackets, so that it needs no backslashes. */
export function escapeRegExp(text: string): string {
  if (/[\\^]/.test(text)) throw inexpressible(HOST, text, 'it contains a backslash or a caret');
  return text.replace(/[$.*+?()[\]{}|]/g, '[$&]');
}

/**
 * A line of a map file: the key up to white space, then the value. Lines that begin with `#` are comments.
 * @throws if the line would say something else
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

/** A line between the parts of a section. */
export function heading(title: string): string[] {
  return [`# --- ${title} `.padEnd(120, '-'), ''];
}
