import { inexpressible } from '../contract/inexpressible.ts';

const HOST = 'nginx';

/** Maximum length of a parameter, in bytes: nginx reads its files through a buffer of 4096 (`NGX_CONF_BUFFER`). */
const MAX_PARAMETER_BYTES = 4000;

/**
 * Quotes a string as one parameter, in which `$name` is a variable. Inside quotes its lexer (`ngx_conf_read_token`) treats a backslash
 * before `"`, `'`, `\`, `t`, `r` and `n` as an escape, so every backslash is doubled.
 * @throws if the string cannot be expressed
 */
export function quoteTemplate(text: string): string {
  if (/[\u0000-\u001f\u007f]/.test(text)) throw inexpressible(HOST, text, 'it contains a control character');
  if (Buffer.byteLength(text) > MAX_PARAMETER_BYTES)
    throw inexpressible(HOST, text, `it is longer than ${MAX_PARAMETER_BYTES} bytes`);
  const mark = text.includes('"') ? "'" : '"';
  return mark + text.replaceAll('\\', '\\\\').replaceAll(mark, `\\${mark}`) + mark;
}

/**
 * Quotes a string as one parameter without variables.
 * @throws if the string cannot be expressed: `$` would begin a variable
 */
export function quote(text: string): string {
  if (text.includes('$')) throw inexpressible(HOST, text, 'it contains `$`');
  return quoteTemplate(text);
}

/**
 * Quotes a key of a `map`, which nginx always compares case-insensitively. The map removes one leading backslash, and then does not
 * interpret `~` or keywords such as `default`. The lexer removes one too, so two are written: `"\tom"` would be a tab and `om`
 * (measured on nginx 1.22).
 */
export function quoteMapKey(text: string): string {
  return quoteTemplate(`\\${text}`);
}

/** Returns the variable of a header: `$http_x_user`. */
export function headerVariable(prefix: string, header: string): string {
  return `$${prefix}_${header.toLowerCase().replaceAll('-', '_')}`;
}

/** Returns a line of a map whose key is a regular expression; neither key nor value has variables. */
export function match(pattern: string, value: string): string {
  return `${quoteTemplate(`~${pattern}`)} ${quote(value)}`;
}
