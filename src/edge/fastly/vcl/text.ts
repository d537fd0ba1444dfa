import { inexpressible } from '../../inexpressible.ts';

const HOST = "Fastly's VCL";

/**
 * A string of Fastly's VCL, by its types reference ("STRING"): `"…"` knows no backslashes, but takes `%` as an escape; `{"…"}` takes
 * everything as it stands, up to the first `"}`; `{json"…"json}` is the same with an ending of one's own, for JSON.
 * @throws if VCL has no way to write it
 */
export function literal(text: string): string {
  if (/[\u0000-\u001f\u007f]/.test(text)) throw inexpressible(HOST, text, 'it holds a control character');
  if (!/["%]/.test(text)) return `"${text}"`;
  if (!text.includes('"}')) return `{"${text}"}`;
  if (!text.includes('"json}')) return `{json"${text}"json}`;
  throw inexpressible(HOST, text, 'its quotes would end it');
}

/** Sets headers of the answer. */
export function setHeaders(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).map(([name, value]) => `set resp.http.${name} = ${literal(value)};`);
}

/** Takes headers from a message: `req`, `bereq`, `beresp` or `resp`. */
export function unset(message: string, names: Iterable<string>): string[] {
  return [...names].map((name) => `unset ${message}.http.${name};`);
}
