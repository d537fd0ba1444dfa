import type { Server } from 'node:http';
import { UsageError } from '../../../system/command-line/command.ts';
import { quote } from '../../../core/diagnostics/quote.ts';
import { LIST } from '../../../core/document/endpoint.ts';
import type { EdgeRules } from '../../../hosts/contract.ts';
import type { HttpResponse, Outcome } from '../../../system/http/exchange.ts';
import { type Fetched, Fetcher, type NotFetched } from '../../../system/http/io/fetcher.ts';
import { serve } from '../../../compiler/serve/serve.ts';
import { MAX_PAGE_BYTES, notJson, readList, type WholeList } from '../../../system/http/read-list.ts';
import { readRules } from '../../../compiler/serve/read-build.ts';
import { type Headers, isConfidential } from '../build.ts';
import { ANY_ORIGIN, completeResponse, formatStatus, type OldRow, plainList } from '../old/responses.ts';
import { requestOf } from '../table.ts';

interface Options {
  /** Requests per second, at most. */
  rate: number;
  /** Further hosts that images may be on. */
  mediaHosts: readonly string[];
  /** Headers of every request to its origin, such as the password of a staging host. */
  everyRequest?: Headers | undefined;
}

interface ServiceOptions extends Options {
  /** `OLD` or `NEW`. */
  name: string;
  /** The part before `/api/v2/theme/`, without trailing slash. */
  url: string;
  /** Its name in reports. Default: its URL */
  label?: string;
  /** The rules of its build, if any: images below `base_url` are requested at `url`. */
  rules?: EdgeRules | undefined;
  /** The server to close after the comparison. */
  server?: Server;
}

export const CONCURRENCY = 4;
const MAX_IMAGE_BYTES = 64 * 1024 * 1024;

/** Sends GET, HEAD and OPTIONS to one of the two services, within the rate. Credentials are sent only to its origin. */
export class Service {
  readonly options: ServiceOptions;
  readonly #fetcher: Fetcher;

  constructor(options: ServiceOptions) {
    const { url, mediaHosts, rate, everyRequest } = options;
    this.options = options;
    const { origin } = new URL(url);
    this.#fetcher = new Fetcher({ origin, mediaHosts, rate, everyRequest, userAgent: 'themecast-verify' });
  }

  async close(): Promise<void> {
    this.#fetcher.close();
    const { server } = this.options;
    server?.closeAllConnections();
    await new Promise<unknown>((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)));
  }

  async ask(row: OldRow): Promise<Outcome> {
    const { name, url } = this.options;
    const { requester, hostname } = row;
    const credentials = name === 'OLD' ? requester?.old : requester?.headers;
    const host = hostname === undefined ? {} : { Host: hostname };
    const request = requestOf(row, url, { ...credentials, ...host });
    const outcome = await this.#fetcher.send({ ...request, limit: MAX_PAGE_BYTES, keep: MAX_PAGE_BYTES, decode: true });
    // Services write the hostname of the request into their URLs.
    if (hostname === undefined || 'noResponse' in outcome) return outcome;
    const text = Buffer.from(outcome.start).toString('utf8');
    return { ...outcome, start: Buffer.from(text.replaceAll(`//${hostname}`, `//${new URL(url).host}`)) };
  }

  /** Fetches an image of the list, as a page of another origin does. */
  image(text: string): Promise<Fetched | NotFetched> {
    const { url, rules } = this.options;
    const list = url + LIST.path;
    const isOfBuild = rules !== undefined && text.startsWith(`${rules.baseUrl}/`);
    const absolute = URL.canParse(text, list) ? new URL(text, list).href : text;
    const image = isOfBuild ? url + text.slice(rules.baseUrl.length) : absolute;
    return this.#fetcher.get(image, MAX_IMAGE_BYTES, { Origin: ANY_ORIGIN });
  }
}

export interface Services {
  old: Service;
  new: Service;
}

/** Opens a service. @throws {UsageError} if its headers would be sent without encryption */
function open(name: 'OLD' | 'NEW', url: string, options: Options, rules?: EdgeRules): Service {
  if (options.everyRequest !== undefined && !isConfidential(url))
    throw new UsageError(`The headers of every request to ${name} would be sent without encryption. Use an https URL.`);
  return new Service({ name, url, rules, ...options });
}

export function openOld(url: string, options: Options): Service {
  return open('OLD', url, options);
}

/**
 * Opens the new service, or serves a build on 127.0.0.1, so that it responds as on a host.
 * @param url - undefined for the build
 */
export async function openNew(
  url: string | undefined,
  { out, edge }: { out: string; edge: string },
  options: Options,
): Promise<Service> {
  // On a staging host, images have URLs at the public address: the rules map them back.
  if (url !== undefined) return open('NEW', url, options, await readRules(edge).catch(() => undefined));
  const { rules, server, url: localUrl } = await serve({ outDir: out, edgeOutDir: edge, port: 0 });
  const label = quote(out).slice(1, -1);
  // This process serves the build, so the rate need not be limited.
  const local = { url: localUrl, label, rules: { ...rules, baseUrl: localUrl }, server };
  return new Service({ ...local, ...options, name: 'NEW', rate: 10_000 });
}

export interface LiveList extends Pick<WholeList, 'records' | 'form'> {
  /** The response to LIST; the first page, if there are several. */
  plain: string | undefined;
}

/** Reads the list of a service, page by page. @throws {UsageError} if it does not respond, or returns no list */
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
  const row: OldRow = { what: 'LIST', kind: 'list', method: 'GET', path, headers: { Accept: 'application/json' } };
  const response = completeResponse(await service.ask(row));
  if (typeof response === 'string') throw new UsageError(`${name} cannot be reached: ${response}.`);
  const problem = response.status === 200 ? notJson(Buffer.from(response.start)) : `status ${formatStatus(response)}`;
  if (problem === undefined) return response;
  const flag = name === 'OLD' ? '--old-header' : '--every-request';
  throw new UsageError(
    `LIST of ${name} returns no list of themes, but ${problem}. If it needs a login, pass credentials: \`${flag} NAME=VARIABLE\`.`,
  );
}

/** Returns the path of a further page. Its host is ignored: behind a proxy, a service may not know its public name. */
function pathBelow({ options: { name, url } }: Service, next: string): string {
  const { pathname, search } = URL.canParse(next) ? new URL(next) : { pathname: '', search: '' };
  const path = pathname.slice(new URL(url).pathname.replace(/\/$/, '').length);
  if (!path.startsWith(LIST.path)) throw new UsageError(`The list of ${name} has a next page outside of LIST.`);
  return path + search;
}
