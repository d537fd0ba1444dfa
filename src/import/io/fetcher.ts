import { setTimeout as delay } from 'node:timers/promises';
import { shownUrl } from '../../diagnostics/quote.ts';
import { guardedLookup } from '../../http/io/addresses.ts';
import { HttpClient } from '../../http/io/client.ts';
import { retryAfter } from '../../http/retry-after.ts';
import type { HttpResponse } from '../../http/exchange.ts';
import { UsageError } from '../../command-line/command.ts';
import { type Reach, requestUrl } from '../../http/io/origin.ts';

export interface FetchOptions extends Reach {
  /** Requests per second, at most. */
  rate: number;
  /** Sent to the origin of the list alone. */
  credentials: Readonly<Record<string, string>>;
}

/** A response that came completely. */
export interface Fetched {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  /** Where it came from, if redirects led there. */
  redirectedTo?: string;
}

/** Why there is none, as a sentence. */
export interface NotFetched {
  problem: string;
  redirectedTo?: string;
}

/** Attempts for one URL, the first included. */
const ATTEMPTS = 5;
const MAX_REDIRECTS = 3;
/** Upper bound of the first random wait; each further one is twice as long (exponential backoff with full jitter). */
const FIRST_WAIT = 500;
/** How long a server may stay silent, and all requests together may take, in milliseconds. */
const LIMITS = { timeoutMs: 30_000, totalMs: 6 * 3_600_000 };
const RETRIED = new Set([429, 500, 502, 503, 504]);

/** Requests GET from a service, politely and only where it may. */
export class Fetcher {
  readonly #options: FetchOptions;
  readonly #client: HttpClient;
  #nextStart = 0;

  constructor(options: FetchOptions) {
    this.#options = options;
    const lookup = guardedLookup(options.allowsPrivate);
    this.#client = new HttpClient(LIMITS, { userAgent: 'themecast-import', lookup });
  }

  /**
   * Gets a URL, follows its redirects where it may, and tries again where that may help.
   * @param limit - greatest size of the body, in bytes, decoded
   */
  async get(
    text: string,
    limit: number,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Fetched | NotFetched> {
    let target = text;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const from = redirects === 0 ? {} : { redirectedTo: shownUrl(target) };
      const url = requestUrl(target, this.#options);
      if (typeof url === 'string')
        return { problem: redirects === 0 ? url : `It redirects to ${shownUrl(target)}: ${lowerFirst(url)}`, ...from };
      const response = await this.#getOnce(url, limit, headers);
      if ('problem' in response || !isRedirect(response)) return { ...response, ...from };
      const { location = '' } = response.headers;
      if (!URL.canParse(location, url.href)) return { problem: 'It redirects to no URL.' };
      target = new URL(location, url).href;
    }
    return { problem: `It redirects more than ${MAX_REDIRECTS} times.` };
  }

  close(): void {
    this.#client.close();
  }

  /** One URL, up to {@link ATTEMPTS} times. */
  async #getOnce(url: URL, limit: number, headers: Readonly<Record<string, string>>): Promise<Fetched | NotFetched> {
    const { origin, credentials } = this.#options;
    const request = {
      method: 'GET',
      origin: url.origin,
      target: url.pathname + url.search,
      headers: { 'Accept-Encoding': 'gzip', ...headers, ...(url.origin === origin ? credentials : {}) },
      limit,
      keep: limit,
      decode: true,
    } as const;
    for (let attempt = 1; ; attempt++) {
      await this.#turn();
      const response = await this.#client.send(request);
      const problem = 'noResponse' in response ? `No response: ${response.noResponse}.` : bodyProblem(response, limit);
      const status = 'noResponse' in response ? 0 : response.status;
      if (problem === undefined && !RETRIED.has(status) && 'start' in response)
        return { status, headers: response.headers, body: Buffer.from(response.start) };
      const mayHelp = 'noResponse' in response || RETRIED.has(status) || response.end === 'cut off';
      if (!mayHelp || attempt === ATTEMPTS)
        return { problem: problem ?? `The response is ${status}, after ${attempt} requests.` };
      const wait = 'headers' in response ? retryAfter(response.headers['retry-after']) : undefined;
      if (typeof wait === 'string') throw new UsageError(`${shownUrl(url.href)} returns ${status}. ${wait}`);
      await delay(wait ?? Math.random() * FIRST_WAIT * 2 ** (attempt - 1));
    }
  }

  /** Waits until the rate allows one more request. */
  async #turn(): Promise<void> {
    const now = performance.now();
    const start = Math.max(now, this.#nextStart);
    this.#nextStart = start + 1000 / this.#options.rate;
    if (start > now) await delay(start - now);
  }
}

const isRedirect = ({ status, headers }: Fetched): boolean =>
  [301, 302, 303, 307, 308].includes(status) && headers['location'] !== undefined;

/** What is wrong with how a body came. */
function bodyProblem({ end, headers, bytes }: HttpResponse, limit: number): string | undefined {
  if (end === 'over the limit') return `It is larger than ${limit.toLocaleString('en')} bytes.`;
  if (end === 'cut off')
    return `The response ended after ${bytes.toLocaleString('en')} of ${headers['content-length'] ?? 'its'} bytes.`;
  return end === 'complete' ? undefined : 'Its content coding cannot be decoded.';
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
