import { heading } from '../config-file.ts';
import type { EdgeRules } from '../contract.ts';
import { mediaFilePattern } from '../media.ts';
import { FORMAT_PARAMETER, formatsOf, NEGOTIATION_COMMENT, outcomes } from '../negotiation.ts';
import { redirectPairs } from '../redirects.ts';
import { anyOf, escapeRegExp } from '../regexp.ts';
import { type Place, type Row, sharedRows } from '../rows.ts';
import { identityRules } from './identity.ts';
import { assign, condition, quote, rewriteRule } from './syntax.ts';

const STATUS = '%{ENV:REDIRECT_STATUS}';
const METHOD = '%{REQUEST_METHOD}';
const RENDERING = '%{ENV:themecast_rendering}';

/** The status codes of error responses, each with a file of its body. */
export const ERROR_STATUSES = [403, 404, 405, 406] as const;

/** The rewrite rules: from a request to the file of its response. */
export function rewriteRules(rules: EdgeRules, places: readonly Place[]): string[] {
  const endpoints = places.filter(({ rows }) => rows.some(({ when }) => when !== undefined));
  const files = places.filter(({ rows: [row] }) => row !== undefined && 'file' in row.send && row.when === undefined);
  return [
    ...redirectRules(rules),
    heading('Error responses: requests that come back from ErrorDocument as a GET'),
    '# (OPTIONS is an "error" with status 200: httpd itself responds to it without a body.) Only httpd can set REDIRECT_STATUS.',
    '',
    ...endpoints.flatMap((place) =>
      rewriteRule(
        [condition(STATUS, '=200')],
        exactly([place]),
        `\${THEMECAST_DIR}/answers/${place.name}_options.json`,
        'L',
      ),
    ),
    ...rewriteRule(
      [condition(STATUS, `^(${ERROR_STATUSES.join('|')})$`)],
      `^(?:${[rules.endpoints.list.path, ...places.flatMap(({ path, isFolder }) => (isFolder ? [path ?? ''] : []))].map(escapeRegExp).join('|')})`,
      '${THEMECAST_DIR}/answers/%1.json',
      'L',
    ),
    '',
    heading('Paths and methods'),
    '',
    '# No other path exists. The published files of the endpoints are served through them alone.',
    ...respondWith(`^${escapeRegExp(rules.endpoints.list.path)}(?!${below(rules, places)}$)`, 404),
    ...files.flatMap((place) => fileRules(place)),
    ...places.filter(({ isFolder }) => isFolder).flatMap(folderRules),
    ...rewriteRule([], exactly(places.filter(isSlash)), '-', 'L'),
    ...sharedRows(endpoints).flatMap(({ row, shared }) => {
      const path = exactly(endpoints.filter(({ name }) => shared.includes(name)));
      return 'status' in row.send && row.when === undefined ? respondWith(path, row.send.status, methodsOf(row)) : [];
    }),
    '',
    heading('Content negotiation'),
    '',
    ...negotiationRules(endpoints, rules),
    '',
    heading('Identity'),
    '',
    ...identityRules(rules),
    '',
    heading('The file'),
    '',
    '# The theme is a slug from a map or a rule above; no part of a request becomes part of a path. If the files of the theme do not',
    '# exist, the default theme (index, browse) is served.',
    ...endpoints.flatMap((place) => place.rows.flatMap((row) => renderingRules(place, row))),
  ];
}

/** The regular expression for the paths of places. */
export function exactly(places: readonly Pick<Place, 'path'>[]): string {
  return `^${anyOf(places.map(({ path = '' }) => escapeRegExp(path)))}$`;
}

/** Paths below LIST: `(?:config/?)?`. */
export function below({ endpoints: { list } }: EdgeRules, places: readonly Place[]): string {
  const paths = places.flatMap(({ path = '', isFolder }) => (!isFolder && path.startsWith(list.path) ? [path] : []));
  return anyOf(paths.map((path) => escapeRegExp(path.slice(list.path.length))));
}

function isSlash({ rows: [row], path }: Place): boolean {
  return path !== undefined && row !== undefined && 'redirect' in row.send;
}

/** Responds with the `ErrorDocument` of a status. */
function respondWith(path: string, status: number, when: readonly string[] = []): string[] {
  return rewriteRule(when, path, '-', `R=${status}`, 'L');
}

/** The methods of a row; other ones have been responded to. */
function methodsOf({ methods }: Row): string[] {
  return methods.length === 0 ? [condition(METHOD, '!^(?:GET|HEAD)$')] : [condition(METHOD, `^${anyOf(methods)}$`)];
}

function fileRules(place: Place): string[] {
  const path = exactly([place]);
  return place.rows.flatMap((row) =>
    'status' in row.send
      ? respondWith(path, row.send.status, methodsOf(row))
      : 'file' in row.send
        ? rewriteRule([condition(METHOD, `^${anyOf(row.methods)}$`)], path, published(row.send.file), 'L')
        : [],
  );
}

/** Images: no later rule applies. */
function folderRules({ path = '', rows }: Place): string[] {
  const folder = escapeRegExp(path);
  return [
    ...rows.flatMap((row) => ('status' in row.send ? respondWith(`^${folder}`, row.send.status, methodsOf(row)) : [])),
    ...respondWith(`^${folder}(?!${mediaFilePattern()}$)`, 404),
    ...rewriteRule([], `^${folder}`, '-', 'L'),
  ];
}

/** Content negotiation as in `src/edge-runtime/negotiate.ts`. */
function negotiationRules(endpoints: readonly Place[], rules: EdgeRules): string[] {
  const path = exactly(endpoints);
  const undecided = condition(RENDERING, '^$');
  return [
    '# The first `format` parameter of the query, not decoded.',
    ...assign(path, 'format', '%1', [condition('%{QUERY_STRING}', `${FORMAT_PARAMETER}([^&]*)`)]),
    ...respondWith(path, 404, [condition('%{ENV:themecast_format}', `!^(?:${formatsOf(rules).join('|')})?$`)]),
    ...endpoints.flatMap((place) => assign(exactly([place]), 'place', place.name)),
    ...NEGOTIATION_COMMENT,
    ...outcomes(rules, { anyFormat: '' }).flatMap(([pattern, rendering]) =>
      assign(path, 'rendering', rendering, [
        undecided,
        condition('%{ENV:themecast_place}:%{ENV:themecast_format}:%{HTTP:Accept}', pattern, 'NC'),
      ]),
    ),
    ...respondWith(path, 406, [condition(RENDERING, '=406')]),
    ...respondWith(path, 404, [undecided]),
  ];
}

/** Everything below LIST has the type of JSON unless a rule sets another. */
function renderingRules(place: Place, { when = '', send }: Row): string[] {
  if (!('file' in send)) return [];
  const { file, fallback = file, type } = send;
  const flags = [...(type === 'application/json' ? [] : [`T=${type}`]), 'L'];
  const rendering = condition(RENDERING, `=${when}`);
  const own = published(file.replace('*', '%{ENV:themecast_theme}'));
  return [
    ...(file === fallback ? [] : rewriteRule([rendering, `${quote(own)} -f`], exactly([place]), own, ...flags)),
    ...rewriteRule([rendering], exactly([place]), published(fallback), ...flags),
  ];
}

function published(file: string): string {
  return `\${THEMECAST_ROOT}${file}`;
}

/** The path of the section that redirects old paths, which no request reaches. */
export function movedPath({ endpoints }: EdgeRules): string {
  return `${decodeURIComponent(endpoints.list.path)}moved`;
}

/** Old paths of images, which come first. */
function redirectRules(rules: EdgeRules): string[] {
  if (redirectPairs(rules).length === 0) return [];
  return [
    heading('Redirects: old paths of images'),
    '',
    'RewriteMap themecast_redirects "dbm=${THEMECAST_DBM}:${THEMECAST_DIR}/redirects.dbm"',
    ...rewriteRule(
      [
        condition(METHOD, '^(?:GET|HEAD)$'),
        // The names of published images are not looked up: httpd caches what it looks up.
        condition('%{REQUEST_URI}', '![.][0-9a-f]{16}[.-]'),
        condition('%{REQUEST_URI}', '^(.+[.][A-Za-z]+)$'),
        condition('${themecast_redirects:%1}', '^(.+)$'),
      ],
      '^',
      movedPath(rules),
      'E=themecast_moved:%1',
      'QSD',
      'L',
      'PT',
    ),
    '',
  ];
}
