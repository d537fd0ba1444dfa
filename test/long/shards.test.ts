import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { BIN, run, type Run } from '../command-line.ts';
import { readPage } from '../docs/pages.ts';
import { disc, plain, quarters, squareSvg } from '../images.ts';
import { buildSite, copySite, makeSite, removeSite, type SiteFolder, treeHashes } from '../site-folder.ts';

const SHARDS = ['1/3', '2/3', '3/3'];

let template: SiteFolder;
let site: SiteFolder;
let expected: Record<string, string>;
let rendered: number;

interface Figures {
  ok: boolean;
  rendered: number;
  cached: number;
}

const figuresOf = ({ stdout }: Run): Figures => JSON.parse(stdout) as Figures;

/** Runs a command with the cache and state of a separate machine. */
function runOn(machine: string, args: readonly string[], env: Record<string, string | undefined> = {}): Promise<Run> {
  return run(args, {
    cwd: site.root,
    env: {
      XDG_STATE_HOME: path.join(machines(), machine),
      XDG_CACHE_HOME: path.join(machines(), machine, 'cache'),
      ...env,
    },
  });
}

// Next to the site, because a home inside it would not be used.
const machines = (): string => `${site.root}-machines`;

beforeAll(async () => {
  const banner = (file: string) => ({ default_group_banner: file, default_event_banner: file });
  const shared = await quarters(320, 100).png().toBuffer();
  template = await makeSite({
    themes: {
      harbor: { fields: banner('shared.png'), images: { 'shared.png': shared, 'logo.svg': squareSvg(40, 40) } },
      meadow: { fields: banner('copy.png'), images: { 'copy.png': shared } },
      ridge: { fields: banner('own.png'), images: { 'own.png': await disc(320, 90).png().toBuffer() } },
      shore: { fields: banner('own.jpg'), images: { 'own.jpg': await plain(320, 80).jpeg().toBuffer() } },
    },
  });
  site = await copySite(template);
  ({ rendered } = await buildSite(site));
  expected = await treeHashes(site.outDir);
  await removeSite(site);
});

afterAll(() => removeSite(template));

beforeEach(async () => {
  site = await copySite(template);
});

afterEach(async () => {
  await removeSite(site);
  await rm(machines(), { recursive: true, force: true });
});

describe('check --shard', () => {
  /** Runs three processes at once, each with its own cache. */
  async function checkShards(): Promise<void> {
    const runs = await Promise.all(
      SHARDS.map((shard, at) => runOn(`machine-${at}`, ['check', '--shard', shard, '--cache', `cache-${at}`])),
    );
    expect(runs.map(({ code, stderr }) => ({ code, stderr }))).toEqual(SHARDS.map(() => ({ code: 0, stderr: '' })));
    expect(runs[1]?.stdout).toMatch(
      /^✔ 4 themes checked, the images of share 2 of 3 decoded in \S+ s\n\nNext: copy the caches of all shares into one\. `.* build --cache DIR` publishes them\.\n$/,
    );
  }

  async function merge(...caches: readonly string[]): Promise<void> {
    await mkdir(site.cacheDir, { recursive: true });
    for (const cache of caches) execFileSync('cp', ['-r', `${cache}/.`, site.cacheDir], { cwd: site.root });
  }

  const buildMerged = async (): Promise<Figures> => {
    const built = await runOn('publisher', ['build', '--cache', '.cache', '--format', 'json']);
    expect(built).toMatchObject({ code: 0, stderr: '' });
    expect(await treeHashes(site.outDir)).toEqual(expected);
    return figuresOf(built);
  };

  test('on three machines publishes, with merged caches, the same files as one machine', async () => {
    await checkShards();
    expect(existsSync(site.outDir)).toBe(false);
    await merge('cache-0', 'cache-1', 'cache-2');
    expect(await buildMerged()).toMatchObject({ ok: true, rendered: 0, cached: rendered });
  });

  test('rejects --no-images and --users', async () => {
    for (const flag of ['--no-images', '--users=-'])
      expect(await runOn('one', ['check', '--shard', '1/2', flag])).toEqual({
        code: 2,
        stdout: '',
        stderr: 'themecast: --shard decodes images and reads no users: leave out --no-images and --users.\n',
      });
  });
});

test('the jobs for GitHub in the documentation publish the same files as one machine', async () => {
  interface Workflow {
    jobs: Record<string, { strategy?: { matrix: { shard: number[] } }; steps: { run?: string }[] }>;
  }
  const { jobs } = parse(readPage('docs/theme-repository/shards.yml')) as Workflow;
  const commandOf = (job: string): string =>
    (jobs[job]?.steps.find(({ run: command = '' }) => command.includes('themecast'))?.run ?? '').replaceAll(
      'npx --no-install themecast',
      `${process.execPath} ${BIN}`,
    );
  const shards = jobs['check']?.strategy?.matrix.shard ?? [];
  const runJob = (job: string, cwd: string, env: Record<string, string>): unknown =>
    execFileSync('bash', ['-e', '-c', commandOf(job)], {
      cwd,
      env: { ...process.env, XDG_STATE_HOME: `${cwd}-state`, XDG_CACHE_HOME: `${cwd}-home`, ...env },
    });
  const merged = path.join(machines(), 'publisher/.cache');
  await cp(site.root, path.dirname(merged), { recursive: true });
  for (const shard of shards) {
    const checkout = path.join(machines(), `checkout-${shard}`);
    await cp(site.root, checkout, { recursive: true });
    runJob('check', checkout, { SHARD: String(shard), SHARDS: String(shards.length) });
    await cp(path.join(checkout, 'added'), merged, { recursive: true });
  }
  runJob('deploy', path.dirname(merged), { RUNNER_TEMP: machines() });
  expect(shards.length).toBeGreaterThan(1);
  expect(await treeHashes(path.join(machines(), 'site/dist'))).toEqual(expected);
});
