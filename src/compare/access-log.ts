import { printable } from '../diagnostics/quote.ts';
import { CONFIG, LIST } from '../document/endpoint.ts';
import { BELOW_LIST, type Probe } from './probes.ts';

/** A request of an access log. */
export interface LoggedRequest {
  /** Its line, from 1. */
  line: number;
  method: Probe['method'];
  /** Below the base URL, with the query. */
  path: string;
  accept: string | undefined;
  /** The user, if the log says so. */
  user: string | undefined;
}

/** How a log is read. */
export interface LogOptions {
  /** Paths of `base_url` in front of the endpoints that requests may have. */
  basePaths: readonly string[];
  /** The field with the key of the user: of JSON, or `user` of the combined format. */
  userField: string | undefined;
}

/** The commands that send requests of their own, as the end of a combined line or a field has it. */
const OWN_AGENT = /^themecast-(?:verify|compare|import)\b/;
/** `127.0.0.1 - alice [10/Oct/2026:13:55:36 +0000] "GET /api/v2/theme/ HTTP/1.1" 200 2326 …` */
const COMBINED = /^\S+ \S+ (.+?) \[[^\][]*\] "([A-Z]+) (\S+)(?: HTTP\/[\d.]+)?" /;

/**
 * Reads a line of an access log, in the combined format or as JSON.
 * @returns nothing for a request that is not of this service, or has another method than GET, HEAD and OPTIONS
 */
export function readLogLine(text: string, line: number, options: LogOptions): LoggedRequest | undefined {
  const found = text.startsWith('{') ? jsonLine(text, options) : combinedLine(text, options);
  if (found === undefined || OWN_AGENT.test(found.agent ?? '') || !/^(?:GET|HEAD|OPTIONS)$/.test(found.method))
    return undefined;
  const path = pathOf(found.target, options.basePaths);
  if (path === undefined) return undefined;
  const { accept, user } = found;
  return { line, method: found.method as Probe['method'], path, accept, user };
}

interface Line {
  method: string;
  target: string;
  accept: string | undefined;
  user: string | undefined;
  agent: string | undefined;
}

function combinedLine(text: string, { userField }: LogOptions): Line | undefined {
  const [, user, method = '', target = ''] = COMBINED.exec(text) ?? [];
  if (method === '') return undefined;
  const [, agent] = / "[^"]*" "([^"]*)"/.exec(text.slice(text.indexOf(target) + target.length)) ?? [];
  return { method, target, agent, accept: undefined, user: userField === undefined || user === '-' ? undefined : user };
}

/** Of the names that nginx, Apache, Caddy and Envoy are usually set to write. */
const NAMES = {
  method: ['method', 'request_method', 'requestMethod'],
  target: ['request_uri', 'uri', 'path', 'url', 'requestUrl'],
  accept: ['accept', 'http_accept'],
  agent: ['http_user_agent', 'user_agent', 'userAgent', 'agent'],
} as const;

function jsonLine(text: string, { userField }: LogOptions): Line | undefined {
  const entry = objectOf(text);
  if (entry === undefined) return undefined;
  // Caddy has the request in an object.
  const inner = typeof entry['request'] === 'object' && entry['request'] !== null ? entry['request'] : {};
  const fields: Readonly<Record<string, unknown>> = { ...entry, ...inner };
  const first = (names: readonly string[]): string | undefined =>
    names.map((name) => fields[name]).find((value) => typeof value === 'string');
  const [, method = '', target = ''] = /^([A-Z]+) (\S+)/.exec(first(['request']) ?? '') ?? [];
  return {
    method: first(NAMES.method) ?? method,
    target: first(NAMES.target) ?? target,
    accept: first(NAMES.accept),
    agent: first(NAMES.agent),
    user: userField === undefined ? undefined : first([userField]),
  };
}

function objectOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

/** The path below the base URL, if it is one of the service; visible ASCII alone, as a request line has it. */
function pathOf(target: string, basePaths: readonly string[]): string | undefined {
  const path = target.replace(/^https?:\/\/[^/]+/i, '');
  if (!/^\/[\x21-\x7e]{0,2000}$/.test(path)) return undefined;
  const below = basePaths.flatMap((base) => (path.startsWith(`${base}/`) ? [path.slice(base.length)] : []));
  return below.find(
    (rest) =>
      rest.startsWith(LIST.path) || rest === LIST.path.slice(0, -1) || rest.startsWith(`${LIST.path.slice(0, -1)}?`),
  );
}

/** The kind of a request, named as the probes are: `LIST GET`, `CONFIG ?format=api`, `path below LIST`. Neither its path nor its query is printed. */
export function kindName({ method, path }: Pick<LoggedRequest, 'method' | 'path'>): string {
  const [bare = '', query] = path.split('?', 2);
  const endpoint = [CONFIG.path, LIST.path].find((known) => bare === known || bare === known.slice(0, -1));
  if (endpoint === undefined) return method === 'GET' ? BELOW_LIST : `${BELOW_LIST} ${method}`;
  const name = endpoint === CONFIG.path ? 'CONFIG' : 'LIST';
  if (method !== 'GET') return `${name} ${method}`;
  if (bare !== endpoint) return `${name} without slash`;
  const format = new URLSearchParams(query ?? '').get('format');
  return format === null ? `${name} GET` : `${name} ?format=${printable(format.slice(0, 20))}`;
}

/** A sample of different requests, spread evenly over the log. The same at every call. */
export function sampleOf(requests: readonly LoggedRequest[], size: number): LoggedRequest[] {
  const different = new Map<string, LoggedRequest>();
  for (const request of requests) {
    const key = JSON.stringify([request.method, request.path, request.accept, request.user]);
    if (!different.has(key)) different.set(key, request);
  }
  const all = [...different.values()];
  if (all.length <= size) return all;
  return Array.from({ length: size }, (_, at) => all[Math.floor((at * all.length) / size)] as LoggedRequest);
}
