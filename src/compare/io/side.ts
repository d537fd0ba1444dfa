import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { LIST } from '../../document/endpoint.ts';
import { MAX_PAGE_BYTES } from '../../http/read-list.ts';
import { type HttpResponse, type Outcome, type Request, requestTo } from '../../http/exchange.ts';
import { guardedLookup } from '../../http/io/addresses.ts';
import { HttpClient } from '../../http/io/client.ts';
import { retryAfter } from '../../http/retry-after.ts';
import { type Reach, requestUrl } from '../../http/io/origin.ts';
import { UsageError } from '../../command-line/command.ts';

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

/** An image as it was sent, or why there is none, in a few words. */
export type FetchedImage = { bytes: Buffer } | { problem: string };

/** How long a server may stay silent, and all requests together may take, in milliseconds. */
const LIMITS = { timeoutMs: 20_000, totalMs: 2 * 3_600_000 };
const MAX_IMAGE_BYTES = 64 * 1024 * 1024;
const MAX_REDIRECTS = 3;
/** Attempts for one request, the first included. */
const ATTEMPTS = 4;
/** Upper bound of the first random wait, in milliseconds. */
const FIRST_WAIT = 500;

/** One of the two services. It is sent GET, HEAD and OPTIONS only, no faster than the rate. */
export class Side {
  readonly name: string;
  readonly url: string;
  readonly shown: string;
  readonly origins: readonly string[];
  readonly #options: SideOptions;
  readonly #reach: Reach;
  readonly #client: HttpClient;
  #nextStart = 0;

  constructor(options: SideOptions) {
    const { name, url, shown = url, origins = [], mediaHosts, allowsPrivate } = options;
    this.name = name;
    this.url = url;
    this.shown = shown;
    this.origins = origins;
    this.#options = options;
    this.#reach = { origin: new URL(url).origin, mediaHosts, allowsPrivate };
    const lookup = guardedLookup(allowsPrivate);
    this.#client = new HttpClient(LIMITS, { userAgent: 'themecast-compare', lookup });
  }

  async close(): Promise<void> {
    this.#client.close();
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
    return this.#send(
      requestTo(this.url, path, { method, headers: sent, limit: MAX_PAGE_BYTES, keep: MAX_PAGE_BYTES, decode: true }),
    );
  }

  /** The bytes of an image that the list names. Redirects are followed to where images may be, as clients do. */
  async image(text: string): Promise<FetchedImage> {
    let target = this.#atUrl(text);
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      const url = requestUrl(target, this.#reach);
      if (typeof url === 'string') return { problem: `not requested: ${url}` };
      const limits = { limit: MAX_IMAGE_BYTES, keep: MAX_IMAGE_BYTES, decode: true };
      const request = { method: 'GET', origin: url.origin, target: url.pathname + url.search, headers: {} } as const;
      const outcome = await this.#send({ ...request, ...limits });
      if ('noResponse' in outcome) return { problem: outcome.noResponse };
      const { status, headers, end, start } = outcome;
      if (status === 200) return end === 'complete' ? { bytes: Buffer.from(start) } : { problem: `body ${end}` };
      const { location = '' } = headers;
      if (status < 300 || status >= 400 || !URL.canParse(location, url.href)) return { problem: `status ${status}` };
      target = new URL(location, url).href;
    }
    return { problem: `more than ${MAX_REDIRECTS} redirects` };
  }

  #atUrl(text: string): string {
    const { baseUrl } = this.#options;
    if (baseUrl !== undefined && text.startsWith(`${baseUrl}/`)) return this.url + text.slice(baseUrl.length);
    const list = this.url + LIST.path;
    return URL.canParse(text, list) ? new URL(text, list).href : text;
  }

  /** Sends a request when it is its turn, and again if the service asks for patience. */
  async #send(request: Request): Promise<Outcome> {
    for (let attempt = 1; ; attempt++) {
      await this.#turn();
      const outcome = await this.#client.send(request);
      const isBusy = 'noResponse' in outcome || outcome.status === 429 || outcome.status === 503;
      if (!isBusy || attempt === ATTEMPTS) return outcome;
      const wait = 'headers' in outcome ? retryAfter(outcome.headers['retry-after']) : undefined;
      if (typeof wait === 'string') throw new UsageError(`${this.name} is busy. ${wait}`);
      await delay(wait ?? Math.random() * FIRST_WAIT * 2 ** attempt);
    }
  }

  async #turn(): Promise<void> {
    const now = performance.now();
    const start = Math.max(now, this.#nextStart);
    this.#nextStart = start + 1000 / this.#options.rate;
    if (start > now) await delay(start - now);
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
