import { readBuild } from './read-build.ts';
import { EDGE_HOSTS } from '../../../core/theme/site/site.ts';
import type { Capabilities } from '../../../hosts/adapter/adapter.ts';
import type { Secret } from '../../../hosts/contract/credentials.ts';
import type { Build } from '../../../hosts/contract/published-build.ts';
import { loadAdapters } from '../../../hosts/adapter/registry.ts';
import { UsageError } from '../../../system/command-line/command.ts';
import { givenHeaders } from '../../../system/command-line/credentials.ts';
import { rateOf } from '../../../system/command-line/flags.ts';
import { searchedKeys } from '../../../system/command-line/keys.ts';
import { serviceUrlOf } from '../../../system/command-line/service-url.ts';
import { ContainedFolder } from '../../../system/disk/contained-folder.ts';
import { type Deployment, isConfidential } from '../build.ts';
import { CHECK_IDS, type CheckId } from '../checks.ts';
import type { VerifyFlags } from '../command.ts';
import type { Subject } from '../report.ts';
import type { Verification } from '../result.ts';
import { verify, waitForBuild } from './verify.ts';

const HTTP_LIMITS = { timeoutMs: 10_000, totalMs: 15 * 60_000 };
const MAX_WAIT_SECONDS = 3600;
/** Enough bytes to recognise a file. */
const RECOGNISED_BYTES = 64;

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
  const checkout = await usersFiles(values.themes);
  const deployment: Deployment = {
    url,
    build,
    secret,
    credentials,
    capabilities,
    tolerated,
    checkout,
  };
  const limits = { ...HTTP_LIMITS, everyRequest };
  if (seconds !== undefined) {
    const took = await waitForBuild(deployment, seconds, limits);
    const text = took === undefined ? `✘ not live after ${seconds} s` : `✔ live after ${Math.round(took)} s`;
    if (!values.quiet && values.format === 'text') process.stdout.write(`${text}\n`);
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

/** Returns the users files of the checkout, with their first bytes. */
async function usersFiles(themesDir: string): Promise<Build['privateFiles']> {
  const themes = new ContainedFolder(themesDir);
  const inFolder = (await themes.list('users').catch(() => [])).map(({ name }) => `users/${name}`);
  const names = [...inFolder, 'users.csv'].filter((name) => themes.hasFile(name));
  return Promise.all(
    names.map(async (path) => ({ path, start: (await themes.readStart(path, RECOGNISED_BYTES)) ?? '' })),
  );
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
