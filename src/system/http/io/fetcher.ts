import { shownUrl } from '../../../core/diagnostics/quote.ts';
import type { HttpResponse, Outcome, Request } from '../exchange.ts';
import { MIN_RATE } from './client.ts';
import { Runner } from './runner.ts';

export interface FetchOptions {
  /** The origin of the list, the only one that gets credentials. */
  origin: string;
  /** The name of the command, for User-Agent: `themecast-import`. */
  userAgent: string;
  /** Maximum number of requests per second. */
  rate: number;
  /** Headers of {@link Fetcher.get}, only for the origin of the list. */
  credentials?: Readonly<Record<string, string>>;
  /** Headers of every request to the origin of the list. */
  everyRequest?: Readonly<Record<string, string>> | undefined;
}

/** A complete response. */
export interface Fetched {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  /** The last URL after redirects. */
  redirectedTo?: string;
}

/** The reason why there is no response, as a sentence. */
export interface NotFetched {
  problem: string;
  redirectedTo?: string;
}

/** Maximum number of attempts per request. */
const MAX_ATTEMPTS = 5;
const MAX_REDIRECTS = 3;
/** Maximum time of silence, and of all requests together, in milliseconds. */
const LIMITS = { timeoutMs: 30_000, totalMs: 6 * 3_600_000 };
const RETRIED = new Set([429, 500, 502, 503, 504]);

/** Sends requests to a service at its pace; credentials only to its origin. */
export class Fetcher {
  readonly #options: FetchOptions;
  readonly #runner: Runner;

  constructor(options: FetchOptions) {
    this.#options = options;
    const { userAgent, rate, origin } = options;
    const everyRequest = options.everyRequest && { origin, headers: options.everyRequest };
    const mayHelp = (outcome: Outcome, attempts: number): boolean =>
      attempts < MAX_ATTEMPTS && ('noResponse' in outcome || RETRIED.has(outcome.status) || outcome.end === 'cut off');
    this.#runner = new Runner(LIMITS, { userAgent, rate, mayHelp, everyRequest });
  }

  /**
   * Requests a URL, follows redirects, and retries where that may help.
   * @param limit - maximum size of the decoded body, in bytes
   */
  async get(
    text: string,
    limit: number,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Fetched | NotFetched> {
    let target = text;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const from = redirects === 0 ? {} : { redirectedTo: shownUrl(target) };
      const url = requestUrl(target, this.#options.origin);
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
    this.#runner.close();
  }

  async #getOnce(url: URL, limit: number, headers: Readonly<Record<string, string>>): Promise<Fetched | NotFetched> {
    const { origin, credentials } = this.#options;
    const response = await this.send({
      method: 'GET',
      origin: url.origin,
      target: url.pathname + url.search,
      headers: { 'Accept-Encoding': 'gzip', ...headers, ...(url.origin === origin && credentials) },
      limit,
      keep: limit,
      decode: true,
    });
    if ('noResponse' in response) return { problem: `No response: ${response.noResponse}.` };
    const problem = bodyProblem(response, limit);
    if (problem !== undefined) return { problem };
    const { status } = response;
    if (RETRIED.has(status)) return { problem: `The response is ${status}, after ${MAX_ATTEMPTS} requests.` };
    return { status, headers: response.headers, body: Buffer.from(response.start) };
  }

  /** Sends a request, see {@link Runner.send}. */
  send(request: Request): Promise<Outcome> {
    return this.#runner.send(request);
  }
}

const isRedirect = ({ status, headers }: Fetched): boolean =>
  [301, 302, 303, 307, 308].includes(status) && headers['location'] !== undefined;

/** Returns why a body is incomplete. */
function bodyProblem({ end, headers, bytes }: HttpResponse, limit: number): string | undefined {
  if (end === 'over the limit') return `It is larger than ${limit.toLocaleString('en')} bytes.`;
  if (end === 'cut off')
    return `The response ended after ${bytes.toLocaleString('en')} of ${headers['content-length'] ?? 'its'} bytes.`;
  if (end === 'too slow')
    return `The response came too slowly: less than ${MIN_RATE.toLocaleString('en')} bytes per second. Run the command again when the service is faster.`;
  return end === 'complete' ? undefined : 'Its content coding cannot be decoded.';
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/**
 * Checks a URL that a service returned.
 * @param origin - the origin of the list, the only one that gets credentials
 * @returns the URL to request, or a sentence about why it is not requested
 */
export function requestUrl(text: string, origin: string): URL | string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return 'It is no http or https URL.';
  if (url.username + url.password !== '') return 'It contains a user name or a password.';
  const list = new URL(origin);
  // Behind a proxy that terminates TLS, services write their own URLs with http.
  if (url.host === list.host && url.protocol === 'http:') url.protocol = list.protocol;
  if (url.hostname === list.hostname && url.protocol === 'https:' && list.protocol === 'http:')
    return `The service is at ${url.origin}: run the command with that URL.`;
  return url;
}
