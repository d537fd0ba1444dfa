import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { build } from '../../src/index.ts';
import { BIN, run, type Run } from '../command-line.ts';
import { readPage } from '../docs/pages.ts';
import { disc, plain, quarters, squareSvg } from '../images.ts';
import { copySite, makeSite, removeSite, type SiteFolder, treeHashes } from '../site-folder.ts';

const SHARDS = ['1/3', '2/3', '3/3'];

let whole: SiteFolder;
let site: SiteFolder;
let expected: Record<string, string>;
let rendered: number;

interface Figures {
  ok: boolean;
  rendered: number;
  cached: number;
  left: number;
}

const figuresOf = ({ stdout }: Run): Figures => JSON.parse(stdout) as Figures;

/** Runs a command as on a machine of its own. */
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

// Beside the site: a home in its folder is not used.
const machines = (): string => `${site.root}-machines`;

beforeAll(async () => {
  const banner = (file: string) => ({ default_group_banner: file, default_event_banner: file });
  const shared = await quarters(320, 100).png().toBuffer();
  whole = await makeSite({
    themes: {
      harbor: { fields: banner('shared.png'), images: { 'shared.png': shared, 'logo.svg': squareSvg(40, 40) } },
      meadow: { fields: banner('copy.png'), images: { 'copy.png': shared } },
      ridge: { fields: banner('own.png'), images: { 'own.png': await disc(320, 90).png().toBuffer() } },
      shore: { fields: banner('own.jpg'), images: { 'own.jpg': await plain(320, 80).jpeg().toBuffer() } },
    },
  });
  site = await copySite(whole);
  ({ rendered } = await build(site));
  expected = await treeHashes(site.outDir);
  await removeSite(site);
});

afterAll(() => removeSite(whole));

beforeEach(async () => {
  site = await copySite(whole);
});

afterEach(async () => {
  await removeSite(site);
  await rm(machines(), { recursive: true, force: true });
});

describe('render --shard', () => {
  /** Three processes at once, each with a cache of its own unless it is named; returns their figures. */
  async function renderShards(cache?: string): Promise<Figures[]> {
    const runs = await Promise.all(
      SHARDS.map((shard, at) =>
        runOn(`machine-${at}`, ['render', '--shard', shard, '--cache', cache ?? `cache-${at}`, '--format', 'json']),
      ),
    );
    expect(runs.map(({ code, stderr }) => ({ code, stderr }))).toEqual(SHARDS.map(() => ({ code: 0, stderr: '' })));
    return runs.map(figuresOf);
  }

  async function merge(...caches: readonly string[]): Promise<void> {
    await mkdir(site.cacheDir, { recursive: true });
    for (const cache of caches) execFileSync('cp', ['-r', `${cache}/.`, site.cacheDir], { cwd: site.root });
  }

  test('on three machines, then copied together, publishes what one machine publishes', async () => {
    const shares = await renderShards();
    expect(shares.map((share) => share.cached)).toEqual([0, 0, 0]);
    expect(shares.every((share) => share.rendered > 0 && share.rendered + share.left === rendered)).toBe(true);
    expect(shares.reduce((sum, share) => sum + share.rendered, 0)).toBe(rendered);
    expect(existsSync(site.outDir)).toBe(false);
    await merge('cache-0', 'cache-1', 'cache-2');
    const merged = await runOn('publisher', ['build', '--cache', '.cache', '--expect-cached', '--format', 'json']);
    expect(merged).toMatchObject({ code: 0, stderr: '' });
    expect(figuresOf(merged)).toMatchObject({ ok: true, rendered: 0, cached: rendered });
    expect(await treeHashes(site.outDir)).toEqual(expected);
  });

  test('into one folder, then published from it', async () => {
    const shares = await renderShards('.cache');
    expect(shares.reduce((sum, share) => sum + share.rendered, 0)).toBe(rendered);
    const built = await runOn('one', ['build', '--cache', '.cache', '--expect-cached', '--format', 'json']);
    expect(figuresOf(built)).toMatchObject({ ok: true, rendered: 0, cached: rendered });
    expect(await treeHashes(site.outDir)).toEqual(expected);
  });

  test('a shard that is missing is reported with its images, and nothing is written', async () => {
    const shares = await renderShards();
    await merge('cache-0', 'cache-2');
    const { code, stdout } = await runOn('publisher', ['build', '--cache', '.cache', '--expect-cached']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^\.cache {2}error {2}The cache lacks \d+ images?: `\w+\/[\w.]+`.* \[image\/not-cached\]$/m);
    expect(stdout).toContain('= Run `themecast render` with this cache, or copy the cache of each shard into it');
    expect(stdout).toContain('✘ Nothing was written; dist/ is unchanged: fix the errors above.\n');
    expect(existsSync(site.outDir)).toBe(false);
    const again = await runOn('publisher', ['render', '--cache', '.cache', '--format', 'json']);
    expect(figuresOf(again)).toMatchObject({ rendered: shares[1]?.rendered, left: 0 });
    expect((await runOn('publisher', ['build', '--cache', '.cache', '--expect-cached'])).code).toBe(0);
    expect(await treeHashes(site.outDir)).toEqual(expected);
  });
});

test('the jobs for GitHub in the documentation publish what one machine publishes', async () => {
  interface Workflow {
    jobs: Record<string, { strategy?: { matrix: { shard: number[] } }; steps: { run?: string }[] }>;
  }
  const { jobs } = parse(readPage('docs/theme-repository/render.yml')) as Workflow;
  const commandOf = (job: string): string =>
    (jobs[job]?.steps.find(({ run: command = '' }) => command.includes('themecast'))?.run ?? '').replaceAll(
      'npx --no-install themecast',
      `${process.execPath} ${BIN}`,
    );
  const shards = jobs['render']?.strategy?.matrix.shard ?? [];
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
    runJob('render', checkout, { SHARD: String(shard), SHARDS: String(shards.length) });
    await cp(path.join(checkout, 'added'), merged, { recursive: true });
  }
  runJob('deploy', path.dirname(merged), { RUNNER_TEMP: machines() });
  expect(shards.length).toBeGreaterThan(1);
  expect(await treeHashes(path.join(machines(), 'site/dist'))).toEqual(expected);
});

describe('render', () => {
  test('renders everything, publishes nothing, and renders nothing the second time', async () => {
    const first = await runOn('one', ['render']);
    expect(first).toEqual({
      code: 0,
      stdout: `✔ 4 themes checked\n✔ ${rendered} images rendered, 0 from the cache\n`,
      stderr: '',
    });
    const second = await runOn('one', ['render', '--format', 'json']);
    expect(figuresOf(second)).toMatchObject({ ok: true, rendered: 0, cached: rendered, left: 0 });
    expect([existsSync(site.outDir), existsSync(site.edgeOutDir)]).toEqual([false, false]);
  });

  test('reports errors in the themes and renders nothing', async () => {
    await writeFile(path.join(site.themesDir, 'meadow/theme.yaml'), 'id: 7\n');
    const { code, stdout } = await runOn('one', ['render']);
    expect(code).toBe(1);
    expect(stdout).toContain('[field/missing]');
    expect(stdout).toContain('✘ Not everything was rendered: fix the errors above.\n');
  });

  test('reports an image that cannot be decoded, and caches the others', async () => {
    const jpeg = await disc(200, 100).jpeg().toBuffer();
    await writeFile(
      path.join(site.themesDir, 'shore/own.jpg'),
      Buffer.concat([jpeg.subarray(0, -200), jpeg.subarray(-2)]),
    );
    const { code, stdout } = await runOn('one', ['render', '--format', 'json']);
    expect(code).toBe(1);
    expect(stdout).toContain('"image/corrupt"');
    expect((JSON.parse(stdout) as Figures).rendered).toBe(rendered - 1);
  });
});

test('build --expect-cached excludes --no-cache', async () => {
  expect(await runOn('one', ['build', '--expect-cached', '--no-cache'])).toEqual({
    code: 2,
    stdout: '',
    stderr: 'themecast: --expect-cached needs the cache that --no-cache disables: give one of the two.\n',
  });
});
