import type { EdgeRules } from '../contract.ts';
import { mediaFilePattern } from '../media.ts';
import { negotiationView, outcomes } from '../negotiation.ts';
import { anyOf, escapeRegExp } from '../regexp.ts';
import { type Route, type RouteResponse, sharedResponses } from '../routes.ts';
import type { View } from '../template.ts';
import { identityView } from './identity.ts';
import { quote } from './syntax.ts';

/** The status codes of error responses; a file contains the body of each. */
export const ERROR_STATUSES = [403, 404, 405, 406] as const;

/** Returns the values of the rewrite rules, which map a request to the file of its response. */
export function rulesView(rules: EdgeRules, routes: readonly Route[]): View {
  const { basePath } = rules;
  const { list, config } = rules.endpoints;
  const endpoints = routes.filter(({ responses }) => responses.some(({ when }) => when !== undefined));
  const files = routes.filter(({ responses: [response] }) => response !== undefined && 'published' in response.content);
  const folders = files.filter(({ isFolder }) => isFolder);
  const names = files.flatMap(({ paths, isFolder }) =>
    paths.map((path) => escapeRegExp(path.slice(basePath.length)) + (isFolder ? mediaFilePattern() : '')),
  );
  const servedPaths = routes.flatMap(({ paths }) => paths).filter((path) => path.startsWith(list.path));
  return {
    redirect_path: quote(`${list.path}redirect`),
    redirect_section: quote(`^${escapeRegExp(list.path)}redirect$`),
    endpoints: endpoints.map((route) => ({ path: quote(pathsOf([route])), name: route.name })),
    statuses: ERROR_STATUSES.join('|'),
    folders: quote(pathsOf([{ paths: [list.path], isFolder: true }, ...folders])),
    unknown: quote(
      `^${escapeRegExp(list.path)}(?!${anyOf(servedPaths.map((path) => escapeRegExp(path.slice(list.path.length))))}$)`,
    ),
    files: quote(pathsOf(files)),
    published: quote(`^${escapeRegExp(basePath)}(${anyOf(names)})$`),
    media_folder: quote(pathsOf(folders)),
    slashes: quote(pathsOf(routes.filter(({ name }) => name === 'slash'))),
    methods: sharedResponses(endpoints)
      .filter(({ response: { when } }) => when === undefined)
      .map(({ response: { methods, content }, shared }) => ({
        method: quote(methods.length === 0 ? '!^(?:GET|HEAD)$' : `^${anyOf(methods)}$`),
        path: quote(pathsOf(endpoints.filter(({ name }) => shared.includes(name)))),
        status: 'status' in content ? String(content.status) : '',
      })),
    // Content negotiation as in `src/edge-runtime/negotiate.ts`.
    ...negotiationView(rules),
    negotiated: quote(pathsOf(endpoints)),
    // The last match decides, so the order is reversed.
    outcomes: outcomes(rules, { anyFormat: '' })
      .toReversed()
      .map(([pattern, rendering]) => ({ pattern: quote(pattern), rendering })),
    config: quote(`^${escapeRegExp(config.path)}$`),
    identity: identityView(rules),
    renderings: endpoints.flatMap((route) => route.responses.flatMap((response) => renderingView(route, response))),
  };
}

/** Returns the regular expression for the paths of routes. */
export function pathsOf(routes: readonly Pick<Route, 'paths' | 'isFolder'>[]): string {
  const patterns = routes.flatMap(({ paths, isFolder }) =>
    paths.map((path) => escapeRegExp(path) + (isFolder ? '' : '$')),
  );
  return `^${anyOf(patterns)}`;
}

/** Returns the rule that serves a rendering. JSON needs no type: everything below LIST has it by default. */
function renderingView(route: Route, { when = '', content }: RouteResponse): View[] {
  if (!('file' in content)) return [];
  const { file, fallback, type } = content;
  const published = (name: string): string => quote(`\${THEMECAST_ROOT}${name}`);
  return [
    {
      name: when,
      path: quote(pathsOf([route])),
      themes: fallback === undefined ? '' : published(file.replace('*', '%{ENV:themecast_theme}')),
      file: published(fallback ?? file),
      flags: quote(type === 'application/json' ? '[L]' : `[T=${type},L]`),
    },
  ];
}
