import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { UsageError } from '../../command-line/command.ts';
import { visibleLines } from '../../diagnostics/quote.ts';
import { liveSince, parseManifest, recordText } from '../../document/deployment.ts';
import { RECORDS } from '../../document/endpoint.ts';
import { replacesAll } from '../../hosts/deploy-scripts.ts';
import { requestTo, textOf, WHOLE } from '../../http/exchange.ts';
import { HttpClient } from '../../http/io/client.ts';
import { FRESH, type Live, readLive } from '../../http/io/live-record.ts';
import { temporaryFolder } from '../../io/disk/temporary-folder.ts';
import { type Built, type LiveSite, type Plan, planOf } from '../plan.ts';
import { commandsText, planText, wayBack } from '../report.ts';
import { openBuild } from './build.ts';
import { carryAlong } from './carry.ts';
import { relationOf } from './history.ts';
import { CAME_FIRST, FOREIGN, runScript } from './script.ts';

export interface DeployFlags {
  themes: string;
  out: string;
  'edge-out': string;
  'dry-run': boolean;
  'allow-older': boolean;
  'allow-unknown': boolean;
  first: boolean;
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
    const live = await readLive(client, built.baseUrl);
    if (live.problem !== undefined && !flags.first)
      throw new UsageError(`${live.problem} If nothing is deployed there yet, add \`--first\`.`);
    const refusal = await refusalOf(live, built, flags);
    if (refusal !== undefined) return print(`✘ ${refusal}\n`, 1);
    const site = await readSite(client, built.baseUrl, live);
    checkDropped(flags.drop, built, site);
    const now = new Date();
    const plan = planOf(built.files, flags.first ? site && { ...site, files: undefined } : site, now, flags.drop);
    print(planText(plan, built, site));
    const run = { built, flags, client, work, call };
    return flags['dry-run'] ? print(commandsText(built, verifyArguments(run))) : await upload(run, plan, live, now);
  } finally {
    client.close();
    await rm(work, { recursive: true, force: true });
  }
}

/** Why a build is not deployed over what is live; nothing if it may be. */
async function refusalOf(
  { record }: Live,
  { commit, themesDir }: Built,
  flags: DeployFlags,
): Promise<string | undefined> {
  if (record === undefined || flags['allow-older'] || flags.first) return undefined;
  const relation = await relationOf(themesDir, record.commit, commit);
  if (relation === 'replaceable') return undefined;
  const which = `What is live, ${liveSince(record)},`;
  if (relation === 'conflicting')
    return `${which} is newer than this commit, ${commit.slice(0, 7)}, or of another branch. Deploy a commit that contains it, or go back with \`--allow-older\`.`;
  throw new UsageError(
    `${which} is not in this clone. Run \`git fetch\`, in a shallow clone \`git fetch --unshallow\` (in CI, \`fetch-depth: 0\`); or replace it with \`--allow-older\`.`,
  );
}

/** What is live, with the files that its manifest names. */
async function readSite(client: HttpClient, url: string, { record }: Live): Promise<LiveSite | undefined> {
  if (record === undefined) return undefined;
  const response = await client.send(requestTo(url, RECORDS.manifest, { ...WHOLE, decode: true, headers: FRESH }));
  const isOfRecord = !('noResponse' in response) && response.status === 200 && response.sha256 === record.manifest;
  return { record, files: isOfRecord ? parseManifest(textOf(response))?.files : undefined };
}

function checkDropped(dropped: readonly string[], { files }: Built, site: LiveSite | undefined): void {
  const live = new Set([...(site?.files ?? []), ...(site?.record.retained ?? [])].map((file) => file.path));
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

/** Runs the script, and says how it ended. */
async function upload(run: Run, plan: Plan, live: Live, now: Date): Promise<number> {
  const { built, flags, client, work } = run;
  const { outDir, host, script, commit, manifest, cacheControl, repeat } = built;
  const at = (name: string): string => path.join(work, name);
  const { retained, lost } = replacesAll(host)
    ? await carryAlong(client, built, at('dist'), plan.retained)
    : { retained: plan.retained, lost: [] };
  for (const line of lost) print(`! Not retained: ${line}.\n`);
  const record = recordText({ commit, time: now.toISOString(), manifest, cache_control: cacheControl, retained });
  const changed = plan.changed.map((file) => file.path);
  if (changed.length + plan.gone.length > 0) changed.push('manifest.json');
  const lines = (names: readonly string[]): string => names.map((name) => `${name}\n`).join('');
  const files = { 'deployment.json': record, changed: lines(changed), gone: lines(plan.gone) };
  for (const [name, text] of Object.entries(files)) await writeFile(at(name), text);
  const code = await runScript(script, {
    RECORD: at('deployment.json'),
    EXPECT: flags.first ? 'any' : (live.sha256 ?? '-'),
    DIST: replacesAll(host) ? at('dist') : path.resolve(outDir),
    CHANGED: at('changed'),
    GONE: at('gone'),
  });
  if (code === CAME_FIRST) return overtaken(run, await readLive(client, built.baseUrl));
  if (code === FOREIGN) return print('✘ Nothing was uploaded.\n', 2);
  if (code !== 0)
    return print(`✘ ${script} ended with exit code ${code}. What is live still works; repeat with ${repeat}.\n`, 1);
  return conclude(run, record, live);
}

/** Reads the record back, verifies, and prints what is live. */
async function conclude(run: Run, record: string, before: Live): Promise<number> {
  const { built, client, call } = run;
  const { baseUrl, host } = built;
  let found = await readLive(client, baseUrl);
  for (let waited = 0; waited < MAX_WAIT_MS; waited += POLL_MS) {
    if (found.record !== undefined && found.sha256 !== before.sha256) break;
    await delay(POLL_MS);
    found = await readLive(client, baseUrl);
  }
  if (found.record === undefined || found.sha256 === before.sha256)
    return print(`✘ The new deployment.json is not live: is ${baseUrl} what was deployed to?\n`, 1);
  if (recordText(found.record) !== record) return overtaken(run, found);
  const code = await call(verifyArguments(run));
  print(`${code === 0 ? '✔' : '✘'} ${liveSince(found.record)} is live on ${host}.\n`);
  return print(before.record === undefined ? '' : wayBack(before.record, built), code);
}

/** Says what another deployment, which came in between, means for this one. */
function overtaken({ built: { repeat, again } }: Run, { record }: Live): number {
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
