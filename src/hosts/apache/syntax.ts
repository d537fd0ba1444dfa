import { inexpressible } from '../inexpressible.ts';

const HOST = 'Apache httpd';

/**
 * A string as one argument of a directive. Between quotes httpd takes a backslash as an escape only before a quote or another
 * backslash (`ap_getword_conf`), so regular expressions stay readable.
 * @throws if httpd has no way to write it; there is none for `${`, where it puts in what `Define` says
 */
export function quote(text: string): string {
  if (/[\u0000-\u001f\u007f]/.test(text)) throw inexpressible(HOST, text, 'it contains a control character');
  if (text.replaceAll(/\$\{(?:THEMECAST_\w+|themecast_\w+:%1)\}/g, '').includes('${'))
    throw inexpressible(HOST, text, 'it contains `${`');
  return `"${text.replaceAll(/\\(?=[\\"]|$)|"/g, '\\$&')}"`;
}

/**
 * A string in an expression (`expr=`, `<If>`, `RewriteCond expr`).
 * @throws unless it is made of what addresses, origins and names are made of
 */
export function quoteExpression(text: string): string {
  if (!/^[A-Za-z0-9.:/_[\]-]*$/.test(text))
    throw inexpressible(HOST, text, 'it contains a character with a meaning in expressions');
  return `'${text}'`;
}

/**
 * A line of the text that httxt2dbm reads: key, white space, value. It takes a line that starts with `#` for a comment.
 * @throws if the key or the value would not come back as it is
 */
export function mapLine(key: string, value: string): string {
  if (!/^[^\s#][^\s]*$/.test(key) || !/^[^\s]+$/.test(value)) throw inexpressible(HOST, key, 'it is not a single word');
  return `${key} ${value}\n`;
}

/** `<Name argument> … </Name>`, its directives indented. */
export function section(name: string, argument: string, directives: readonly string[]): string[] {
  return [`<${name} ${argument}>`, ...directives.map((line) => (line === '' ? '' : `    ${line}`)), `</${name}>`];
}

/** `Header always set` for each: on refusals too. Only if an expression holds, if there is one. */
export function setHeaders(headers: Readonly<Record<string, string>>, expression?: string): string[] {
  const condition = expression === undefined ? '' : ` ${quote(`expr=${expression}`)}`;
  return Object.entries(headers).map(([name, value]) => {
    // mod_headers reads the value once more: `%` begins a format specifier, and a backslash an escape like `\\n`.
    const format = value.replaceAll('\\', '\\\\').replaceAll('%', '%%');
    return `Header always set ${name} ${quote(format)}${condition}`;
  });
}
