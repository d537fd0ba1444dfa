import { CONFIG, LIST, optionsDocument } from '../document/endpoint.ts';
import { FILE_ALLOW, REDIRECT_HEADERS } from '../edge-runtime/handler.ts';
import { methodNotAllowed } from '../edge-runtime/responses.ts';
import type { EdgeEndpoint, Rendering } from '../edge-runtime/rules.ts';
import { compact } from '../diagnostics/compact.ts';
import type { EdgeRules } from './contract.ts';
import { mediaPath } from './media.ts';
import { redirectPairs } from './redirects.ts';
import { anyOf } from './regexp.ts';

type Headers = Readonly<Record<string, string>>;

/** Requests for a place, and the response to them. nginx, Apache httpd and Caddy print these rows, each in its own words. */
export interface Row {
  /** A word for the configuration; rows of the same name send the same. */
  name: string;
  /** All methods that no earlier row of the place has, if there are none. */
  methods: readonly string[];
  /** The outcome of content negotiation: a rendering, or `404` or `406`. */
  when?: string | undefined;
  send: Send;
  /** Headers besides those of the place; those of a file only with 200 and 304, otherwise it is `no-store`. */
  headers: Headers;
}

/** The published file of the path; another file; a status with its body; or a redirect, to the path with a slash or to what an old path leads to. */
export type Send = { published: true } | SentFile | SentStatus | { redirect: 'slash' | 'moved' };

export interface SentFile {
  /** Its path, in which `*` stands for the slug of the theme. */
  file: string;
  /** That of the file to send without a theme, if users get different ones: time and size, which may be equal, must not validate these. */
  fallback?: string;
  type: string;
}

export interface SentStatus {
  status: 200 | 403 | 404 | 405 | 406;
  /** In which {@link METHOD} stands for the method. */
  body: string;
}

/** Paths with the same rows. */
export interface Place {
  name: string;
  /** Compared with the path as it was sent; none: old paths of images. */
  paths: readonly string[];
  /** Whether the images below the path are meant. */
  isFolder?: true;
  /** Headers of all its responses, beside those of every path. */
  headers: Headers;
  /** What pages of the allowed origins may do: read, and with credentials. */
  cors?: 'read' | 'credentials';
  rows: readonly Row[];
}

/** Stands for the method in the body of 405. */
export const METHOD = 'METHOD';

const READS = ['GET', 'HEAD'];

const FILE_NOT_ALLOWED: Row = {
  name: 'file_405',
  methods: [],
  send: { status: 405, body: methodNotAllowed(METHOD) },
  headers: { Allow: FILE_ALLOW },
};

/** The contract as data: every place with its rows. All other paths below LIST get 404. */
export function servicePlaces(rules: EdgeRules): Place[] {
  const endpoints = Object.values(rules.endpoints);
  return [
    ...(redirectPairs(rules).length > 0 ? [OLD_PATHS] : []),
    ...endpoints.map((endpoint) => endpointPlace(endpoint, rules)),
    {
      name: 'slash',
      paths: endpoints.map(({ path }) => path.slice(0, -1)),
      headers: {},
      rows: [{ name: 'redirect', methods: [], send: { redirect: 'slash' }, headers: {} }],
    },
    ...(rules.schemas.length > 0 ? [filePlace('schema', rules, rules.schemas)] : []),
    filePlace('record', rules, rules.records),
    { ...filePlace('media', rules, [{ path: mediaPath(rules) }]), isFolder: true },
  ];
}

function endpointPlace(endpoint: EdgeEndpoint, { headers, contentTypes, refusals }: EdgeRules): Place {
  const { kind, path, folder, allow, vary, methods, renderings, cacheControl } = endpoint;
  const row = (
    name: string,
    on: readonly string[],
    status: SentStatus['status'],
    body: string,
    when?: string,
  ): Row => ({
    name,
    methods: on,
    when,
    send: { status, body },
    headers: {},
  });
  const fileRow = ({ name, file }: Rendering): Row => ({
    name: `${kind}_${name}`,
    methods: READS,
    when: name,
    send: {
      ...(kind === 'list' ? { file: folder + file } : { file: `${folder}*.${name}`, fallback: folder + file }),
      type: contentTypes[name],
    },
    headers: { 'Cache-Control': cacheControl, ...(name !== 'json' && headers[name]) },
  });
  const options = JSON.stringify(optionsDocument(kind === 'list' ? LIST : CONFIG, renderings));
  return {
    name: kind,
    paths: [path],
    headers: { ...headers.endpoint, Allow: allow, Vary: vary },
    cors: kind === 'config' ? 'credentials' : 'read',
    rows: compact([
      ...renderings.map(fileRow),
      row('404', READS, 404, refusals.notFound, '404'),
      row('406', READS, 406, refusals.notAcceptable, '406'),
      row(`${kind}_options`, ['OPTIONS'], 200, options),
      methods.includes('POST') && row('403', ['POST'], 403, refusals.post),
      row('405', [], 405, methodNotAllowed(METHOD)),
    ]),
  };
}

/** Published files: schemas, the records of the deployment, and images. */
function filePlace(
  name: 'schema' | 'record' | 'media',
  { headers }: EdgeRules,
  files: readonly { path: string }[],
): Place {
  const row: Row = { name, methods: READS, send: { published: true }, headers: headers[name] };
  return {
    name,
    paths: files.map(({ path }) => path),
    headers: {},
    ...(name !== 'media' && { cors: 'read' }),
    rows: [row, FILE_NOT_ALLOWED],
  };
}

const OLD_PATHS: Place = {
  name: 'moved',
  paths: [],
  headers: {},
  rows: [
    { name: 'redirect', methods: READS, send: { redirect: 'moved' }, headers: REDIRECT_HEADERS },
    FILE_NOT_ALLOWED,
  ],
};

/** The headers of a row without those that hosts set by the type of the response. */
export function withoutPolicy(headers: Headers): [name: string, value: string][] {
  return Object.entries(headers).filter(([name]) => name !== 'Content-Security-Policy');
}

/** Every row with the places that have it; those for all other methods come last. */
export function sharedRows(places: readonly Place[]): { row: Row; shared: string[] }[] {
  const rows = new Map<string, { row: Row; shared: string[] }>();
  for (const place of places)
    for (const row of place.rows) {
      const key = [row.name, ...row.methods].join(' ');
      rows.set(key, { row, shared: [...(rows.get(key)?.shared ?? []), place.name] });
    }
  return [...rows.values()].toSorted((a, b) => Number(a.row.methods.length === 0) - Number(b.row.methods.length === 0));
}

/** Rows that hosts choose by regular expressions for `<place>:<method>:<outcome>`, the first that matches. */
export function rowPatterns(places: readonly Place[]): [pattern: string, row: Row][] {
  return sharedRows(places).map(({ row, shared }) => {
    const when = row.methods.length === 0 ? '' : `${anyOf(row.methods)}:${row.when ?? ''}`;
    return [`^${anyOf(shared)}:${when}`, row];
  });
}

/** One row of each name, with the response to all other paths. */
export function namedRows({ refusals }: EdgeRules, places: readonly Place[]): Row[] {
  const send = { status: 404, body: refusals.notFound } as const;
  const notFound: Row = { name: '404', methods: [], send, headers: {} };
  const rows = [notFound, ...places.flatMap((place) => place.rows)];
  return [...new Map(rows.map((row) => [row.name, row])).values()];
}
