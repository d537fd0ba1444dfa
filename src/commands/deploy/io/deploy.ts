import { rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { UsageError } from '../../../system/command-line/command.ts';
import type { DeployFlags } from '../command.ts';
import { givenHeaders } from '../../../system/command-line/credentials.ts';
import { visibleLines } from '../../../core/diagnostics/quote.ts';
import { MAX_ANCESTORS } from '../../../core/document/files/build-file.ts';
import { type DeploymentRecord, liveSince, recordText } from '../../../core/document/files/deployment.ts';
import { replacesAll } from '../../../hosts/adapter/deploy-scripts.ts';
import { HttpClient } from '../../../system/http/io/client.ts';
import { type Live, readLive } from '../../../system/http/io/live-record.ts';
import { git, isShallowClone, repositoryOf, revParse } from '../../../system/git/git.ts';
import { temporaryFolder } from '../../../system/disk/temporary-folder.ts';
import { type BuildToDeploy, type LiveSite, type Plan, planOf, servedText, unionOf } from '../plan.ts';
import { commandsText, planText, unsetText, rollbackText } from '../report.ts';
import { openBuild } from './build.ts';
import { copyWithRetained } from './carry.ts';
import { type Destination, destinationsOf } from './places.ts';
import { EXIT_LIVE_CHANGED, onSignal, runScript, STOP_SIGNALS, EXIT_UNPREPARED, type StopSignal } from './script.ts';

/** A run of the command. */
interface Run {
  built: BuildToDeploy;
  flags: DeployFlags;
  client: HttpClient;
  /** A temporary folder. */
  work: string;
  /** Calls another command. */
  call: (args: readonly string[]) => Promise<number>;
}

/** A destination with its live site, and the planned changes. */
interface Target extends Destination {
  live: Live & LiveSite;
  plan: Plan;
}

/** The time for one response. */
const RESPONSE_TIMEOUT_MS = 20_000;
/** The pause between two requests for the new deployment record, and the time until it must be live. */
const RECORD_POLL_MS = 1000;
const MAX_RECORD_WAIT_MS = 120_000;

/** Deploys a build. @returns the exit code @throws {UsageError} if something is missing or wrong before the upload */
export async function deploy(host: string, flags: DeployFlags, call: Run['call']): Promise<number> {
  const built = await openBuild(host, flags);
  const headers = givenHeaders(flags['every-request'], (name) => process.env[name], '--every-request');
  const everyRequest = headers && { origin: new URL(built.baseUrl).origin, headers };
  const client = new HttpClient({ timeoutMs: RESPONSE_TIMEOUT_MS }, { userAgent: 'themecast-deploy', everyRequest });
  const work = await temporaryFolder('themecast-deploy-');
  const targets: Target[] = [];
  let ending: Promise<void> | undefined;
  const ignoreSignals = onSignal((signal) => void (ending ??= endAt(signal, built, targets, work)));
  try {
    const now = new Date();
    for (const destination of destinationsOf(built, client, work)) {
      const { signal, ...read } = await destination.read();
      if (signal !== undefined) return print(stoppedText(signal), STOP_SIGNALS[signal]);
      const live = { ...read, ...(flags.first && { files: undefined }) };
      targets.push({ ...destination, live, plan: planOf(built.files, live, now) });
    }
    if (targets.some(({ live }) => live.problem !== undefined) && !flags.first)
      return print(`✘ Nothing was uploaded. Now live:\n${liveCommits(targets)}`, 1);
    for (const target of targets) {
      const refusal = await refusalOf(target, built, flags);
      if (refusal !== undefined) return print(`✘ ${refusal}\n`, 1);
    }
    if (built.unset.length > 0 && !flags['dry-run']) throw new UsageError(unsetText(built));
    print(targets.map(({ plan, live, name }) => planText(plan, built, live, name)).join('') + built.remark);
    const run = { built, flags, client, work, call };
    return flags['dry-run'] ? print(commandsText(built, verifyArguments(run))) : await upload(run, targets, now);
  } finally {
    await ending;
    ignoreSignals();
    client.close();
    await rm(work, { recursive: true, force: true });
  }
}

/** Ends this process at a signal: says what is live, as far as it was asked before, and removes the temporary folder. */
async function endAt(
  signal: StopSignal,
  built: BuildToDeploy,
  targets: readonly Target[],
  work: string,
): Promise<void> {
  const [target] = targets;
  const code =
    target === undefined
      ? print(stoppedText(signal), STOP_SIGNALS[signal])
      : await reportStop({ built }, targets, target, { code: 1, signal });
  await rm(work, { recursive: true, force: true });
  // Requests that are under way would keep the process.
  process.exit(code);
}

function stoppedText(signal: StopSignal): string {
  return `✘ Stopped by ${signal}. Nothing was uploaded.\n`;
}

/** Explains why a build must not replace the live one; undefined if it may. */
async function refusalOf(
  { name, live: { record } }: Target,
  { commit, ancestors, themesDir }: BuildToDeploy,
  flags: DeployFlags,
): Promise<string | undefined> {
  if (record === undefined || flags['allow-older'] || flags.first) return undefined;
  const relation = await relationOf(themesDir, record.commit, { commit, ancestors });
  if (relation === 'replaceable') return undefined;
  const liveCommit = `The live commit of ${name}, ${liveSince(record)},`;
  if (relation === 'conflicting')
    return `${liveCommit} is newer than this commit, ${commit.slice(0, 7)}, or of another branch${(ancestors?.length ?? 0) < MAX_ANCESTORS ? '' : `, or more than ${MAX_ANCESTORS} commits older`}. Deploy a commit that contains it, or go back with \`--allow-older\`.`;
  await repositoryOf(themesDir); // throws Git's words
  throw new UsageError(
    `${liveCommit} or the commit of this build, ${commit.slice(0, 7)}, is not in this clone. Run \`git fetch\`, in a shallow clone \`git fetch --unshallow\` (in CI, \`fetch-depth: 0\`); or replace it with \`--allow-older\`.`,
  );
}

/** Whether the build may replace the live commit: `replaceable` if that is the same commit or an ancestor. */
type Relation = 'replaceable' | 'conflicting' | 'unknown';

/** Compares the live commit with the commit of the build, by its ancestors, or in this clone if it has both. */
async function relationOf(
  folder: string,
  live: string,
  { commit: built, ancestors }: Pick<BuildToDeploy, 'commit' | 'ancestors'>,
): Promise<Relation> {
  if (live === built || ancestors?.includes(live)) return 'replaceable';
  const isHere = async (commit: string) => (await revParse(folder, `${commit}^{commit}`)) !== undefined;
  // Without the clone of the build, its list decides.
  if (!(await isHere(built))) return ancestors === undefined ? 'unknown' : 'conflicting';
  if (!(await isHere(live))) return 'unknown';
  if ((await git(folder, 'merge-base', live, built)) === live) return 'replaceable';
  return (await isShallowClone(folder)) ? 'unknown' : 'conflicting';
}

function verifyArguments({ built: { baseUrl, host, outDir, edgeOutDir }, flags }: Run): string[] {
  const more = [
    ...(flags.strict ? ['--strict'] : []),
    ...flags.tolerate.flatMap((id) => ['--tolerate', id]),
    ...flags['every-request'].flatMap((pair) => ['--every-request', pair]),
  ];
  return ['verify', baseUrl, '--wait', '120', '--host', host, '--out', outDir, '--edge-out', edgeOutDir, ...more];
}

/** Runs the script for each target, and reports the result. @returns the exit code */
async function upload(run: Run, targets: readonly Target[], now: Date): Promise<number> {
  const { built, flags, client, work } = run;
  const { outDir, host, script } = built;
  const at = (name: string): string => path.join(work, name);
  const union = unionOf(targets.map(({ plan }) => plan.retained));
  const { retained, lost } = replacesAll(host)
    ? await copyWithRetained(client, built, at('dist'), union)
    : { retained: union, lost: [] };
  for (const line of lost) print(`! Not retained: ${line}.\n`);
  const record = recordFor(built, targets, retained, now);
  const environment = {
    ...built.variables,
    RECORD: at('deployment.json'),
    DIST: replacesAll(host) ? at('dist') : path.resolve(outDir),
    SERVED: at('served'),
    CHANGED: at('changed'),
    GONE: at('gone'),
    ...(flags['forget-previous'] && { FORGET: 'yes' }),
  };
  await writeFile(environment.RECORD, record.text);
  await writeFile(environment.SERVED, servedText(built.files));
  // Servers derive the ETag from the time of the file, so it must be the same on all, even in a repeated run.
  await utimes(environment.RECORD, record.time, record.time);
  // A page from one server may load its images from another, so all servers get the images first.
  const steps = targets.length > 1 ? ['images', 'documents'] : [''];
  for (const STEP of steps)
    for (const target of targets) {
      const { plan, live, env } = target;
      const changed = plan.changed.map((file) => file.path);
      if (changed.length + plan.removed.length > 0) changed.push('manifest.json');
      for (const [list, names] of [['changed', changed] as const, ['gone', plan.removed] as const])
        await writeFile(at(list), names.map((name) => `${name}\n`).join(''));
      const EXPECT = flags.first ? 'any' : (live.sha256 ?? '-');
      const { code, signal } = await runScript(script, { ...environment, ...env, EXPECT, STEP });
      if (code !== 0 || signal !== undefined) return reportStop(run, targets, target, { code, signal });
    }
  return conclude(run, record.text, targets);
}

/** Makes the new deployment record. If some servers have it from an interrupted run, all servers get the same. */
function recordFor(
  { commit, manifest, cacheControl }: BuildToDeploy,
  targets: readonly Target[],
  retained: DeploymentRecord['retained'],
  now: Date,
): { text: string; time: Date } {
  const record = { commit, time: now.toISOString(), manifest, cache_control: cacheControl, retained };
  const isSame = (other: DeploymentRecord): boolean =>
    other.commit === commit &&
    other.manifest === manifest &&
    retained.every(({ path: name }) => other.retained.some((image) => image.path === name));
  const isMixed = new Set(targets.map(({ live }) => live.sha256)).size > 1;
  const chosen = (isMixed && targets.flatMap(({ live }) => live.record ?? []).find(isSame)) || record;
  return { text: recordText(chosen), time: new Date(chosen.time) };
}

/** Reports why the deployment stopped, and the live commit of every target. @returns the exit code */
async function reportStop(
  { built }: Pick<Run, 'built'>,
  targets: readonly Target[],
  { name, read }: Target,
  { code, signal }: Awaited<ReturnType<typeof runScript>>,
): Promise<number> {
  const { script, repeat } = built;
  if (signal === undefined && code === EXIT_LIVE_CHANGED) return reportConflict(built, await read());
  const why =
    signal !== undefined
      ? `Stopped by ${signal}. Repeat with ${repeat}.`
      : code === EXIT_UNPREPARED
        ? `Nothing was uploaded to ${name}.`
        : `${path.basename(script)} ended with exit code ${code} for ${name}. The live site still works; repeat with ${repeat}.`;
  const now: Target[] = [];
  for (const target of targets) now.push({ ...target, live: await target.read() });
  return print(
    `✘ ${why} Now live:\n${liveCommits(now)}`,
    signal !== undefined ? STOP_SIGNALS[signal] : code === EXIT_UNPREPARED ? 2 : 1,
  );
}

/** Lists the live commit of each target. */
function liveCommits(targets: readonly Pick<Target, 'name' | 'live'>[]): string {
  const live = ({ record, problem = 'nothing' }: Live): string => (record === undefined ? problem : liveSince(record));
  return targets.map((target) => `  ${target.name}: ${live(target.live)}\n`).join('');
}

/** Waits for the new record, verifies the deployment, and prints the live commit. @returns the exit code */
async function conclude(run: Run, record: string, targets: readonly Target[]): Promise<number> {
  const { built, client, call } = run;
  const { baseUrl, host } = built;
  const before = new Set(targets.map(({ live }) => live.sha256));
  let live = await readLive(client, baseUrl);
  const isNew = (): boolean =>
    live.record !== undefined && (recordText(live.record) === record || !before.has(live.sha256));
  for (let waited = 0; waited < MAX_RECORD_WAIT_MS && !isNew(); waited += RECORD_POLL_MS) {
    await delay(RECORD_POLL_MS);
    live = await readLive(client, baseUrl);
  }
  if (live.record === undefined || !isNew())
    return print(
      `✘ The new deployment.json is not live at ${baseUrl}. Check that DNS and proxies lead to ${host}.\n`,
      1,
    );
  if (recordText(live.record) !== record) return reportConflict(built, live);
  print(`Verifying ${baseUrl}; waiting up to 120 s for caches with older documents.\n`);
  const code = await call(verifyArguments(run));
  print(`${code === 0 ? '✔' : '✘'} ${liveSince(live.record)} is live on ${host}.\n`);
  const [previous] = targets.flatMap(({ live }) => live.record ?? []);
  return print(previous === undefined ? '' : rollbackText(previous, built), code);
}

/** Reports another deployment at the same time, and how to restore it. @returns the exit code */
function reportConflict({ repeat, again }: BuildToDeploy, { record }: Live): number {
  const remedy =
    record === undefined
      ? '.'
      : `: ${liveSince(record)}. If documents of both are live now, this restores it:\n  ${again(record.commit)}`;
  return print(
    `✘ Another deployment came first${remedy}\nRun ${repeat} again; it stops if the other deployment is newer.\n`,
    1,
  );
}

/** Prints a text. @returns the exit code */
function print(text: string, code = 0): number {
  (code === 0 ? process.stdout : process.stderr).write(visibleLines(text));
  return code;
}
