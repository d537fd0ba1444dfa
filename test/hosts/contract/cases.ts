import type { Rendering } from '../../../src/core/edge-runtime/rules.ts';

/** The outcome of negotiation: a rendering or a status. */
export type Outcome = Rendering['name'] | 404 | 406;

/** An optional `Accept` header, with its outcomes without `format`, with `format=json` and with `format=api`. */
export type AcceptCase = readonly [accept: string | undefined, any: Outcome, json: Outcome, api: Outcome];

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

/** The edge cases of `DefaultContentNegotiation` in Django REST Framework 3.14, derived by hand. */
export const ACCEPT_CASES: readonly AcceptCase[] = [
  [undefined, 'json', 'json', 'html'],
  ['', 'json', 'json', 'html'],
  ['*/*', 'json', 'json', 'html'],
  ['application/*', 'json', 'json', 406],
  ['application/json', 'json', 'json', 406],
  ['text/html', 'html', 406, 'html'],
  ['text/*', 'html', 406, 'html'],
  [BROWSER, 'html', 'json', 'html'],
  ['image/png', 406, 406, 406],
  // Complete types are compared, ignoring case and surrounding white space.
  ['APPLICATION/Json', 'json', 'json', 406],
  ['Text/HTML', 'html', 406, 'html'],
  ['application/vnd.api+json', 406, 406, 406],
  ['text/html,', 'html', 406, 'html'],
  // The byte 0xA0 is not white space.
  ['text/html\u00a0', 406, 406, 406],
  ['\u00a0application/json, text/html', 'html', 406, 'html'],
  // A wildcard replaces only one part of a type.
  ['*/json', 'json', 'json', 406],
  ['*', 406, 406, 406],
  // The more specific entry wins; ties go to JSON; q is ignored.
  ['text/html, application/json', 'json', 'json', 'html'],
  ['text/*, */*', 'html', 'json', 'html'],
  ['application/*, text/html', 'html', 'json', 'html'],
  ['application/json;q=0.1, text/html;q=0.9', 'json', 'json', 'html'],
  ['application/json;q=0', 'json', 'json', 406],
  // A parameter other than q makes an entry more specific; text without `=` is no parameter.
  ['application/json, text/html;level=1', 'html', 'json', 'html'],
  ['application/json;indent=4, text/html;level=1', 'json', 'json', 'html'],
  ['application/json, text/html;q=0.5;level=1', 'html', 'json', 'html'],
  ['application/json, text/html;level', 'json', 'json', 'html'],
  ['application/json, text/html; Q = 1', 'json', 'json', 'html'],
  ['application/json, text/html;;;level=1', 'html', 'json', 'html'],
  ['application/json, text/html;q=1,image/png;level=1', 'json', 'json', 'html'],
  ['application/json, text/*;level=1', 'json', 'json', 'html'],
  ['text/*;level=1, */*;level=1', 'html', 'json', 'html'],
  ['application/json, text/html;qv=1', 'html', 'json', 'html'],
  ['application/json;qv=1, text/html ; q=1 ; v=1', 'json', 'json', 'html'],
  ['image/png;application/json=1, text/html; Q = 1;', 'html', 406, 'html'],
];

/** An `Accept` header, a query string, and the outcome on CONFIG, which has more renderings than LIST. */
export const CONFIG_CASES: readonly (readonly [accept: string | undefined, query: string, outcome: Outcome])[] = [
  // Browsers send this header for a stylesheet.
  ['text/css,*/*;q=0.1', '', 'css'],
  ['text/css,*/*;q=0.1', '?format=css', 'css'],
  ['text/css', '', 'css'],
  [undefined, '?format=css', 'css'],
  ['text/*', '?format=css', 'css'],
  ['text/html', '?format=css', 406],
  ['application/json', '?format=css', 406],
  ['text/css', '?format=json', 406],
  ['text/css', '?format=CSS', 404],
  // Ties go to JSON, then to the page.
  ['text/css, text/html', '', 'html'],
  ['text/css;v=1, text/html, application/json', '', 'css'],
  ['text/*, text/css', '', 'css'],
  ['text/cssx', '', 406],
  // Icons and manifests are selected by `format` only.
  [undefined, '?format=icon', 'png'],
  ['image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8', '?format=icon', 'png'],
  ['text/html', '?format=icon&for=u-1001', 'png'],
  ['image/png', '?format=webmanifest', 'webmanifest'],
  ['image/*', '', 406],
  ['image/png', '?format=', 406],
  ['application/manifest+json', '', 406],
  ['image/png', '?format=Icon', 404],
  ['*/*', '?format=webmanifest2', 404],
];

/** Query strings, each with the column of {@link ACCEPT_CASES} that it selects, or 404 for an unknown format. */
export const QUERY_CASES: readonly (readonly [query: string, column: 'any' | 'json' | 'api' | 404])[] = [
  ['', 'any'],
  ['?', 'any'],
  ['?format=', 'any'],
  ['?format', 'any'],
  ['?format=json', 'json'],
  ['?format=api', 'api'],
  ['?format=xml', 404],
  ['?format=Json', 404],
  ['?format=json%20', 404],
  // The value is not percent-decoded.
  ['?format=js%6Fn', 404],
  ['?%66ormat=api', 'any'],
  // The complete name is compared, with its case.
  ['?FORMAT=api', 'any'],
  ['?xformat=xml', 'any'],
  ['?format[]=xml', 'any'],
  ['?page=2', 'any'],
  ['?page=2&format=api', 'api'],
  ['?format=api&page=2', 'api'],
  ['?&format=json', 'json'],
  // The first `format` applies.
  ['?format=json&format=api', 'json'],
  ['?format=api&format=xml', 'api'],
  ['?format=&format=xml', 'any'],
  // These characters have a meaning in rewrite rules.
  ['?format=json:33', 404],
  ['?format=$themecast_format', 404],
  ['?format=~^.*$', 404],
];

export function outcomeOf([, any, json, api]: AcceptCase, column: (typeof QUERY_CASES)[number][1]): Outcome {
  return column === 404 ? 404 : { any, json, api }[column];
}

/** Unknown keys that a host could mistake for a path, a pattern, a variable or a property. */
export const HOSTILE_KEYS: readonly string[] = [
  ...'../options ../../../../../edge/users ..%2foptions options harbor meadow harbor.json'.split(' '),
  ...'meadow.json /etc/passwd ~.* ~^tom * .*'.split(' '),
  "'tom'",
  '"',
  '\\tom',
  '\\\\tom',
  '\\x74om',
  't\\om',
  ...'t%6fm %00 tom%00 tom, $document_root ${themecast_theme} constructor toString'.split(' '),
  'tom nancy',
  '(',
  '{}',
  'k'.repeat(127),
  'k'.repeat(129),
];

/** `Cookie` headers, each with the theme of the user in the cookie `uid`. */
export const COOKIE_CASES: readonly (readonly [cookie: string, theme: 'harbor' | 'meadow' | 'nightfall'])[] = [
  ['uid=tom', 'meadow'],
  ['uid=nobody', 'harbor'],
  ['uid=', 'harbor'],
  ['uid', 'harbor'],
  ['a=1; uid=tom; b=2', 'meadow'],
  ['a=1;uid=tom;b=2', 'meadow'],
  [' uid = tom ; b=2', 'meadow'],
  // Only the first cookie of the name is read, even if its value is invalid.
  ['uid=tom; uid=nancy', 'meadow'],
  ['uid=; uid=tom', 'harbor'],
  ['uid=nobody; uid=tom', 'harbor'],
  ['uid; uid=tom', 'meadow'],
  // The complete name is compared, with its case.
  ['UID=tom', 'harbor'],
  ['xuid=tom', 'harbor'],
  ['x.uid=tom', 'harbor'],
  ['a=uid=tom', 'harbor'],
  ['a="; uid=tom; b="', 'meadow'],
  // White space is space and tab. Some languages also strip the bytes 0xA0 and 0x85.
  ['\tuid\t=\ttom\t;b=2', 'meadow'],
  ['uid=tom\u00a0', 'harbor'],
  ['uid\u00a0=nancy; uid=tom', 'meadow'],
  ['a=1;\u00a0uid=nancy; uid=tom', 'meadow'],
  // Some hosts decode headers as UTF-8, in which these bytes are the same character.
  ['uid=tom\u00c2\u00a0', 'harbor'],
  ['uid=tom\u0085', 'harbor'],
  // A pair of double quotes around the value is removed (RFC 6265, §4.1.1). Other quotes belong to the value.
  ['uid="tom"', 'meadow'],
  ['a=1; uid = "a@b.c" ; b=2', 'nightfall'],
  ['uid="nobody"; uid=tom', 'harbor'],
  ['uid="tom; uid=tom', 'harbor'],
  ['uid=tom"; uid=tom', 'harbor'],
  ['uid=""tom""', 'harbor'],
  ['uid="tom"x', 'harbor'],
  ['uid=" tom "', 'harbor'],
  ["uid='tom'", 'harbor'],
  // Characters that web frameworks percent-encode in a key are decoded once, with hexadecimal digits in either case.
  ['uid=a%40b.c', 'nightfall'],
  ['uid="a%40b.c"; uid=tom', 'nightfall'],
  ['uid=x%7Ey%2Fz%3A1', 'meadow'],
  ['uid=x%7ey/z%3a1', 'meadow'],
  ['uid=%3Dx', 'meadow'],
  ['uid=%7Cy', 'nightfall'],
  [`uid=${'urn:a:b:c:d:e:f:g:h:i:j:k:l:m:n+1'.replaceAll(':', '%3a').replace('+', '%2B')}`, 'meadow'],
  [`uid=${'k'.repeat(128)}%40`, 'harbor'],
  // Any other percent-encoding makes a value invalid.
  ['uid=a%2540b.c', 'harbor'],
  ['uid=%74om', 'harbor'],
  ['uid=a%40b.c%00', 'harbor'],
  ['uid=a%4', 'harbor'],
  ['uid=a%%4040b.c', 'harbor'],
  ['uid=%22tom%22', 'harbor'],
  ['uid%3Dtom', 'harbor'],
];
