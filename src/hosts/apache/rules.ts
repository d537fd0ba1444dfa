import type { EdgeRules } from '../contract.ts';
import { mediaFilePattern } from '../media.ts';
import { negotiationView, outcomes } from '../negotiation.ts';
import { anyOf, escapeRegExp } from '../regexp.ts';
import { type Place, type Row, sharedRows } from '../rows.ts';
import type { View } from '../template.ts';
import { identityView } from './identity.ts';
import { quote } from './syntax.ts';

/** The status codes of error responses, each with a file of its body. */
export const ERROR_STATUSES = [403, 404, 405, 406] as const;

/** What the rewrite rules have: from a request to the file of its response. */
export function rulesView(rules: EdgeRules, places: readonly Place[]): View {
  const { basePath } = rules;
  const { list, config } = rules.endpoints;
  const endpoints = places.filter(({ rows }) => rows.some(({ when }) => when !== undefined));
  const files = places.filter(({ rows: [row] }) => row !== undefined && 'published' in row.send);
  const folders = files.filter(({ isFolder }) => isFolder);
  const names = files.flatMap(({ paths, isFolder }) =>
    paths.map((path) => escapeRegExp(path.slice(basePath.length)) + (isFolder ? mediaFilePattern() : '')),
  );
  const known = places.flatMap(({ paths }) => paths).filter((path) => path.startsWith(list.path));
  return {
    redirect_path: quote(`${list.path}redirect`),
    redirect_section: quote(`^${escapeRegExp(list.path)}redirect$`),
    endpoints: endpoints.map((place) => ({ path: quote(pathsOf([place])), name: place.name })),
    statuses: ERROR_STATUSES.join('|'),
    folders: quote(pathsOf([{ paths: [list.path], isFolder: true }, ...folders])),
    unknown: quote(
      `^${escapeRegExp(list.path)}(?!${anyOf(known.map((path) => escapeRegExp(path.slice(list.path.length))))}$)`,
    ),
    files: quote(pathsOf(files)),
    published: quote(`^${escapeRegExp(basePath)}(${anyOf(names)})$`),
    media_folder: quote(pathsOf(folders)),
    slashes: quote(pathsOf(places.filter(({ name }) => name === 'slash'))),
    methods: sharedRows(endpoints)
      .filter(({ row: { when } }) => when === undefined)
      .map(({ row: { methods, send }, shared }) => ({
        method: quote(methods.length === 0 ? '!^(?:GET|HEAD)$' : `^${anyOf(methods)}$`),
        path: quote(pathsOf(endpoints.filter(({ name }) => shared.includes(name)))),
        status: 'status' in send ? String(send.status) : '',
      })),
    // Content negotiation as in `src/edge-runtime/negotiate.ts`.
    ...negotiationView(rules),
    negotiated: quote(pathsOf(endpoints)),
    // Of several rules that match, the last one decides.
    outcomes: outcomes(rules, { anyFormat: '' })
      .toReversed()
      .map(([pattern, rendering]) => ({ pattern: quote(pattern), rendering })),
    config: quote(`^${escapeRegExp(config.path)}$`),
    identity: identityView(rules),
    renderings: endpoints.flatMap((place) => place.rows.flatMap((row) => renderingView(place, row))),
  };
}

/** The regular expression for the paths of places. */
export function pathsOf(places: readonly Pick<Place, 'paths' | 'isFolder'>[]): string {
  const patterns = places.flatMap(({ paths, isFolder }) =>
    paths.map((path) => escapeRegExp(path) + (isFolder ? '' : '$')),
  );
  return `^${anyOf(patterns)}`;
}

/** Everything below LIST has the type of JSON unless a rule sets another. */
function renderingView(place: Place, { when = '', send }: Row): View[] {
  if (!('file' in send)) return [];
  const { file, fallback, type } = send;
  const published = (name: string): string => quote(`\${THEMECAST_ROOT}${name}`);
  return [
    {
      name: when,
      path: quote(pathsOf([place])),
      themes: fallback === undefined ? '' : published(file.replace('*', '%{ENV:themecast_theme}')),
      file: published(fallback ?? file),
      flags: quote(type === 'application/json' ? '[L]' : `[T=${type},L]`),
    },
  ];
}
