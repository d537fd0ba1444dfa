import { setTimeout as delay } from 'node:timers/promises';
import type { Deployment } from '../build.ts';
import { isListOf, listRequest } from '../list.ts';
import { verification, type Verification } from '../verification.ts';
import { mapConcurrently } from '../../io/concurrency.ts';
import { HttpClient, type Limits, REQUESTS } from '../../http/io/client.ts';

/** Between two looks at a list that is awaited. */
const POLL_MS = 2000;

/** Verifies a live deployment. @throws if the first request gets no response: there is nothing to say about the deployment */
export async function verify(deployment: Deployment, limits: Limits): Promise<Verification> {
  const client = new HttpClient(limits);
  try {
    return await converse(deployment, client);
  } finally {
    client.close();
  }
}

/**
 * Waits until LIST is that of the build.
 * @param seconds - how long at most; the last look is not before
 * @returns the seconds that it took; nothing if it never was
 */
export async function waitForBuild(
  deployment: Deployment,
  seconds: number,
  limits: Limits,
): Promise<number | undefined> {
  const client = new HttpClient(limits);
  const started = performance.now();
  const elapsed = (): number => (performance.now() - started) / 1000;
  const request = listRequest(deployment, { 'Cache-Control': 'no-cache' });
  try {
    for (;;) {
      if (isListOf(deployment.build, await client.send(request))) return elapsed();
      const left = seconds - elapsed();
      if (left <= 0) return undefined;
      await delay(Math.min(POLL_MS, left * 1000));
    }
  } finally {
    client.close();
  }
}

/** Sends what a verification asks for, batch by batch. */
async function converse(deployment: Deployment, client: HttpClient): Promise<Verification> {
  const asking = verification(deployment);
  let step = asking.next();
  for (let batch = 1; step.done !== true; batch++) {
    const outcomes = await mapConcurrently(step.value, REQUESTS, (request) => client.send(request));
    const [first] = outcomes;
    if (batch === 1 && first !== undefined && 'noResponse' in first)
      throw new Error(`${deployment.url} cannot be reached: ${first.noResponse}.`);
    step = asking.next(outcomes);
  }
  return step.value;
}
