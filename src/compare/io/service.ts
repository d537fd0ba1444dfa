import type { Server } from 'node:http';
import { UsageError } from '../../command-line/command.ts';
import { quote } from '../../diagnostics/quote.ts';
import { LIST } from '../../document/endpoint.ts';
import type { EdgeRules } from '../../hosts/contract.ts';
import type { HttpResponse, Outcome } from '../../http/exchange.ts';
import { reasonOf } from '../../http/io/client.ts';
import { type Fetched, Fetcher, type NotFetched } from '../../http/io/fetcher.ts';
import { isInsideNetwork } from '../../http/io/origin.ts';
import { serve } from '../../compiler/serve.ts';
import { MAX_PAGE_BYTES, notJson, readList, type WholeList } from '../../http/read-list.ts';
import { readRules } from '../../compiler/built.ts';
import { type Headers, type Probe, requestOf } from '../../probe/table.ts';
import { ANY_ORIGIN, completeResponse, plainList, shownStatus } from '../responses.ts';

interface Options {
  /** Requests per second, at most. */
  rate: number;
  /** Further hosts that images may be on. */
  mediaHosts: readonly string[];
}

interface ServiceOptions extends Options {
  /** `OLD` or `NEW`. */
  name: string;
  /** The part before `/api/v2/theme/`, without trailing slash. */
  url: string;
  /** How reports name it. Default: by its URL */
  shown?: string;
  /** The rules of its build, if they are known: images below `base_url` are requested at `url`. */
  rules?: EdgeRules | undefined;
  /** The server that was started for it. */
  server?: Server;
  allowsPrivate: boolean;
  /** Headers without which LIST is not shown; nothing else gets them. */
  listHeaders?: Headers | undefined;
}

/** Requests of one kind under way at the same time. */
export const CONCURRENCY = 4;
const MAX_IMAGE_BYTES = 64 * 1024 * 1024;

/** One of the two services. It is sent GET, HEAD and OPTIONS only, no faster than the rate; credentials go to its own origin alone. */
export class Service {
  readonly options: ServiceOptions;
  readonly #fetcher: Fetcher;

  constructor(options: ServiceOptions) {
    const { url, mediaHosts, allowsPrivate, rate } = options;
    this.options = options;
    const origin = new URL(url).origin;
    this.#fetcher = new Fetcher({ origin, mediaHosts, allowsPrivate, rate, userAgent: 'themecast-compare' });
  }

  async close(): Promise<void> {
    this.#fetcher.close();
    const { server } = this.options;
    server?.closeAllConnections();
    await new Promise<unknown>((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)));
  }

  /** Sends a row of the table. */
  ask(probe: Probe): Promise<Outcome> {
    const { name, url, listHeaders } = this.options;
    const { requester, path } = probe;
    const credentials = name === 'OLD' ? (requester?.old ?? requester?.headers) : requester?.headers;
    const isList = path.split('?')[0] === LIST.path;
    const request = requestOf(probe, url, { ...(isList && listHeaders), ...credentials });
    return this.#fetcher.send({ ...request, limit: MAX_PAGE_BYTES, keep: MAX_PAGE_BYTES, decode: true });
  }

  /** An image that the list names, as a page of any origin requests it. */
  image(text: string): Promise<Fetched | NotFetched> {
    const { url, rules } = this.options;
    const list = url + LIST.path;
    const isOfBuild = rules !== undefined && text.startsWith(`${rules.baseUrl}/`);
    const absolute = URL.canParse(text, list) ? new URL(text, list).href : text;
    const image = isOfBuild ? url + text.slice(rules.baseUrl.length) : absolute;
    return this.#fetcher.get(image, MAX_IMAGE_BYTES, { Origin: ANY_ORIGIN });
  }
}

/** The two services of a comparison. */
export interface Services {
  old: Service;
  new: Service;
}

/** Opens the service that is replaced. @param listHeaders - headers without which it does not show its list */
export async function openOld(url: string, options: Options, listHeaders?: Headers): Promise<Service> {
  const allowsPrivate = await isPrivate('OLD', url);
  if (listHeaders !== undefined && url.startsWith('http:') && !allowsPrivate)
    throw new UsageError('The header for LIST would be sent without encryption. Use an https URL.');
  return new Service({ name: 'OLD', url, allowsPrivate, listHeaders, ...options });
}

/**
 * Opens what replaces it: a service, or a build, which is served on 127.0.0.1, so that it responds as on a host.
 * @param url - undefined for the build
 */
export async function openNew(
  url: string | undefined,
  { out, edge }: { out: string; edge: string },
  options: Options,
): Promise<Service> {
  if (url !== undefined) {
    // A build that is deployed for a rehearsal names its images at its public address.
    const rules = await readRules(edge).catch(() => undefined);
    return new Service({ name: 'NEW', url, rules, allowsPrivate: await isPrivate('NEW', url), ...options });
  }
  const { rules, server, url: own } = await serve({ outDir: out, edgeOutDir: edge, port: 0 });
  const shown = quote(out).slice(1, -1);
  // As fast as it goes: it is this process, which names its images by itself.
  const ofBuild = { name: 'NEW', url: own, shown, rules: { ...rules, baseUrl: own }, server, allowsPrivate: true };
  return new Service({ ...ofBuild, ...options, rate: 10_000 });
}

function isPrivate(name: string, url: string): Promise<boolean> {
  return isInsideNetwork(new URL(url).origin).catch((error: unknown) => {
    throw new UsageError(`${name} cannot be reached at ${url}: ${reasonOf(error)}.`);
  });
}

/** The themes of a service. */
export interface LiveList extends Pick<WholeList, 'records' | 'form'> {
  /** The response to LIST; the first page, if there are several. */
  plain: string | undefined;
}

/** Reads the list of a service, page by page. @throws {UsageError} if it is not reached, or returns no list */
export async function readLiveList(service: Service): Promise<LiveList> {
  const { name, url } = service.options;
  let first: HttpResponse | undefined;
  const list = await readList(url + LIST.path, async (next) => {
    const response = await listPage(service, pathBelow(service, next));
    first ??= response;
    return { body: Buffer.from(response.start), headers: response.headers };
  });
  if ('problem' in list) throw new UsageError(`LIST of ${name} returns no list of themes. ${list.problem}`);
  return { records: list.records, form: list.form, plain: first && plainList(first) };
}

async function listPage(service: Service, path: string): Promise<HttpResponse> {
  const { name } = service.options;
  const row = { what: 'LIST', kind: 'list', method: 'GET', returns: 'json', path } as const;
  const response = completeResponse(await service.ask({ ...row, headers: { Accept: 'application/json' } }));
  if (typeof response === 'string') throw new UsageError(`${name} cannot be reached: ${response}.`);
  const problem = response.status === 200 ? notJson(Buffer.from(response.start)) : `status ${shownStatus(response)}`;
  if (problem === undefined) return response;
  const hint = name === 'OLD' ? ' If it needs a login, pass credentials: `--list-header NAME=VARIABLE`.' : '';
  throw new UsageError(`LIST of ${name} returns no list of themes, but ${problem}.${hint}`);
}

/** The path of a further page: of the same service, whatever host it names itself. */
function pathBelow({ options: { name, url } }: Service, next: string): string {
  const { pathname, search } = URL.canParse(next) ? new URL(next) : { pathname: '', search: '' };
  const path = pathname.slice(new URL(url).pathname.replace(/\/$/, '').length);
  if (!path.startsWith(LIST.path)) throw new UsageError(`The list of ${name} names a next page that is not its own.`);
  return path + search;
}
