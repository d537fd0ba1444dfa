import { showsColours } from '../../system/command-line/colours.ts';
import { defineCommand, UsageError, type ValuesOf } from '../../system/command-line/command.ts';
import { FLAGS, rateOf } from '../../system/command-line/flags.ts';
import { searchedKeys } from '../../system/command-line/keys.ts';
import type { Capabilities } from '../../hosts/adapter.ts';
import type { Secret } from '../../hosts/credentials.ts';
import type { Build } from '../../hosts/published-build.ts';
import type { Deployment, Headers } from './build.ts';
import type { CheckId } from './checks.ts';
import { invocation } from '../../system/command-line/invocation.ts';
import type { VerifyOptions } from './io/verify.ts';

const DETAILS = `Sends GET, HEAD and OPTIONS, and follows no redirects. Sends POST and PUT, with an empty body, only to endpoints that
are proven to serve this build byte for byte. If the list is of another build, requests nothing else. Requests every address
of the host, and LIST, images and deployment.json more than once: several servers may respond in turn. Slows down while the
service rejects requests (429, 503).

Requests CONFIG as one user or group of each theme, with tokens and headers made from the identity secrets in the
environment. Sends keys, secrets and credentials only to the host of base_url or the host in --send-credentials-to,
and only by https or within this machine. Elsewhere, themes of users are not verified, which is reported.

--strict also fails on tolerated results, such as users whose credentials cannot be made here, but not on the declared
limits of the host, nor on the checks in --tolerate. Each fault is printed with its ID.

--old compares with another service, such as the one that URL replaces: its answers are the expected ones. Without URL, it
is compared with the last build, before anything is deployed. Themes are compared by id, images by bytes, then by pixels.
--sample reads users from FILE: each further column is a header that identifies the user at OLD (user,theme_id,Cookie).
Without such a column, both get the same key, by the first identity rule for users. Users are printed by line. Only GET, HEAD
and OPTIONS are sent. Exits with 1 if there is a difference that --accept does not list. The text lists at most 100
differences of a group, JSON all.
`;

const flags = {
  themes: { ...FLAGS.themes, about: 'Folder of the themes, whose users must not be public' },
  out: { ...FLAGS.out, about: 'Public output of the build to compare with' },
  'edge-out': { ...FLAGS['edge-out'], about: 'Private output of that build' },
  host: { type: 'string', value: 'HOST', about: 'Tolerate the declared limits of this host' },
  as: { type: 'string', multiple: true, value: 'USER', about: 'Request CONFIG as this user too; may be repeated' },
  group: FLAGS.group,
  header: {
    type: 'string',
    multiple: true,
    value: 'NAME=VARIABLE',
    about: 'Request CONFIG as the user or group with this header, its value from the environment; may be repeated',
  },
  'every-request': {
    type: 'string',
    multiple: true,
    value: 'NAME=VARIABLE',
    about:
      'Send this header with every request to URL (without URL, to OLD), its value from the environment, such as a password of a staging host; may be repeated',
  },
  'send-credentials-to': {
    type: 'string',
    value: 'HOST',
    about: 'Send user keys and secrets to the host of URL, although it is not the host of base_url',
  },
  rate: { type: 'string', value: 'N', about: 'Requests per second, at most (no limit, 8 at a time; with --old 10)' },
  wait: { type: 'string', value: 'SECONDS', about: 'Wait until the list of this build is live, at most this long' },
  strict: { ...FLAGS.strict, about: 'Fail on tolerated results too' },
  tolerate: {
    type: 'string',
    multiple: true,
    value: 'ID',
    about: 'Tolerate the faults of this check, even with --strict; may be repeated',
  },
  old: { type: 'string', value: 'OLD', about: 'Compare with the service at this URL' },
  sample: {
    type: 'string',
    value: 'FILE:N',
    about: 'With --old: compare for N users of a CSV file, always the same ones',
  },
  accept: { type: 'string', value: 'FILE', about: 'With --old: known differences, each with a reason' },
  hostname: {
    type: 'string',
    multiple: true,
    value: 'NAME',
    about: 'With --old: request both services with this hostname too; may be repeated',
  },
  origin: {
    type: 'string',
    multiple: true,
    value: 'ORIGIN',
    about: 'With --old: compare as a page of this origin too, besides the origins in the build; may be repeated',
  },
  'old-header': {
    type: 'string',
    multiple: true,
    value: 'NAME=VARIABLE',
    about: 'With --old: like --every-request, for OLD; may be repeated',
  },
  'media-host': { type: 'string', multiple: true, value: 'HOST', about: 'With --old: fetch images from this host too' },
  verbose: { ...FLAGS.verbose, about: 'Name the headers that something in front of the host adds' },
  quiet: { ...FLAGS.quiet, about: 'Print failed checks, or differences, only' },
  format: { ...FLAGS.format, about: 'Results as text or json' },
} as const;

export type VerifyFlags = ValuesOf<typeof flags>;

const HTTP_LIMITS = { timeoutMs: 10_000, totalMs: 15 * 60_000 };
const FORMATS = ['text', 'json'];
const MAX_WAIT_SECONDS = 3600;
/** The flags of one of the two comparisons. */
const FLAGS_OF_BUILD = [
  'host',
  'as',
  'group',
  'header',
  'send-credentials-to',
  'wait',
  'strict',
  'tolerate',
  'verbose',
] as const;
const FLAGS_OF_OLD = ['sample', 'accept', 'hostname', 'origin', 'old-header', 'media-host'] as const;

/**
 * Only reads. POST and PUT have no body, and are sent only to an endpoint proven to serve this build: the contract refuses both, and
 * a deployment of static files and rules has nothing to write.
 */
export const command = defineCommand({
  examples: [
    'verify https://community.example.org --wait 120',
    'verify --old https://old.example.org --accept accepted.yaml',
  ],
  argument: '[URL]',
  flags,
  details: DETAILS,
  async run(values, argument) {
    const { format, quiet, strict, verbose } = values;
    if (!FORMATS.includes(format)) throw new UsageError(`--format must be ${FORMATS.join(' or ')}, not \`${format}\`.`);
    const isGiven = (name: keyof VerifyFlags): boolean =>
      [values[name]].flat().some((value) => value !== undefined && value !== false);
    const other = values.old === undefined ? FLAGS_OF_OLD.find(isGiven) : FLAGS_OF_BUILD.find(isGiven);
    if (other !== undefined)
      throw new UsageError(
        `--${other} ${values.old === undefined ? 'needs `--old URL`' : 'is not possible with --old'}.`,
      );
    if (values.old !== undefined) {
      const { compareWithOld } = await import('./io/old-command.ts');
      return compareWithOld(values, values.old, argument === '' ? undefined : argument);
    }
    if (argument === '')
      throw new UsageError('Name the URL of the deployment, or compare the last build with `--old URL`.');
    const seconds = waitOf(values.wait);
    const { serviceUrlOf } = await import('../../system/command-line/service-url.ts');
    const url = serviceUrlOf(argument);
    const credentialsTo = await recipientOf(values['send-credentials-to'], url);
    // In a GitHub workflow, a missing secret is an empty variable.
    const secret = (name: string): string | undefined => process.env[name] || undefined;
    const { build, credentials } = await readBuildAndCredentials(values, secret, new URL(url).hostname);
    const capabilities = await capabilitiesOf(values.host, build.hosts);
    const checkout = await usersFiles(values.themes);
    const tolerated = await toleratedChecks(values.tolerate);
    const everyRequest = await headersOfEveryRequest(values['every-request'], secret, url);
    const deployment = {
      url,
      build,
      secret,
      credentials,
      credentialsTo,
      capabilities,
      tolerated,
      checkout,
      command: invocation('verify'),
    };
    const rate = values.rate === undefined ? undefined : rateOf(values.rate);
    const isSilent = quiet || format === 'json';
    const limits = { ...HTTP_LIMITS, everyRequest };
    if (seconds !== undefined) await wait(deployment, seconds, isSilent, limits);
    return compare(deployment, { json: format === 'json', quiet, strict, verbose }, { ...limits, rate });
  },
});

/** Checks the ids of --tolerate. */
async function toleratedChecks(ids: readonly string[]): Promise<ReadonlySet<CheckId>> {
  const { CHECK_IDS } = await import('./checks.ts');
  const unknown = ids.find((id) => !CHECK_IDS.some((known) => known === id));
  if (unknown !== undefined)
    throw new UsageError(
      `--tolerate must be the ID of a check, such as compression/cache, not \`${unknown}\`. Each fault is printed with its ID.`,
    );
  return new Set(ids as CheckId[]);
}

/** Reads the headers of --every-request, which are sent only by https, or within this machine. */
async function headersOfEveryRequest(
  pairs: readonly string[],
  secret: Secret,
  url: string,
): Promise<Headers | undefined> {
  const { givenHeaders } = await import('../../system/command-line/credentials.ts');
  const { isConfidential } = await import('./build.ts');
  const headers = givenHeaders(pairs, secret, '--every-request');
  if (headers !== undefined && !isConfidential(url))
    throw new UsageError(`--every-request would be sent without encryption: verify https://${new URL(url).host}.`);
  return headers;
}

/** Checks --send-credentials-to: it must repeat the host of the URL, so that no slip sends credentials elsewhere. */
async function recipientOf(named: string | undefined, url: string): Promise<string | undefined> {
  const { isConfidential } = await import('./build.ts');
  const { hostname } = new URL(url);
  if (named !== undefined && named.toLowerCase() !== hostname)
    throw new UsageError(`--send-credentials-to must be the host of the URL, ${hostname}, not \`${named}\`.`);
  if (named !== undefined && !isConfidential(url))
    throw new UsageError(`Credentials are sent only by https, or within this machine: verify https://${hostname}.`);
  return named === undefined ? undefined : hostname;
}

/** Verifies the deployment and prints the report. @returns the exit code */
async function compare(
  deployment: Deployment,
  { json, quiet, strict, verbose }: { json: boolean; quiet: boolean; strict: boolean; verbose: boolean },
  options: VerifyOptions,
): Promise<number> {
  const { verify: requestAll } = await import('./io/verify.ts');
  const { formatVerification, formatVerificationJson } = await import('./format.ts');
  const { passes } = await import('./result.ts');
  const started = performance.now();
  const { stdout } = process;
  const onPlan = (requests: number, seconds: number): void => {
    if (!json && !quiet) stdout.write(`About ${requests} more requests: about ${Math.ceil(seconds)} s.\n`);
  };
  const result = await requestAll(deployment, { ...options, onPlan });
  const colour = showsColours();
  const elapsed = (performance.now() - started) / 1000;
  stdout.write(
    json
      ? formatVerificationJson(deployment.url, result, strict)
      : formatVerification(deployment.url, result, elapsed, { colour, quiet, strict, verbose }),
  );
  return passes(result, strict) ? 0 : 1;
}

/** Returns the users files of the checkout, with their first bytes. */
async function usersFiles(themesDir: string): Promise<Build['privateFiles']> {
  const { ContainedFolder } = await import('../../system/disk/contained-folder.ts');
  const themes = new ContainedFolder(themesDir);
  const inFolder = (await themes.list('users').catch(() => [])).map(({ name }) => `users/${name}`);
  const names = [...inFolder, 'users.csv'].filter((name) => themes.hasFile(name));
  return Promise.all(
    names.map(async (path) => ({ path, start: (await themes.readStart(path, RECOGNISED_BYTES)) ?? '' })),
  );
}

/** Enough bytes to recognise a file. */
const RECOGNISED_BYTES = 64;

/** Returns the capabilities of the host in --host, or of the only host that the build has rules for. */
async function capabilitiesOf(named: string | undefined, built: readonly string[]): Promise<Capabilities | undefined> {
  const { loadAdapters } = await import('../../hosts/registry.ts');
  const { EDGE_HOSTS } = await import('../../core/theme/site.ts');
  const host = named ?? (built.length === 1 ? built[0] : undefined);
  const edgeHost = EDGE_HOSTS.find((name) => name === host);
  if (named !== undefined && edgeHost === undefined)
    throw new UsageError(`--host must be one of ${EDGE_HOSTS.join(', ')}, not \`${named}\`.`);
  return edgeHost && (await loadAdapters([edgeHost]))[edgeHost].capabilities;
}

async function wait(deployment: Deployment, seconds: number, isSilent: boolean, limits: VerifyOptions): Promise<void> {
  const { waitForBuild } = await import('./io/verify.ts');
  const took = await waitForBuild(deployment, seconds, limits);
  if (isSilent) return;
  const text = took === undefined ? `✘ not live after ${seconds} s` : `✔ live after ${Math.round(took)} s`;
  process.stdout.write(`${text}\n`);
}

function waitOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (!(seconds <= MAX_WAIT_SECONDS))
    throw new UsageError(`--wait must be a number of seconds from 0 to ${MAX_WAIT_SECONDS}, not \`${text}\`.`);
  return seconds;
}

/** Reads the build to compare with, and the credentials in --header of the user or group in --as or --group. */
async function readBuildAndCredentials(
  values: VerifyFlags,
  secret: Secret,
  hostname: string,
): Promise<Pick<Deployment, 'build' | 'credentials'>> {
  const { givenHeaders } = await import('../../system/command-line/credentials.ts');
  const { readBuild } = await import('./io/read-build.ts');
  const named = searchedKeys(values.as, values.group);
  const credentials = givenHeaders(values.header, secret);
  if (credentials !== undefined && named.length !== 1)
    throw new UsageError(
      'With `--header`, name the one user or group of the credentials: `--as USER` or `--group GROUP`.',
    );
  return { build: await readBuild(values.out, values['edge-out'], named, secret, hostname), credentials };
}
