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
}

/** The commands that send requests of their own, as the end of a line has it. */
const OWN_AGENT = /"themecast-(?:verify|compare|import)\b[^"]*"/;
/** `127.0.0.1 - alice [10/Oct/2026:13:55:36 +0000] "GET /api/v2/theme/ HTTP/1.1" 200 2326 …` */
const COMBINED = /^\S+ \S+ .+? \[[^\][]*\] "(GET|HEAD|OPTIONS) (\S+)(?: HTTP\/[\d.]+)?" /;

/**
 * Reads a line of an access log in the combined format.
 * @param basePaths - paths of `base_url` in front of the endpoints that requests may have
 * @returns nothing for a request that is not of this service, or has another method than GET, HEAD and OPTIONS
 */
export function readLogLine(text: string, line: number, basePaths: readonly string[]): LoggedRequest | undefined {
  const [, method, target = ''] = COMBINED.exec(text) ?? [];
  const path = method === undefined || OWN_AGENT.test(text) ? undefined : pathOf(target, basePaths);
  return path === undefined ? undefined : { line, method: method as Probe['method'], path };
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
