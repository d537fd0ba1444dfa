import { readFileSync, statSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from './command-line.ts';
import { makeSite, readTree, removeSite, type SiteFolder } from './site-folder.ts';

// What a command opens, examines, loads and writes is the same on every machine; how long that takes is not.

let home: string;
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'themecast-home-'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

interface Counts {
  opened: string[];
  /** Number of times that entries were examined. */
  examined: number;
  modules: string[];
}

/** Runs a command, and returns what it opened below the site, examined and loaded. */
async function counted(args: readonly string[], { root }: SiteFolder): Promise<Counts> {
  const counts = path.join(home, 'counts');
  await rm(counts, { force: true });
  const result = await run(args, {
    cwd: root,
    env: { HOME: home, XDG_CACHE_HOME: '', XDG_STATE_HOME: '', COUNTS: counts },
    nodeFlags: ['--import', path.join(import.meta.dirname, 'counts.js')],
  });
  expect(result).toMatchObject({ code: 0, stderr: '' });
  const lines = readFileSync(counts, 'utf8').split('\n');
  const of = (prefix: string): string[] =>
    lines.filter((line) => line.startsWith(`${prefix} `)).map((line) => line.slice(prefix.length + 1));
  return {
    opened: of('openSync').filter((file) => file.startsWith(root)),
    examined: [...of('lstatSync'), ...of('statSync')].filter((file) => file.startsWith(root)).length,
    modules: of('module').map((url) => url.replace(/^.*\/(?=lib\/|node_modules\/)/, '')),
  };
}

const NAMES = Array.from({ length: 240 }, (_, at) => `theme-${at}`);
let site: SiteFolder;

beforeAll(async () => {
  site = await makeSite({ themes: Object.fromEntries(NAMES.map((name) => [name, {}])) });
  await counted(['build', '--quiet'], site);
  // Once all times are old, the digests of all files are kept.
  await delay(2200);
  await counted(['build', '--quiet'], site);
}, 120_000);
afterAll(() => removeSite(site));

/** Returns the number of files and folders that a build reads and writes. */
async function entries(): Promise<number> {
  const trees = await Promise.all([site.themesDir, site.outDir, site.edgeOutDir].map(readTree));
  return trees.reduce((sum, tree) => sum + tree.size, 0);
}

describe('when nothing has changed, a build', () => {
  test('opens no file of the site, and examines each once', async () => {
    const { opened, examined } = await counted(['build', '--quiet'], site);
    expect(opened).toEqual([]);
    expect(examined).toBeLessThanOrEqual(1.2 * (await entries()));
  });

  test('loads ten files: no schema, no parser, no decoder', async () => {
    const { modules } = await counted(['build', '--quiet'], site);
    expect(modules.filter((name) => !/^lib\/bundle\/[\w-]+\.js$/.test(name))).toEqual([]);
    expect(modules.filter((name) => /\/(?:culori|saxes|yaml|zod|draw|help)-/.test(name))).toEqual([]);
    expect(modules.length).toBeLessThanOrEqual(10);
  });
});

test('after a change of one theme, a build opens its text once, and writes little more than its documents', async () => {
  const before = await stamps();
  const yaml = path.join(site.themesDir, 'theme-7/theme.yaml');
  await writeFile(yaml, (await readFile(yaml, 'utf8')).replace(/^name: .*$/m, 'name: Changed'));
  const { opened, examined, modules } = await counted(['build', '--quiet'], site);
  expect(modules.length).toBeLessThanOrEqual(26);
  expect(opened.filter((file) => file.startsWith(site.themesDir) && file.endsWith('theme.yaml'))).toEqual([yaml]);
  expect(examined).toBeLessThanOrEqual(1.25 * (await entries()));
  const written = [...(await stamps())].filter(([file, stamp]) => before.get(file) !== stamp).map(([file]) => file);
  const names = written.map((file) => path.basename(file));
  expect(names.filter((name) => name.startsWith('theme-')).every((name) => name.startsWith('theme-7.'))).toBe(true);
  // The page shows 200 themes, whose markup has 11 kB each; everything else grows with each theme.
  const page = statSync(path.join(site.outDir, 'api/v2/theme/browse.html')).size;
  const bytes = written.reduce((sum, file) => sum + statSync(file).size, 0);
  expect(page).toBeLessThan(200 * 14_000);
  expect((bytes - page) / NAMES.length).toBeLessThanOrEqual(8500);
  expect(await readFile(path.join(site.outDir, 'api/v2/theme/browse.html'), 'utf8')).toContain(
    'This page shows the first 200 of 240 themes; <a href="?format=json">the JSON</a> has all of them.',
  );
});

/** Returns inode and time of every output file. */
async function stamps(): Promise<Map<string, string>> {
  const names = await Promise.all(
    [site.outDir, site.edgeOutDir].map(async (folder) =>
      [...(await readTree(folder)).keys()].map((name) => path.join(folder, name)),
    ),
  );
  return new Map(
    names.flat().map((file) => {
      const { ino, mtimeMs } = statSync(file);
      return [file, `${ino} ${mtimeMs}`];
    }),
  );
}
