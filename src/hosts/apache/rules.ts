import type { EdgeRules } from '../contract/contract.ts';
import { negotiationView, outcomes } from '../contract/negotiation.ts';
import { anyOf, escapeRegExp } from '../adapter/regexp.ts';
import { patternOf, type Route, type RouteResponse, sharedResponses } from '../contract/routes.ts';
import type { View } from '../adapter/template.ts';
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
  const below = (all: readonly Route[], folder: string): string[] =>
    all.flatMap((route) =>
      route.paths
        .filter((path) => path.startsWith(folder))
        .map((path) => escapeRegExp(path.slice(folder.length)) + patternOf(route)),
    );
  return {
    redirect_path: quote(`${list.path}redirect`),
    redirect_section: quote(`^${escapeRegExp(list.path)}redirect$`),
    endpoints: endpoints.map((route) => ({ path: quote(pathsOf([route])), name: route.name })),
    statuses: ERROR_STATUSES.join('|'),
    folders: quote(pathsOf([{ paths: [list.path], isFolder: true }, ...folders])),
    unknown: quote(`^${escapeRegExp(list.path)}(?!${anyOf(below(routes, list.path))}$)`),
    files: quote(pathsOf(files)),
    published: quote(`^${escapeRegExp(basePath)}(${anyOf(below(files, basePath))})$`),
    media_folder: quote(pathsOf(folders)),
    slashes: quote(pathsOf(routes.filter(({ name }) => name.startsWith('slash')))),
    methods: sharedResponses(endpoints)
      .filter(({ response: { when } }) => when === undefined)
      .map(({ response: { methods, content }, shared }) => ({
        method: quote(methods.length === 0 ? '!^(?:GET|HEAD)$' : `^${anyOf(methods)}$`),
        path: quote(pathsOf(endpoints.filter(({ name }) => shared.includes(name)))),
        status: 'status' in content ? String(content.status) : '',
      })),
    // Content negotiation as in `src/core/edge-runtime/negotiate.ts`.
    ...negotiationView(rules),
    negotiated: quote(pathsOf(endpoints)),
    // The last match decides, so the order is reversed.
    outcomes: outcomes(rules, { anyFormat: '' })
      .toReversed()
      .map(([pattern, rendering]) => ({ pattern: quote(pattern), rendering })),
    config: quote(`^${escapeRegExp(config.path)}$`),
    identity: identityView(rules),
    renderings: endpoints.flatMap((route) =>
      route.responses.flatMap((response) => renderingView(route, response, basePath)),
    ),
  };
}

/** Returns the regular expression for the paths of routes. */
export function pathsOf(routes: readonly Pick<Route, 'paths' | 'isFolder' | 'pattern'>[]): string {
  const patterns = routes.flatMap(({ paths, isFolder, pattern = '' }) =>
    paths.map((path) => escapeRegExp(path) + (isFolder ? '' : `${pattern}$`)),
  );
  return `^${anyOf(patterns)}`;
}

/** Returns the rule that serves a rendering. JSON needs no type: everything below LIST has it by default. */
function renderingView(route: Route, { when = '', content }: RouteResponse, basePath: string): View[] {
  if (!('file' in content)) return [];
  const { file, fallback, type } = content;
  const published = (name: string): string => quote(`\${THEMECAST_ROOT}${name}`);
  const {
    paths: [path = ''],
    pattern,
  } = route;
  const ofTheme = pattern && `^${escapeRegExp(basePath)}(${escapeRegExp(path.slice(basePath.length))}${pattern})$`;
  return [
    {
      name: when,
      path: quote(ofTheme ?? pathsOf([route])),
      themes: fallback === undefined ? '' : published(file.replace('*', '%{ENV:themecast_theme}')),
      file: published(ofTheme ? `$1${file}` : (fallback ?? file)),
      flags: quote(type === 'application/json' ? '[L]' : `[T=${type},L]`),
    },
  ];
}
