import type { Secret } from '../hosts/credentials.ts';
import { formatVerification, formatVerificationJson } from '../verify/format.ts';
import type { Capabilities } from '../hosts/adapter.ts';
import { adapters } from '../hosts/registry.ts';
import { EDGE_HOSTS } from '../theme/site.ts';
import { LIST } from '../document/endpoint.ts';
import type { Deployment } from '../verify/build.ts';
import { holds } from '../verify/verification.ts';
import { NoBuildError, readBuild, readRules } from '../io/output/built.ts';
import { UnreachableError, verify, waitForBuild } from '../io/http/verify.ts';
import { keyProblem } from '../users/key.ts';
import type { Wanted } from '../users/mapping.ts';
import { type FlagValues, UsageError } from './flags.ts';
import { claimedKeys, givenHeaders, givenTheme } from './given.ts';
import type { Run } from './registry.ts';

const LIMITS = { timeoutMs: 10_000, totalMs: 15 * 60_000 };
const FORMATS = ['text', 'json'];
/** Longest wait for a deployment: an hour. */
const LONGEST_WAIT = 3600;

/**
 * Reads only: every request is GET, HEAD or OPTIONS, but for POST and PUT without a body on an endpoint that is proved to be of
 * this build. The contract refuses those, and a deployment of themecast, being files and rules, has nothing that could write.
 */
export const run: Run = async (flags, argument) => {
  const { format = '', quiet, strict } = flags;
  if (!FORMATS.includes(format)) throw new UsageError(`--format must be ${FORMATS.join(' or ')}, not \`${format}\`.`);
  const seconds = waitOf(flags);
  const url = baseUrlOf(argument);
  const secret = (name: string): string | undefined => process.env[name];
  const { build, given } = await readExpected(flags, secret);
  const deployment = { url, build, secret, given, capabilities: capabilitiesOf(flags, build.hosts) };
  if (seconds !== undefined) await wait(deployment, seconds, quiet || format === 'json');

  const started = performance.now();
  const result = await verify(deployment, LIMITS).catch((error: unknown) => {
    if (!(error instanceof UnreachableError)) throw error;
    throw new UsageError(`${deployment.url} cannot be reached: ${error.message}.`);
  });
  const { stdout } = process;
  const colour = stdout.isTTY && !process.env['NO_COLOR'];
  const elapsed = (performance.now() - started) / 1000;
  stdout.write(
    format === 'json'
      ? formatVerificationJson(deployment.url, result, strict)
      : formatVerification(deployment.url, result, elapsed, { colour, quiet, strict }),
  );
  return holds(result, strict) ? 0 : 1;
};

/** Those of the host that was named, or of the only one that the build has rules for. */
function capabilitiesOf({ host: named }: FlagValues, built: readonly string[]): Capabilities | undefined {
  const host = named ?? (built.length === 1 ? built[0] : undefined);
  const known = EDGE_HOSTS.find((name) => name === host);
  if (named !== undefined && known === undefined)
    throw new UsageError(`--host must be one of ${EDGE_HOSTS.join(', ')}, not \`${named}\`.`);
  return known && adapters[known].capabilities;
}

async function wait(deployment: Deployment, seconds: number, isSilent: boolean): Promise<void> {
  const took = await waitForBuild(deployment, seconds, LIMITS);
  if (isSilent) return;
  const text = took === undefined ? `✘ not live after ${seconds} s` : `✔ live after ${Math.round(took)} s`;
  process.stdout.write(`${text}\n`);
}

function waitOf({ wait: text }: FlagValues): number | undefined {
  if (text === undefined) return undefined;
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (!(seconds <= LONGEST_WAIT))
    throw new UsageError(`--wait must be a number of seconds from 0 to ${LONGEST_WAIT}, not \`${text}\`.`);
  return seconds;
}

/** The part of a URL before the endpoints, without trailing slash. */
function baseUrlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url !== undefined && url.username + url.password + url.search + url.hash === '';
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(
      `URL must be an http or https URL without user name, query or fragment, like https://community.example.org, not \`${text}\`.`,
    );
  }
  const at = url.pathname.indexOf(LIST.path.slice(0, -1));
  const path = at === -1 ? url.pathname : url.pathname.slice(0, at);
  return url.origin + path.replace(/\/+$/, '');
}

/** The keys that the caller names. */
function namedKeys({ as = [], group }: FlagValues): Wanted[] {
  const named: Wanted[] = [
    ...as.map((key) => ({ kind: 'user' as const, key })),
    ...(group === undefined ? [] : [{ kind: 'group' as const, key: group }]),
  ];
  for (const { kind, key } of named) {
    const problem = keyProblem(key);
    if (problem !== undefined) throw new UsageError(`There can be no such ${kind}: the key ${problem}.`);
  }
  return named;
}

/** The build that was made here, and what CONFIG must give for what the caller handed over. */
async function readExpected(flags: FlagValues, secret: Secret): Promise<Pick<Deployment, 'build' | 'given'>> {
  const { out = '', 'edge-out': edgeOut = '', as = [] } = flags;
  const named = namedKeys(flags);
  const headers = givenHeaders(flags, secret);
  if (headers !== undefined && as.length > 1)
    throw new UsageError(
      'With `--header`, `--cookie` or `--token`, name one user at most: the one whose credentials they are.',
    );
  try {
    const isNamed = named.length > 0;
    const keys = headers === undefined || isNamed ? named : claimedKeys(await readRules(edgeOut), headers);
    const build = await readBuild(out, edgeOut, keys, secret);
    return { build, given: headers && { headers, theme: givenTheme(build, headers, isNamed) } };
  } catch (error) {
    throw error instanceof NoBuildError ? new UsageError(error.message) : error;
  }
}
