import type { EdgeRules } from '../contract.ts';
import { mediaFilePattern } from '../media.ts';
import { negotiationView, outcomes } from '../negotiation.ts';
import { anyOf, escapeRegExp } from '../regexp.ts';
import { type Place, type Row, sharedRows } from '../rows.ts';
import type { View } from '../template.ts';
import { identityRules } from './identity.ts';
import { condition, quote, rewriteRule } from './syntax.ts';

/** The status codes of error responses, each with a file of its body. */
export const ERROR_STATUSES = [403, 404, 405, 406] as const;

/** What the rewrite rules have: from a request to the file of its response. */
export function rulesView(rules: EdgeRules, places: readonly Place[]): View {
  const { list } = rules.endpoints;
  const endpoints = places.filter(({ rows }) => rows.some(({ when }) => when !== undefined));
  const files = places.filter(({ rows: [row] }) => row !== undefined && 'file' in row.send && row.when === undefined);
  const folders = places.filter(({ isFolder }) => isFolder);
  const paths = [list.path, ...folders.map(({ path = '' }) => path)].map(escapeRegExp);
  return {
    // The names of published images are not looked up: httpd caches what it looks up.
    moved_path: quote(movedPath(rules)),
    endpoints: endpoints.map((place) => ({ path: quote(exactly([place])), name: place.name })),
    statuses: ERROR_STATUSES.join('|'),
    folders: quote(`^(?:${paths.join('|')})`),
    paths: [
      ...respondWith(`^${escapeRegExp(list.path)}(?!${below(rules, places)}$)`, 404),
      ...files.flatMap((place) => methodRules(exactly([place]), place.rows)),
      ...folders.flatMap(folderRules),
      ...rewriteRule([], exactly(places.filter(isSlash)), '-', 'L'),
      ...sharedRows(endpoints).flatMap(({ row, shared }) =>
        methodRules(exactly(endpoints.filter(({ name }) => shared.includes(name))), [row]),
      ),
    ],
    // Content negotiation as in `src/edge-runtime/negotiate.ts`.
    ...negotiationView(rules),
    negotiated: quote(exactly(endpoints)),
    outcomes: outcomes(rules, { anyFormat: '' }).map(([pattern, rendering]) => ({
      pattern: quote(pattern),
      rendering,
    })),
    identity: identityRules(rules),
    files: endpoints.flatMap((place) => place.rows.flatMap((row) => renderingRules(place, row))),
  };
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

/** Rules for the rows that the method alone decides; one for all other methods comes last. */
function methodRules(path: string, rows: readonly Row[]): string[] {
  return rows.flatMap(({ methods, when, send }) => {
    const method = condition('%{REQUEST_METHOD}', methods.length === 0 ? '!^(?:GET|HEAD)$' : `^${anyOf(methods)}$`);
    if (when !== undefined) return [];
    if ('status' in send) return respondWith(path, send.status, [method]);
    return 'file' in send ? rewriteRule([method], path, published(send.file), 'L') : [];
  });
}

/** Images: no later rule applies. */
function folderRules({ path = '', rows }: Place): string[] {
  const folder = `^${escapeRegExp(path)}`;
  return [
    ...methodRules(folder, rows),
    ...respondWith(`${folder}(?!${mediaFilePattern()}$)`, 404),
    ...rewriteRule([], folder, '-', 'L'),
  ];
}

/** Everything below LIST has the type of JSON unless a rule sets another. */
function renderingRules(place: Place, { when = '', send }: Row): string[] {
  if (!('file' in send)) return [];
  const { file, fallback = file, type } = send;
  const flags = [...(type === 'application/json' ? [] : [`T=${type}`]), 'L'];
  const rendering = condition('%{ENV:themecast_rendering}', `=${when}`);
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
