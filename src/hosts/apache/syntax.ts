import { inexpressible } from '../contract/inexpressible.ts';

const HOST = 'Apache httpd';

/**
 * Quotes a string as one argument of a directive. Between quotes, httpd reads a backslash as an escape only before a quote or another
 * backslash (`ap_getword_conf`), so regular expressions stay readable.
 * @throws if the string cannot be expressed: httpd would expand `${`
 */
export function quote(text: string): string {
  if (/[\u0000-\u001f\u007f]/.test(text)) throw inexpressible(HOST, text, 'it contains a control character');
  if (
    text
      .replaceAll(/\$\{(?:THEMECAST_\w+|themecast_\w+:(?:%1|\$\{themecast_(?:lower|unescape):%1\}))\}/g, '')
      .includes('${')
  )
    throw inexpressible(HOST, text, 'it contains `${`');
  return `"${text.replaceAll(/\\(?=[\\"]|$)|"/g, '\\$&')}"`;
}

/**
 * Quotes a string in an expression (`expr=`, `<If>`, `RewriteCond expr`).
 * @throws unless every character may occur in an address, origin or name
 */
export function quoteExpression(text: string): string {
  if (!/^[A-Za-z0-9.:/_[\]-]*$/.test(text))
    throw inexpressible(HOST, text, 'it contains a character with a meaning in expressions');
  return `'${text}'`;
}

/**
 * Returns a line for httxt2dbm: key, white space, value.
 * @throws if httpd would not read back the same key and value; a line that begins with `#` is a comment
 */
export function mapLine(key: string, value: string): string {
  if (!/^[^\s#][^\s]*$/.test(key) || !/^[^\s]+$/.test(value)) throw inexpressible(HOST, key, 'it is not a single word');
  return `${key} ${value}\n`;
}

/** Returns `Header always set` for each header, on error responses too, and with an expression only if it is true. */
export function setHeaders(headers: Readonly<Record<string, string>>, expression?: string): string[] {
  const condition = expression === undefined ? '' : ` ${quote(`expr=${expression}`)}`;
  return Object.entries(headers).map(([name, value]) => {
    // mod_headers parses the value again: `%` begins a format specifier, and a backslash an escape like `\\n`.
    const format = value.replaceAll('\\', '\\\\').replaceAll('%', '%%');
    return `Header always set ${name} ${quote(format)}${condition}`;
  });
}

/** Returns a `RewriteCond`. `NV` keeps the header that it reads out of Vary, which is set in full elsewhere. */
export function condition(variable: string, pattern: string, ...flags: string[]): string {
  return `${quote(variable)} ${quote(pattern)} [${[...flags, 'NV'].join(',')}]`;
}
