import { ENDPOINTS, optionsDocument } from '../../core/document/endpoint.ts';
import { FILE_ALLOW, REDIRECT_HEADERS } from '../../core/edge-runtime/handler.ts';
import { methodNotAllowed } from '../../core/edge-runtime/responses.ts';
import type { EdgeEndpoint, Rendering } from '../../core/edge-runtime/rules.ts';
import { THEME_ID } from '../../core/edge-runtime/theme-id.ts';
import { compact } from '../../core/diagnostics/compact.ts';
import type { EdgeRules } from './contract.ts';
import { mediaFilePattern, mediaPath } from './media.ts';
import { redirectPairs } from './redirects.ts';
import { anyOf } from '../adapter/regexp.ts';

type Headers = Readonly<Record<string, string>>;

/** A response of a route to some methods and renderings. nginx, Apache httpd and Caddy each write these in their configuration. */
export interface RouteResponse {
  /** A word for the configuration; responses of the same name have the same content. */
  name: string;
  /** The methods; an empty list means all methods that no earlier response of the route has. */
  methods: readonly string[];
  /** The outcome of content negotiation: a rendering, or `404` or `406`. */
  when?: string | undefined;
  content: ResponseContent;
  /** Headers besides the route's. For a file they apply to 200 and 304 only; every other status is `no-store`. */
  headers: Headers;
}

/** The published file of the path, another file, a status with a body, or a redirect: to the path with a slash, or to the target of an old path. */
export type ResponseContent = { published: true } | FileContent | StatusContent | { redirect: 'slash' | 'moved' };

export interface FileContent {
  /**
   * The path of the file, in which `*` is a placeholder for the slug of the theme; or its name in the folder of the requested path, if that
   * contains an id.
   */
  file: string;
  /**
   * The path of the file for users without a theme. Set if users get different files: time and size may be equal, so they must not
   * validate such a response.
   */
  fallback?: string;
  type: string;
}

export interface StatusContent {
  status: 200 | 403 | 404 | 405 | 406;
  /** The body, in which {@link METHOD} is a placeholder for the method. */
  body: string;
}

/** Paths with the same responses. */
export interface Route {
  name: string;
  /** Compared with the undecoded path; empty for the old paths of images. */
  paths: readonly string[];
  /** Whether the route is for the images below the path. */
  isFolder?: true;
  /** Matches what follows the path: the id of a theme, with or without slash. */
  pattern?: string;
  /** Headers of all responses of the route, besides the headers of every path. */
  headers: Headers;
  /** How pages of the allowed origins may read the responses: without or with credentials. */
  cors?: 'read' | 'credentials';
  responses: readonly RouteResponse[];
}

/** The placeholder for the method in the body of 405. */
export const METHOD = 'METHOD';

const READS = ['GET', 'HEAD'];

const FILE_NOT_ALLOWED: RouteResponse = {
  name: 'file_405',
  methods: [],
  content: { status: 405, body: methodNotAllowed(METHOD) },
  headers: { Allow: FILE_ALLOW },
};

/** Returns the contract as data: every route with its responses. All other paths below LIST get 404. */
export function serviceRoutes(rules: EdgeRules): Route[] {
  const endpoints = Object.values(rules.endpoints);
  return [
    ...(redirectPairs(rules).length > 0 ? [OLD_PATHS] : []),
    ...endpoints.map((endpoint) => endpointRoute(endpoint, rules)),
    {
      name: 'slash',
      paths: endpoints.filter(({ kind }) => kind !== 'theme').map(({ path }) => path.slice(0, -1)),
      headers: {},
      responses: [TO_SLASH],
    },
    { name: 'slash_theme', paths: [rules.endpoints.list.path], pattern: THEME_ID, headers: {}, responses: [TO_SLASH] },
    ...(rules.schemas.length > 0 ? [fileRoute('schema', rules, rules.schemas)] : []),
    fileRoute('record', rules, rules.records),
    { ...fileRoute('media', rules, [{ path: mediaPath(rules) }]), isFolder: true },
  ];
}

const TO_SLASH: RouteResponse = { name: 'redirect', methods: [], content: { redirect: 'slash' }, headers: {} };

function endpointRoute(endpoint: EdgeEndpoint, { headers, contentTypes, refusals }: EdgeRules): Route {
  const { kind, path, folder, allow, vary, methods, renderings, cacheControl } = endpoint;
  const isTheme = kind === 'theme';
  const response = (
    name: string,
    on: readonly string[],
    status: StatusContent['status'],
    body: string,
    when?: string,
  ): RouteResponse => ({
    name,
    methods: on,
    when,
    content: { status, body },
    headers: {},
  });
  const fileResponse = ({ name, file }: Rendering): RouteResponse => ({
    name: `${kind}_${name}`,
    methods: READS,
    when: name,
    content: {
      ...(kind === 'config'
        ? { file: `${folder}*.${name}`, fallback: folder + file }
        : { file: isTheme ? file : folder + file }),
      type: contentTypes[name],
    },
    headers: { 'Cache-Control': cacheControl, ...(name !== 'json' && !isTheme && headers[name]) },
  });
  const options = JSON.stringify(optionsDocument(ENDPOINTS[kind], renderings));
  return {
    name: kind,
    ...(isTheme ? { paths: [path.slice(0, -2)], pattern: `${THEME_ID}/` } : { paths: [path] }),
    headers: { ...headers.endpoint, Allow: allow, Vary: vary },
    cors: kind === 'config' ? 'credentials' : 'read',
    responses: compact([
      ...renderings.map(fileResponse),
      response('404', READS, 404, refusals.notFound, '404'),
      response('406', READS, 406, refusals.notAcceptable, '406'),
      response(`${kind}_options`, ['OPTIONS'], 200, options),
      methods.includes('POST') && response('403', ['POST'], 403, refusals.post),
      response('405', [], 405, methodNotAllowed(METHOD)),
    ]),
  };
}

/** Returns the route of published files: schemas, the records of the deployment, or images. */
function fileRoute(
  name: 'schema' | 'record' | 'media',
  { headers }: EdgeRules,
  files: readonly { path: string }[],
): Route {
  const response: RouteResponse = { name, methods: READS, content: { published: true }, headers: headers[name] };
  return {
    name,
    paths: files.map(({ path }) => path),
    headers: {},
    ...(name !== 'media' && { cors: 'read' }),
    responses: [response, FILE_NOT_ALLOWED],
  };
}

const OLD_PATHS: Route = {
  name: 'moved',
  paths: [],
  headers: {},
  responses: [
    { name: 'redirect', methods: READS, content: { redirect: 'moved' }, headers: REDIRECT_HEADERS },
    FILE_NOT_ALLOWED,
  ],
};

/** Returns the regular expression for what follows the paths of a route. */
export function patternOf({ isFolder, pattern = '' }: Pick<Route, 'isFolder' | 'pattern'>): string {
  return isFolder ? mediaFilePattern() : pattern;
}

/** The media types that web servers compress. */
export const COMPRESSED_TYPES = [
  'application/json',
  'text/html',
  'text/css',
  'application/manifest+json',
  'image/svg+xml',
];

/** Returns `Vary` of a document that web servers compress; undefined for icons and images. */
export function codedVary(
  { headers, isFolder }: Route,
  { content, headers: added }: RouteResponse,
): string | undefined {
  const isDocument = 'published' in content ? !isFolder : 'file' in content && content.type !== 'image/png';
  return isDocument ? compact([headers['Vary'], added['Vary'], 'Accept-Encoding']).join(', ') : undefined;
}

/** Returns headers without Content-Security-Policy, which hosts set by the type of the response. */
export function withoutPolicy(headers: Headers): [name: string, value: string][] {
  return Object.entries(headers).filter(([name]) => name !== 'Content-Security-Policy');
}

/** Returns every response with the names of its routes; responses for all other methods come last. */
export function sharedResponses(routes: readonly Route[]): { response: RouteResponse; shared: string[] }[] {
  const responses = new Map<string, { response: RouteResponse; shared: string[] }>();
  for (const route of routes)
    for (const response of route.responses) {
      const key = [response.name, ...response.methods].join(' ');
      responses.set(key, { response, shared: [...(responses.get(key)?.shared ?? []), route.name] });
    }
  return [...responses.values()].toSorted(
    (a, b) => Number(a.response.methods.length === 0) - Number(b.response.methods.length === 0),
  );
}

/** Returns regular expressions for `<route>:<method>:<outcome>` with their responses; the first match decides. */
export function responsePatterns(routes: readonly Route[]): [pattern: string, response: RouteResponse][] {
  return sharedResponses(routes).map(({ response, shared }) => {
    const when = response.methods.length === 0 ? '' : `${anyOf(response.methods)}:${response.when ?? ''}`;
    return [`^${anyOf(shared)}:${when}`, response];
  });
}

/** Returns one response per name, first the response to all other paths. */
export function namedResponses({ refusals }: EdgeRules, routes: readonly Route[]): RouteResponse[] {
  const content = { status: 404, body: refusals.notFound } as const;
  const notFound: RouteResponse = { name: '404', methods: [], content, headers: {} };
  const responses = [notFound, ...routes.flatMap((route) => route.responses)];
  return [...new Map(responses.map((response) => [response.name, response])).values()];
}
