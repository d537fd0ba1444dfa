import { CONFIG, LIST } from '../../../core/document/endpoint.ts';
import type { Rendering } from '../../../core/edge-runtime/rules.ts';
import type { Route } from '../expected.ts';
import { endpointProbes, linkOf, pathProbes, type Probe } from '../table.ts';
import type { AnyRecord } from './records.ts';
import { type OldRequester, wrongRequesters } from './requesters.ts';
import { ANY_ORIGIN, type OldRow } from './responses.ts';

type OldRoute = Pick<Route, 'kind' | 'title' | 'path'> & { renderings: readonly Rendering[] };

/** What the rows combine. */
export interface OldTable {
  requesters: readonly OldRequester[];
  /** Origins whose pages read the documents. */
  origins: readonly string[];
  /** Hostnames that both services get. */
  hostnames?: readonly string[] | undefined;
  /** The endpoints of the build; undefined if NEW is no build. */
  routes?: readonly OldRoute[] | undefined;
  corsHeaders?: readonly string[] | undefined;
}

/** Limits the requesters of every rendering; the others request only the JSON. */
const MAX_COMPLETE_REQUESTERS = 3;

const STANDARD: readonly Rendering[] = [
  { name: 'json', format: 'json', mediaType: 'application/json', file: '' },
  { name: 'html', format: 'api', mediaType: 'text/html', file: '' },
];
/** The endpoints of the interface. */
export const ROUTES: readonly OldRoute[] = [
  { kind: 'list', title: 'LIST', path: LIST.path, renderings: STANDARD },
  { kind: 'config', title: 'CONFIG', path: CONFIG.path, renderings: STANDARD },
];

/** Returns every row that does not depend on an earlier response. @param records - the list of the old service */
export function oldRows(table: OldTable, records: readonly unknown[]): OldRow[] {
  const { routes = ROUTES } = table;
  const theme = records.find((record): record is AnyRecord => typeof record === 'object' && record !== null);
  const name = theme?.['name'];
  const paths: readonly Probe[] = pathProbes(theme, typeof name === 'string' ? name : undefined);
  const all = [...new Map(routes.flatMap(({ renderings }) => renderings.map((each) => [each.name, each]))).values()];
  return [
    ...requesterRows(
      table,
      routes,
      paths.find(({ what }) => what === 'detail path'),
    ),
    ...routes.flatMap((route) =>
      endpointProbes(route, all).map((row) => ({ ...row, isDocument: row.what.endsWith(' GET') })),
    ),
    ...routes.flatMap((route) => headRows(route)),
    ...paths,
    ...routes.flatMap((route) => originRows(route, table)),
  ];
}

function renderingRow({ kind, title, path }: OldRoute, rendering: Rendering): OldRow {
  const { name, mediaType } = rendering;
  const { query, accept } = linkOf(rendering);
  const isJson = name === 'json';
  const row = { kind, method: 'GET', path: path + query, headers: { Accept: accept }, isDocument: isJson } as const;
  const isExtra = !STANDARD.some((each) => each.name === name);
  return { ...row, what: isJson ? title : `${title} ${name}`, ...(isExtra && { extra: mediaType }) };
}

/** Requests both endpoints as users, with wrong credentials, and at hostnames; and one theme as the first user. */
function requesterRows(
  { requesters, hostnames = [] }: OldTable,
  routes: readonly OldRoute[],
  detail: Probe | undefined,
): OldRow[] {
  const json = routes.map((route) => renderingRow(route, route.renderings[0] as Rendering));
  const [first] = requesters;
  return [
    ...requesters.flatMap((requester, at) =>
      routes.flatMap((route) =>
        route.renderings
          .filter(({ name }) => name === 'json' || (route.kind === 'config' && at < MAX_COMPLETE_REQUESTERS))
          .map((each) => ({ ...renderingRow(route, each), requester })),
      ),
    ),
    ...(first === undefined || detail === undefined ? [] : [{ ...detail, requester: first }]),
    ...wrongRequesters(requesters).flatMap((requester) => json.map((row) => ({ ...row, requester }))),
    ...hostnames.flatMap((hostname) => json.map((row) => ({ ...row, what: `${row.what} at ${hostname}`, hostname }))),
  ];
}

function headRows(route: OldRoute): OldRow[] {
  return route.renderings
    .filter(({ name }) => name !== 'html')
    .map((each) => {
      const what = `${route.title} HEAD${each.name === 'json' ? '' : ` ${each.name}`}`;
      return { ...renderingRow(route, each), what, method: 'HEAD', isDocument: false };
    });
}

/** Sends the requests of browsers for pages of other origins: GET and preflights. */
function originRows({ kind, title, path }: OldRoute, { origins, corsHeaders = [] }: OldTable): OldRow[] {
  const asked = new Set(['authorization', ...corsHeaders.map((header) => header.toLowerCase())]);
  const preflight = {
    'Access-Control-Request-Method': 'GET',
    'Access-Control-Request-Headers': [...asked].join(', '),
  };
  const pages = [['any origin', ANY_ORIGIN] as const, ...origins.map((origin) => [origin, origin] as const)];
  return pages.flatMap(([name, Origin]): OldRow[] => [
    { kind, path, what: `${title} from ${name}`, method: 'GET', headers: { Accept: 'application/json', Origin } },
    { kind, path, what: `${title} preflight from ${name}`, method: 'OPTIONS', headers: { Origin, ...preflight } },
  ]);
}
