import { inexpressible } from '../inexpressible.ts';

const HOST = 'nginx';

/** Longest parameter: nginx reads its files through a buffer of 4096 bytes (`NGX_CONF_BUFFER`), and none may be longer. */
const PARAMETER_LENGTH = 4000;

/**
 * A string as one parameter of nginx, in which `$name` stands for a variable. Inside quotes its lexer
 * (`ngx_conf_read_token`) takes a backslash before `"`, `'`, `\`, `t`, `r` and `n` as an escape, so every backslash is doubled.
 * @throws if nginx has no way to write it
 */
export function quoteTemplate(text: string): string {
  if (/[\u0000-\u001f\u007f]/.test(text)) throw inexpressible(HOST, text, 'it contains a control character');
  if (Buffer.byteLength(text) > PARAMETER_LENGTH)
    throw inexpressible(HOST, text, `it is longer than ${PARAMETER_LENGTH} bytes`);
  const mark = text.includes('"') ? "'" : '"';
  return mark + text.replaceAll('\\', '\\\\').replaceAll(mark, `\\${mark}`) + mark;
}

/**
 * A string as one parameter of nginx, to be taken as it stands.
 * @throws if nginx has no way to write it; there is none for `$` where variables expand
 */
export function quote(text: string): string {
  if (text.includes('$')) throw inexpressible(HOST, text, 'it contains `$`');
  return quoteTemplate(text);
}

/**
 * A key of a `map`, compared as text (without regard to case: nginx knows no other way). The map takes one leading backslash off
 * and then reads no word such as `default` or `include`, and no `~`, into the key. The lexer has to leave that backslash there,
 * so two are written: with one, `"\tom"` is a tabulator and `om` (measured on nginx 1.22).
 */
export function quoteMapKey(text: string): string {
  return quoteTemplate(`\\${text}`);
}

/** The variable that a module makes of a header: `$http_x_user`. */
export function headerVariable(prefix: string, header: string): string {
  return `$${prefix}_${header.toLowerCase().replaceAll('-', '_')}`;
}

/** `name { … }`, its directives indented. */
export function block(name: string, directives: readonly string[]): string[] {
  return [`${name} {`, ...directives.map((line) => (line === '' ? '' : `    ${line}`)), '}'];
}

/** `add_header` for each, on refusals too (`always`). Those of a level take the place of all that are set outside it. */
export function addHeaders(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).map(([name, value]) => `add_header ${name} ${quoteTemplate(value)} always;`);
}
