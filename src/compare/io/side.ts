import type { Server } from 'node:http';
import { LIST } from '../../document/endpoint.ts';
import { MAX_PAGE_BYTES } from '../../http/read-list.ts';
import { type HttpResponse, type Outcome, requestTo } from '../../http/exchange.ts';
import { type Fetched, Fetcher, type NotFetched } from '../../http/io/fetcher.ts';

export interface SideOptions {
  /** `OLD` or `NEW`. */
  name: string;
  /** The part before `/api/v2/theme/`, without trailing slash. */
  url: string;
  /** How reports name it. Default: by its URL */
  shown?: string;
  /** The origins that its build lists, if that is known. */
  origins?: readonly string[];
  /** The server that was started for it. */
  server?: Server;
  /** The `base_url` of the build that this service serves, if it is known: images below it are requested at `url`. */
  baseUrl?: string | undefined;
  /** Further hosts that images may be on. */
  mediaHosts: readonly string[];
  allowsPrivate: boolean;
  /** Requests per second, at most. */
  rate: number;
  /** Headers without which LIST is not shown; nothing else gets them. */
  listHeaders?: Readonly<Record<string, string>> | undefined;
}

const MAX_IMAGE_BYTES = 64 * 1024 * 1024;

/** One of the two services. It is sent GET, HEAD and OPTIONS only, no faster than the rate. */
export class Side {
  readonly name: string;
  readonly url: string;
  readonly shown: string;
  readonly origins: readonly string[];
  readonly #options: SideOptions;
  readonly #fetcher: Fetcher;

  constructor(options: SideOptions) {
    const { name, url, shown = url, origins = [], mediaHosts, allowsPrivate, rate } = options;
    this.name = name;
    this.url = url;
    this.shown = shown;
    this.origins = origins;
    this.#options = options;
    const origin = new URL(url).origin;
    this.#fetcher = new Fetcher({ origin, mediaHosts, allowsPrivate, rate, userAgent: 'themecast-compare' });
  }

  async close(): Promise<void> {
    this.#fetcher.close();
    const { server } = this.#options;
    server?.closeAllConnections();
    await new Promise<unknown>((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)));
  }

  /** One request to an endpoint, below the base URL. */
  ask(
    method: 'GET' | 'HEAD' | 'OPTIONS',
    path: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Outcome> {
    const { listHeaders } = this.#options;
    const isList = path.split('?')[0] === LIST.path;
    const sent = isList ? { ...headers, ...listHeaders } : headers;
    return this.#fetcher.send(
      requestTo(this.url, path, { method, headers: sent, limit: MAX_PAGE_BYTES, keep: MAX_PAGE_BYTES, decode: true }),
    );
  }

  /** An image that the list names. */
  image(text: string): Promise<Fetched | NotFetched> {
    const { baseUrl } = this.#options;
    const list = this.url + LIST.path;
    const isOfBuild = baseUrl !== undefined && text.startsWith(`${baseUrl}/`);
    const url = isOfBuild
      ? this.url + text.slice(baseUrl.length)
      : URL.canParse(text, list)
        ? new URL(text, list).href
        : text;
    return this.#fetcher.get(url, MAX_IMAGE_BYTES);
  }
}

/** The two services of a comparison. */
export interface Sides {
  old: Side;
  new: Side;
}

/** A response that is complete, or what is wrong, in a few words. */
export function completeResponse(outcome: Outcome): HttpResponse | string {
  if ('noResponse' in outcome) return outcome.noResponse;
  return outcome.end === 'complete' ? outcome : `body ${outcome.end}`;
}
