import { rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { UsageError } from '../../command-line/command.ts';
import { requireGit } from '../../command-line/require-git.ts';
import { visibleLines } from '../../diagnostics/quote.ts';
import { type DeploymentRecord, liveSince, recordText } from '../../document/deployment.ts';
import { replacesAll } from '../../hosts/deploy-scripts.ts';
import { HttpClient } from '../../http/io/client.ts';
import { type Live, readLive } from '../../http/io/live-record.ts';
import { temporaryFolder } from '../../disk/temporary-folder.ts';
import { type Built, type LiveSite, type Plan, planOf, unionOf } from '../plan.ts';
import { commandsText, planText, unsetText, wayBack } from '../report.ts';
import { openBuild } from './build.ts';
import { carryAlong } from './carry.ts';
import { relationOf } from './history.ts';
import { type Place, placesOf } from './places.ts';
import { CAME_FIRST, runScript, STOP_SIGNALS, UNPREPARED } from './script.ts';

export interface DeployFlags {
  themes: string;
  out: string;
  'edge-out': string;
  'dry-run': boolean;
  'allow-older': boolean;
  first: boolean;
  'forget-previous': boolean;
  drop: readonly string[];
  strict: boolean;
}

/** One run of the command. */
interface Run {
  built: Built;
  flags: DeployFlags;
  client: HttpClient;
  /** A folder for its files. */
  work: string;
  /** Calls another command. */
  call: (args: readonly string[]) => Promise<number>;
}

/** A place with its live site, and the changes that the deployment makes. */
interface Target extends Place {
  live: Live;
  site: LiveSite | undefined;
  plan: Plan;
}

/** How long a silent server is waited for; how often and how long a new record. */
const TIMEOUT_MS = 20_000;
const POLL_MS = 1000;
const MAX_WAIT_MS = 120_000;

/** Deploys a build. @returns the exit code @throws {UsageError} if it cannot be deployed as things are */
export async function deploy(host: string, flags: DeployFlags, call: Run['call']): Promise<number> {
  const built = await openBuild(host, flags);
  const client = new HttpClient({ timeoutMs: TIMEOUT_MS }, { userAgent: 'themecast-deploy' });
  const work = await temporaryFolder('themecast-deploy-');
  try {
    const now = new Date();
    const targets: Target[] = [];
    for (const place of placesOf(built, client, work)) {
      const { files, ...live } = await place.read();
      const site = live.record && { record: live.record, files: flags.first ? undefined : files };
      targets.push({ ...place, live, site, plan: planOf(built.files, site, now, flags.drop) });
    }
    if (targets.some(({ live }) => live.problem !== undefined) && !flags.first)
      return print(`✘ Nothing was uploaded. What is live:\n${standing(targets)}`, 1);
    for (const target of targets) {
      const refusal = await refusalOf(target, built, flags);
      if (refusal !== undefined) return print(`✘ ${refusal}\n`, 1);
    }
    checkDropped(flags.drop, built, targets);
    if (built.unset.length > 0 && !flags['dry-run']) throw new UsageError(unsetText(built));
    print(targets.map(({ plan, site, name }) => planText(plan, built, site, name)).join('') + built.remark);
    const run = { built, flags, client, work, call };
    return flags['dry-run'] ? print(commandsText(built, verifyArguments(run))) : await upload(run, targets, now);
  } finally {
    client.close();
    await rm(work, { recursive: true, force: true });
  }
}

/** Why a build is not deployed over what is live; nothing if it may be. */
async function refusalOf(
  { name, live: { record } }: Target,
  { commit, themesDir }: Built,
  flags: DeployFlags,
): Promise<string | undefined> {
  if (record === undefined || flags['allow-older'] || flags.first) return undefined;
  const relation = await relationOf(themesDir, record.commit, commit);
  if (relation === 'replaceable') return undefined;
  const which = `What is live on ${name}, ${liveSince(record)},`;
  if (relation === 'conflicting')
    return `${which} is newer than this commit, ${commit.slice(0, 7)}, or of another branch. Deploy a commit that contains it, or go back with \`--allow-older\`.`;
  await requireGit(themesDir);
  throw new UsageError(
    `${which} or the commit of this build, ${commit.slice(0, 7)}, is not in this clone. Run \`git fetch\`, in a shallow clone \`git fetch --unshallow\` (in CI, \`fetch-depth: 0\`); or replace it with \`--allow-older\`.`,
  );
}

function checkDropped(dropped: readonly string[], { files }: Built, targets: readonly Target[]): void {
  const sites = targets.flatMap(({ site }) => site ?? []);
  const live = new Set(sites.flatMap((site) => [...(site.files ?? []), ...site.record.retained]).map((f) => f.path));
  for (const name of dropped) {
    if (files.some((file) => file.path === name))
      throw new UsageError(`\`--drop ${name}\`: this build names the image. Change the theme that shows it first.`);
    if (!live.has(name)) throw new UsageError(`\`--drop ${name}\`: no such image is live.`);
  }
}

function verifyArguments({ built: { baseUrl, host, outDir, edgeOutDir }, flags }: Run): string[] {
  const strict = flags.strict ? ['--strict'] : [];
  return ['verify', baseUrl, '--wait', '120', '--host', host, '--out', outDir, '--edge-out', edgeOutDir, ...strict];
}

/** Runs the script for each target, and says how it ended. */
async function upload(run: Run, targets: readonly Target[], now: Date): Promise<number> {
  const { built, flags, client, work } = run;
  const { outDir, host, script } = built;
  const at = (name: string): string => path.join(work, name);
  const union = unionOf(targets.map(({ plan }) => plan.retained));
  const { retained, lost } = replacesAll(host)
    ? await carryAlong(client, built, at('dist'), union)
    : { retained: union, lost: [] };
  for (const line of lost) print(`! Not retained: ${line}.\n`);
  const record = recordFor(built, targets, retained, now);
  const environment = {
    RECORD: at('deployment.json'),
    DIST: replacesAll(host) ? at('dist') : path.resolve(outDir),
    CHANGED: at('changed'),
    GONE: at('gone'),
    ...(flags['forget-previous'] && { FORGET: 'yes' }),
  };
  await writeFile(environment.RECORD, record.text);
  // The same on all servers, also in a repeated run: a server makes the ETag of it.
  await utimes(environment.RECORD, record.time, record.time);
  // Pages that one server sends may ask any other for their images.
  const steps = targets.length > 1 ? ['images', 'documents'] : [''];
  for (const STEP of steps)
    for (const target of targets) {
      const { plan, live, env } = target;
      const changed = plan.changed.map((file) => file.path);
      if (changed.length + plan.gone.length > 0) changed.push('manifest.json');
      for (const [name, names] of [['changed', changed] as const, ['gone', plan.gone] as const])
        await writeFile(at(name), names.map((one) => `${one}\n`).join(''));
      const EXPECT = flags.first ? 'any' : (live.sha256 ?? '-');
      const { code, signal } = await runScript(script, { ...environment, ...env, EXPECT, STEP });
      if (code !== 0 || signal !== undefined) return stopped(run, targets, target, { code, signal });
    }
  return conclude(run, record.text, targets);
}

/** The new record. Where a part of a fleet has it already, it is the same, so that in the end all servers have the same. */
function recordFor(
  { commit, manifest, cacheControl }: Built,
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
  const chosen = (isMixed && targets.flatMap(({ site }) => site?.record ?? []).find(isSame)) || record;
  return { text: recordText(chosen), time: new Date(chosen.time) };
}

/** Says why the deployment stopped, and what is live everywhere. @returns the exit code */
async function stopped(
  { built }: Run,
  targets: readonly Target[],
  { name, read }: Target,
  { code, signal }: Awaited<ReturnType<typeof runScript>>,
): Promise<number> {
  const { script, repeat } = built;
  if (signal === undefined && code === CAME_FIRST) return overtaken(built, await read());
  const why =
    signal !== undefined
      ? `Stopped by ${signal}. Repeat with ${repeat}.`
      : code === UNPREPARED
        ? `Nothing was uploaded to ${name}.`
        : `${script} ended with exit code ${code} for ${name}. What is live still works; repeat with ${repeat}.`;
  const now: Target[] = [];
  for (const target of targets) now.push({ ...target, live: await target.read() });
  return print(
    `✘ ${why} What is live:\n${standing(now)}`,
    signal !== undefined ? STOP_SIGNALS[signal] : code === UNPREPARED ? 2 : 1,
  );
}

/** Lists the live commit of each place. */
function standing(targets: readonly Pick<Target, 'name' | 'live'>[]): string {
  const live = ({ record, problem = 'nothing' }: Live): string => (record === undefined ? problem : liveSince(record));
  return targets.map((target) => `  ${target.name}: ${live(target.live)}\n`).join('');
}

/** Reads the record back, verifies, and prints what is live. */
async function conclude(run: Run, record: string, targets: readonly Target[]): Promise<number> {
  const { built, client, call } = run;
  const { baseUrl, host } = built;
  const before = new Set(targets.map(({ live }) => live.sha256));
  let found = await readLive(client, baseUrl);
  const isNew = (): boolean =>
    found.record !== undefined && (recordText(found.record) === record || !before.has(found.sha256));
  for (let waited = 0; waited < MAX_WAIT_MS && !isNew(); waited += POLL_MS) {
    await delay(POLL_MS);
    found = await readLive(client, baseUrl);
  }
  if (found.record === undefined || !isNew())
    return print(`✘ The new deployment.json is not live: is ${baseUrl} what was deployed to?\n`, 1);
  if (recordText(found.record) !== record) return overtaken(built, found);
  print(`Verifying ${baseUrl}: while caches have older documents, for up to 120 s.\n`);
  const code = await call(verifyArguments(run));
  print(`${code === 0 ? '✔' : '✘'} ${liveSince(found.record)} is live on ${host}.\n`);
  const [last] = targets.flatMap(({ site }) => site?.record ?? []);
  return print(last === undefined ? '' : wayBack(last, built), code);
}

/** Says what another deployment, which came in between, means for this one. */
function overtaken({ repeat, again }: Built, { record }: Live): number {
  const other =
    record === undefined
      ? '.'
      : `: ${liveSince(record)}. If documents of both are live now, this restores it:\n  ${again(record.commit)}`;
  return print(
    `✘ Another deployment came first${other}\nRepeat this one with ${repeat}, which ends if the other is newer.\n`,
    1,
  );
}

/** Prints a text. @returns the exit code */
function print(text: string, code = 0): number {
  (code === 0 ? process.stdout : process.stderr).write(visibleLines(text));
  return code;
}
