import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { mapConcurrently } from '../../../system/disk/concurrency.ts';
import { type Limits, MAX_REQUESTS } from '../../../system/http/io/client.ts';
import { Busy, Runner } from '../../../system/http/io/runner.ts';
import type { Outcome, Request } from '../../../system/http/exchange.ts';
import type { Deployment, Headers } from '../build.ts';
import { isListOf } from '../documents.ts';
import { fault, mergeResults, type Verification } from '../result.ts';
import { listRow } from '../rows.ts';
import { verification } from '../verification.ts';

/** Time between two requests for an awaited list. */
const POLL_MS = 2000;
/** Attempts for a request that a rate limit rejects. */
const ATTEMPTS = 6;
/** Attempts for a request whose connection was closed, which proxies do occasionally. */
const RESET_ATTEMPTS = 3;

export interface VerifyOptions extends Limits {
  /** Requests per second, at most. Default: no limit but the service's. */
  rate?: number | undefined;
  /** Headers of every request to the origin of the deployment, such as the password of a staging host. */
  everyRequest?: Headers | undefined;
}

/** A verification, and the number of its requests. */
export interface LiveVerification extends Verification {
  requests: number;
}

/** Verifies a live deployment. @throws if the first request gets no response */
export async function verify(deployment: Deployment, options: VerifyOptions): Promise<LiveVerification> {
  const runner = runnerOf(deployment, options);
  const send = async (requests: readonly Request[]): Promise<Outcome[]> => {
    const isFirst = runner.requests === 0;
    const outcomes = await mapConcurrently(requests, MAX_REQUESTS, async (request) => {
      const outcome = await runner.send(request);
      const status = 'status' in outcome ? outcome.status : 0;
      // `limit_req` of nginx responds with 503.
      if (status === 429 || (status === 503 && !isFirst))
        throw new Busy(`${request.origin + request.target} still responds with ${status}.`);
      return outcome;
    });
    const [first] = outcomes;
    if (isFirst && first !== undefined && 'noResponse' in first)
      throw new Error(`${deployment.url} cannot be reached: ${first.noResponse}.`);
    return outcomes;
  };
  try {
    const addresses = await addressesOf(deployment.url);
    const result = await verification({ addresses, ...deployment }, send);
    return { ...result, requests: runner.requests };
  } catch (error) {
    if (!(error instanceof Busy)) throw error;
    const limit = fault('service/limit', 'The service limits requests, and was not verified.', {
      expected: 'a response to every request',
      found: `${error.message} That was request ${runner.requests}.`,
    });
    const notes = ['No further requests were sent.'];
    return { checks: mergeResults([limit], deployment), notes, requests: runner.requests };
  } finally {
    runner.close();
  }
}

function runnerOf(
  { url }: Deployment,
  { rate = Infinity, timeoutMs, totalMs, everyRequest: headers }: VerifyOptions,
): Runner {
  const limits = totalMs === undefined ? { timeoutMs } : { timeoutMs, totalMs };
  const mayHelp = (outcome: Outcome, attempts: number): boolean =>
    'noResponse' in outcome
      ? outcome.code === 'ECONNRESET' && attempts < RESET_ATTEMPTS
      : [429, 503].includes(outcome.status) && attempts < ATTEMPTS;
  const everyRequest = headers && { origin: new URL(url).origin, headers };
  return new Runner(limits, { rate, mayHelp, everyRequest });
}

/** Returns all addresses of the host, if there are several. */
async function addressesOf(url: string): Promise<string[]> {
  const hostname = new URL(url).hostname.replace(/^\[|\]$/g, '');
  if (isIP(hostname) !== 0) return [];
  const addresses = await lookup(hostname, { all: true }).catch(() => []);
  const distinct = [...new Set(addresses.map(({ address }) => address))];
  return distinct.length > 1 ? distinct : [];
}

/**
 * Waits until LIST is the list of the build.
 * @param seconds - maximum wait; the last request is sent at its end
 * @returns the elapsed seconds; undefined if LIST is still another one
 */
export async function waitForBuild(
  deployment: Deployment,
  seconds: number,
  options: VerifyOptions,
): Promise<number | undefined> {
  const runner = runnerOf(deployment, options);
  const started = performance.now();
  const elapsed = (): number => (performance.now() - started) / 1000;
  const { request } = await listRow(deployment);
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
