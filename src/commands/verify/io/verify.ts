import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { mapConcurrently } from '../../../system/disk/concurrency.ts';
import { type Limits, MAX_REQUESTS } from '../../../system/http/io/client.ts';
import { Busy, Runner } from '../../../system/http/io/runner.ts';
import type { Outcome, Request } from '../../../system/http/exchange.ts';
import { type Deployment, type Headers, isConfidential } from '../build.ts';
import { isListOf } from '../documents.ts';
import { fault, mergeResults, type Verification } from '../result.ts';
import { listRow } from '../rows.ts';
import { verification } from '../verification.ts';
import { readBuild } from './read-build.ts';
import { EDGE_HOSTS } from '../../../core/theme/site/site.ts';
import type { Capabilities } from '../../../hosts/adapter/adapter.ts';
import type { Secret } from '../../../hosts/contract/credentials.ts';
import { loadAdapters } from '../../../hosts/adapter/registry.ts';
import { UsageError } from '../../../system/command-line/command.ts';
import { givenHeaders } from '../../../system/command-line/credentials.ts';
import { rateOf } from '../../../system/command-line/flags.ts';
import { searchedKeys } from '../../../system/command-line/keys.ts';
import { serviceUrlOf } from '../../../system/command-line/service-url.ts';
import { ContainedFolder } from '../../../system/disk/contained-folder.ts';
import { CHECK_IDS, type CheckId } from '../checks.ts';
import type { VerifyFlags } from '../command.ts';
import type { Subject } from '../report.ts';

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

/** Verifies a live deployment. @throws if the first request gets no response */
export async function verify(deployment: Deployment, options: VerifyOptions): Promise<Verification> {
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
    return await verification({ addresses, ...deployment }, send);
  } catch (error) {
    if (!(error instanceof Busy)) throw error;
    const limit = fault('service/limit', 'The service limits requests, and was not verified.', {
      expected: 'a response to every request',
      found: `${error.message} That was request ${runner.requests}.`,
    });
    return { checks: mergeResults([limit], deployment), notes: ['No further requests were sent.'] };
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

const HTTP_LIMITS = { timeoutMs: 10_000, totalMs: 15 * 60_000 };
const MAX_WAIT_SECONDS = 3600;

// In a GitHub workflow, a missing secret is an empty variable.
export const secret: Secret = (name) => process.env[name] || undefined;

/** Verifies the deployment at a URL against the last build. */
export async function verifyBuild(
  values: VerifyFlags,
  argument: string,
): Promise<{ subject: Subject; result: Verification }> {
  const seconds = waitOf(values.wait);
  const url = serviceUrlOf(argument);
  const tolerated = toleratedChecks(values.tolerate);
  const everyRequest = givenHeaders(values['every-request'], secret, '--every-request');
  if (everyRequest !== undefined && !isConfidential(url))
    throw new UsageError(`--every-request would be sent without encryption: verify https://${new URL(url).host}.`);
  const named = searchedKeys(values.as, values.group);
  const credentials = givenHeaders(values.header, secret);
  if (credentials !== undefined && named.length !== 1)
    throw new UsageError(
      'With `--header`, name the one user or group of the credentials: `--as USER` or `--group GROUP`.',
    );
  const build = await readBuild(values.out, values['edge-out'], named, secret, new URL(url).hostname);
  const capabilities = await capabilitiesOf(values.host, build.hosts);
  const usersFiles = await usersFilesIn(values.themes);
  const deployment: Deployment = {
    url,
    build,
    secret,
    credentials,
    capabilities,
    tolerated,
    usersFiles,
  };
  const limits = { ...HTTP_LIMITS, everyRequest };
  if (seconds !== undefined) {
    const took = await waitForBuild(deployment, seconds, limits);
    const text = took === undefined ? `✘ not live after ${seconds} s` : `✔ live after ${Math.round(took)} s`;
    if (values.format === 'text') process.stdout.write(`${text}\n`);
  }
  const rate = values.rate === undefined ? undefined : rateOf(values.rate);
  return { subject: { url }, result: await verify(deployment, { ...limits, rate }) };
}

/** Checks the ids of --tolerate. */
function toleratedChecks(ids: readonly string[]): ReadonlySet<CheckId> {
  const unknown = ids.find((id) => !CHECK_IDS.some((known) => known === id));
  if (unknown !== undefined)
    throw new UsageError(
      `--tolerate must be the ID of a check, such as compression/cache, not \`${unknown}\`. Each fault is printed with its ID.`,
    );
  return new Set(ids as CheckId[]);
}

/** Returns the users files of the checkout. */
async function usersFilesIn(themesDir: string): Promise<string[]> {
  const themes = new ContainedFolder(themesDir);
  const inFolder = (await themes.list('users').catch(() => [])).map(({ name }) => `users/${name}`);
  return [...inFolder, 'users.csv'].filter((name) => themes.hasFile(name));
}

/** Returns the capabilities of the host in --host, or of the only host that the build has rules for. */
async function capabilitiesOf(named: string | undefined, built: readonly string[]): Promise<Capabilities | undefined> {
  const host = named ?? (built.length === 1 ? built[0] : undefined);
  const edgeHost = EDGE_HOSTS.find((name) => name === host);
  if (named !== undefined && edgeHost === undefined)
    throw new UsageError(`--host must be one of ${EDGE_HOSTS.join(', ')}, not \`${named}\`.`);
  return edgeHost && (await loadAdapters([edgeHost]))[edgeHost].capabilities;
}

function waitOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (!(seconds <= MAX_WAIT_SECONDS))
    throw new UsageError(`--wait must be a number of seconds from 0 to ${MAX_WAIT_SECONDS}, not \`${text}\`.`);
  return seconds;
}
