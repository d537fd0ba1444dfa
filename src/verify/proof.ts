import type { Deployment, Kind } from './build.ts';
import { type HttpResponse, type Asking, requestTo } from './exchange.ts';
import { ENDPOINTS } from './methods.ts';

/** What an endpoint returns if this build is behind it, and how that is asked for. */
const DOCUMENTS = [
  { method: 'GET', query: '', accept: 'application/json', file: 'index.json' },
  { method: 'GET', query: '?format=api', accept: 'text/html', file: 'browse.html' },
  { method: 'OPTIONS', query: '', accept: '*/*', file: 'options.json' },
] as const;

/** Where the service is proved to be this build, and the pages by which it is. */
export interface Proof {
  proved: ReadonlySet<Kind>;
  pages: Readonly<Partial<Record<Kind, HttpResponse>>>;
}

/**
 * Which endpoints are proved to be of this build: those alone may be sent methods that a service could act on.
 *
 * The list is no proof: a service that themes were imported from may list the same ones, images included. Nor is any other
 * published file, `manifest.json` or an image: while the endpoints are moved from one service to another, files and endpoints
 * may be served by different ones. So each endpoint itself has to send its JSON, its browsable page, which only themecast
 * writes, and its metadata, byte for byte; the latter by OPTIONS, as proxies that divide reading from writing count it with
 * writing.
 */
export function* proofOf({ url, build }: Deployment, isCurrent: boolean): Asking<Proof> {
  if (!isCurrent) return { proved: new Set(), pages: {} };
  const asked = (['list', 'config'] as const).flatMap((kind) =>
    DOCUMENTS.map(({ method, query, accept, file }) => ({
      kind,
      name: file,
      published: build.files.get(ENDPOINTS[kind].path.slice(1) + file),
      request: requestTo(url, ENDPOINTS[kind].path + query, { method, headers: { Accept: accept } }),
    })),
  );
  const outcomes = yield asked.map(({ request }) => request);
  const responses = outcomes.map((outcome) => ('noResponse' in outcome ? undefined : outcome));
  const isPublished = ({ published }: (typeof asked)[number], response: HttpResponse | undefined): boolean =>
    response?.status === 200 && response.end === 'complete' && response.sha256 === published?.sha256;
  const missing = new Set(asked.flatMap((one, index) => (isPublished(one, responses[index]) ? [] : [one.kind])));
  const pages = asked.flatMap(({ kind, name }, index) => {
    const response = responses[index];
    return name === 'browse.html' && response?.status === 200 ? [[kind, response]] : [];
  });
  return {
    proved: new Set((['list', 'config'] as const).filter((kind) => !missing.has(kind))),
    pages: Object.fromEntries(pages) as Proof['pages'],
  };
}
