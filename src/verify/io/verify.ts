import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { mapConcurrently } from '../../disk/concurrency.ts';
import { type Limits, MAX_REQUESTS } from '../../http/io/client.ts';
import { Busy, Runner } from '../../http/io/runner.ts';
import type { Outcome, Request } from '../../http/exchange.ts';
import type { Deployment } from '../build.ts';
import { isListOf, listQuestion } from '../list.ts';
import { fault, merged } from '../result.ts';
import { verification, type Verification } from '../verification.ts';

/** Between two looks at a list that is awaited. */
const POLL_MS = 2000;
/** Attempts for a request that the service rejects because of many, and for one whose connection was closed. */
const ATTEMPTS = 6;
const RESET_ATTEMPTS = 3;

export interface VerifyOptions extends Limits {
  /** Requests per second, at most; without it, the service alone limits them. */
  rate?: number | undefined;
  /** Gets the number of requests that are left, and how many seconds they may take. */
  onPlan?: (requests: number, seconds: number) => void;
}

/** A verification, and how many requests it took. */
export interface Verified extends Verification {
  requests: number;
}

/** Verifies a live deployment. @throws if the first request gets no response */
export async function verify(deployment: Deployment, options: VerifyOptions): Promise<Verified> {
  const { rate = Infinity, onPlan = () => undefined } = options;
  const runner = runnerOf(options);
  const started = performance.now();
  const send = async (requests: readonly Request[]): Promise<Outcome[]> => {
    const isFirst = runner.requests === 0;
    const outcomes = await mapConcurrently(requests, MAX_REQUESTS, async (request) => {
      const outcome = await runner.send(request);
      const status = 'status' in outcome ? outcome.status : 0;
      // 503 is what `limit_req` of nginx sends.
      if (status === 429 || (status === 503 && !isFirst))
        throw new Busy(`${request.origin + request.target} still responds with ${status}.`);
      return outcome;
    });
    const [first] = outcomes;
    if (isFirst && first !== undefined && 'noResponse' in first)
      throw new Error(`${deployment.url} cannot be reached: ${first.noResponse}.`);
    return outcomes;
  };
  const estimate = (requests: number): void => {
    const perRequest = (performance.now() - started) / 1000 / runner.requests;
    onPlan(requests, Math.max(requests * perRequest, requests / rate));
  };
  try {
    const addresses = await addressesOf(deployment.url);
    const result = await verification({ addresses, ...deployment }, send, estimate);
    return { ...result, requests: runner.requests };
  } catch (error) {
    if (!(error instanceof Busy)) throw error;
    return { ...limitedVerification(deployment, error, runner.requests), requests: runner.requests };
  } finally {
    runner.close();
  }
}

function limitedVerification(deployment: Deployment, error: Busy, requests: number): Verification {
  const limit = fault('service/limit', 'The service limits requests, and was not verified.', {
    expected: 'a response to every request',
    found: `${error.message} That was request ${requests}.`,
  });
  return { checks: merged([limit], deployment), notes: ['No further requests were sent.'] };
}

function runnerOf({ rate = Infinity, timeoutMs, totalMs }: VerifyOptions): Runner {
  const limits = totalMs === undefined ? { timeoutMs } : { timeoutMs, totalMs };
  const mayHelp = (outcome: Outcome, attempts: number): boolean =>
    'noResponse' in outcome
      ? outcome.isReset === true && attempts < RESET_ATTEMPTS
      : [429, 503].includes(outcome.status) && attempts < ATTEMPTS;
  return new Runner(limits, { rate, mayHelp });
}

/** All addresses of the host, if there are several. */
async function addressesOf(url: string): Promise<string[]> {
  const hostname = new URL(url).hostname.replace(/^\[|\]$/g, '');
  if (isIP(hostname) !== 0) return [];
  const addresses = await lookup(hostname, { all: true }).catch(() => []);
  const distinct = [...new Set(addresses.map(({ address }) => address))];
  return distinct.length > 1 ? distinct : [];
}

/**
 * Waits until LIST is that of the build.
 * @param seconds - how long at most; the last look is not before
 * @returns the seconds that it took; nothing if it never was
 */
export async function waitForBuild(
  deployment: Deployment,
  seconds: number,
  options: VerifyOptions,
): Promise<number | undefined> {
  const runner = runnerOf(options);
  const started = performance.now();
  const elapsed = (): number => (performance.now() - started) / 1000;
  const { request } = await listQuestion(deployment);
  const fresh = { ...request, headers: { ...request.headers, 'Cache-Control': 'no-cache' } };
  try {
    for (;;) {
      if (isListOf(deployment.build, await runner.send(fresh))) return elapsed();
      const left = seconds - elapsed();
      if (left <= 0) return undefined;
      await delay(Math.min(POLL_MS, left * 1000));
    }
  } finally {
    runner.close();
  }
}
