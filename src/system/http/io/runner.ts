import { setTimeout as delay } from 'node:timers/promises';
import { count, shownUrl } from '../../../core/diagnostics/quote.ts';
import type { Outcome, Request } from '../exchange.ts';
import { type ClientOptions, HttpClient, type Limits } from './client.ts';

export interface RunnerOptions extends ClientOptions {
  /** Maximum number of requests per second. */
  rate: number;
  /** Returns whether another attempt may help, after this number of attempts. */
  mayHelp: (outcome: Outcome, attempts: number) => boolean;
}

/** Thrown if a service asks for a long wait. */
export class Busy extends Error {}

/** Upper bounds of random waits, in milliseconds; each is twice the last (exponential backoff with full jitter). */
const FIRST_WAIT_MS = 500;
const MAX_BACKOFF_MS = 8000;
/** Intervals between requests after the service rejects some, in milliseconds; doubled after each second with a rejection. */
const SLOW_MS = 50;
const SLOWEST_MS = 1000;

/** Sends requests to a service at its pace. */
export class Runner {
  requests = 0;
  readonly #options: RunnerOptions;
  readonly #client: HttpClient;
  #interval: number;
  #nextStart = 0;
  #slowedAt = -Infinity;

  constructor(limits: Limits, options: RunnerOptions) {
    this.#options = options;
    this.#client = new HttpClient(limits, options);
    this.#interval = 1000 / options.rate;
  }

  close(): void {
    this.#client.close();
  }

  /**
   * Sends a request when the rate allows it, and retries where that may help.
   * @throws {Busy} if the service asks for a long wait
   */
  async send(request: Request): Promise<Outcome> {
    for (let attempt = 1; ; attempt++) {
      await this.#turn();
      const outcome = await this.#client.send(request);
      if (!this.#options.mayHelp(outcome, attempt)) return outcome;
      const wait = 'headers' in outcome ? retryAfter(outcome.headers['retry-after']) : undefined;
      if (typeof wait === 'string') throw new Busy(`${shownUrl(request.origin + request.target)} is busy. ${wait}`);
      if ('status' in outcome && [429, 503].includes(outcome.status)) this.#slowDown(wait ?? 0);
      await delay(wait ?? Math.random() * Math.min(MAX_BACKOFF_MS, FIRST_WAIT_MS * 2 ** (attempt - 1)));
    }
  }

  /** Waits until the rate allows another request. */
  async #turn(): Promise<void> {
    this.requests++;
    const now = performance.now();
    const start = Math.max(now, this.#nextStart);
    this.#nextStart = start + this.#interval;
    if (start > now) await delay(start - now);
  }

  /** Delays all requests after a rejection, and sends later ones at longer intervals. */
  #slowDown(wait: number): void {
    const now = performance.now();
    this.#nextStart = Math.max(this.#nextStart, now + wait);
    if (now - this.#slowedAt < 1000) return;
    this.#slowedAt = now;
    this.#interval = Math.max(this.#interval, Math.min(SLOWEST_MS, Math.max(SLOW_MS, this.#interval * 2)));
  }
}

/** Maximum wait for a service, in milliseconds. */
const MAX_WAIT_MS = 60_000;

/**
 * Returns how long a service asks to wait before the next request (RFC 9110, §10.2.3).
 * @returns milliseconds; undefined without a valid header; a sentence if the wait is too long
 */
function retryAfter(header: string | undefined): number | string | undefined {
  if (header === undefined) return undefined;
  const milliseconds = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  if (Number.isNaN(milliseconds)) return undefined;
  if (milliseconds <= MAX_WAIT_MS) return Math.max(milliseconds, 0);
  const minutes = count(Math.ceil(milliseconds / 60_000), 'minute');
  return `It asks to wait ${minutes} before the next request (Retry-After). Run the same command again then.`;
}
