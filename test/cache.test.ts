import { execFileSync } from 'node:child_process';
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type BuildSuccess, check } from '../src/index.ts';
import { run } from './command-line.ts';
import { disc, quarters } from './images.ts';
import { buildSite, copySite, makeSite, readTree, removeSite, type SiteFolder, treeHashes } from './site-folder.ts';

let site: SiteFolder;
let cold: BuildSuccess;
let published: Record<string, string>;

let built: SiteFolder;

beforeAll(async () => {
  const shared = await quarters(640, 200).png().toBuffer();
  const unique = await disc(128, 64).png().toBuffer();
  const banner = (file: string) => ({
    default_group_banner: file,
    default_event_banner: file,
    default_user_profile_banner: file,
  });
  built = await makeSite({
    themes: {
      harbor: { fields: banner('shared.png'), images: { 'shared.png': shared } },
      meadow: {
        fields: { ...banner('copy.png'), logo_site: 'own.png' },
        images: { 'copy.png': shared, 'own.png': unique },
      },
    },
  });
  cold = await buildSite(built);
  published = await treeHashes(built.outDir);
});

afterAll(() => removeSite(built));

// A copy for each test, since the tests corrupt it.
beforeEach(async () => {
  site = await copySite(built);
});

afterEach(async () => {
  await removeSite(site);
});

/** Returns the files of one kind in the cache. */
async function stored(kind: 'objects' | 'results'): Promise<string[]> {
  const folder = path.join(site.cacheDir, kind);
  return [...(await readTree(folder)).keys()].map((name) => path.join(folder, name));
}

/** Flips a bit. @param part - the position of its byte, from 0 for the first to 1 for the last */
async function flip(file: string, part: number): Promise<void> {
  const bytes = await readFile(file);
  const at = Math.round((bytes.length - 1) * part);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  await writeFile(file, bytes);
}

async function expectRepaired(rendered: number): Promise<void> {
  const rebuilt = await buildSite(site);
  expect(rebuilt.diagnostics).toEqual([]);
  expect(rebuilt.rendered).toBe(rendered);
  expect(await treeHashes(site.outDir)).toEqual(published);
  await rm(site.outDir, { recursive: true });
  expect((await buildSite(site)).rendered).toBe(0);
  expect(await treeHashes(site.outDir)).toEqual(published);
}

test('renders equal images of two themes once, and publishes them for both', () => {
  // The shared banner, own.png, the logo, and the size of the logo for applications. The favicon is the icon.
  expect(cold.rendered).toBe(5);
  expect(cold.cached).toBe(0);
  const names = Object.keys(published).filter((name) => /(?:shared|copy)\..*-thumbnail-/.test(name));
  expect(names.map((name) => name.split('/')[1])).toEqual(['harbor', 'meadow']);
  expect(new Set(names.map((name) => published[name])).size).toBe(1);
});

type Corruption = readonly [name: string, corrupt: (file: string) => Promise<void>];

const flips = (...parts: readonly number[]): Corruption[] =>
  parts.map((part) => [`with a flipped bit at ${part}`, (file) => flip(file, part)]);
const truncations = (...lengths: readonly number[]): Corruption[] =>
  lengths.map((length) => [`truncated to ${length} bytes`, (file) => truncate(file, length)]);

describe('what is not whole is absent, and is replaced', () => {
  const corruptions: readonly Corruption[] = [
    ...flips(0, 0.3, 1),
    ...truncations(0, 70),
    [
      'that is a folder',
      async (file) => {
        await rm(file);
        await mkdir(path.join(file, 'folder'), { recursive: true });
      },
    ],
  ];
  test.each(corruptions)('a thumbnail %s', async (_, corrupt) => {
    expect(await stored('objects')).toHaveLength(5);
    for (const file of await stored('objects')) await corrupt(file);
    await rm(site.outDir, { recursive: true });
    await expectRepaired(5);
  });

  test.each(corruptions)('a result %s', async (_, corrupt) => {
    // Of each theme and each decoded image.
    expect(await stored('results')).toHaveLength(7);
    for (const file of await stored('results')) await corrupt(file);
    await expectRepaired(5);
  });
});

test('caches of several machines are merged by copying their files', async () => {
  const merged = path.join(site.root, 'merged');
  for (const index of [1, 2]) {
    const cacheDir = path.join(site.root, `cache-${index}`);
    expect(await check({ ...site, cacheDir, shard: { index, total: 2 } })).toMatchObject({ ok: true });
    await cp(cacheDir, merged, { recursive: true });
  }
  expect(await run(['check', '--shard', '1/2', '--users=-'], { cwd: site.root })).toMatchObject({
    code: 2,
    stderr: 'themecast: --shard reads no users: leave out --users.\n',
  });
  await rm(site.outDir, { recursive: true });
  expect(await buildSite({ ...site, cacheDir: merged })).toMatchObject({ rendered: 0 });
  expect(await treeHashes(site.outDir)).toEqual(published);
});

describe('above a gigabyte, the files used longest ago are removed', () => {
  const HOUR = 60 * 60 * 1000;
  /** Adds a file that no theme uses. A sparse one: there is room for two, but not for three. */
  const add = async (name: string, hours: number, bytes = 450e6): Promise<string> => {
    const file = path.join(site.cacheDir, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, '');
    await truncate(file, bytes);
    const time = new Date(Date.now() - hours * HOUR);
    await utimes(file, time, time);
    return name;
  };
  const nameOf = (kind: string, digit: string): string => `${kind}/${digit.repeat(2)}/${digit.repeat(64)}`;

  test('but no used file, no file with another name, and no target of a link', async () => {
    const used = (await stored('objects')).concat(await stored('results'));
    for (const file of used) await utimes(file, 1, 1);
    const outside = path.join(site.root, 'outside');
    await mkdir(path.join(site.cacheDir, 'objects/ab'), { recursive: true });
    await writeFile(outside, 'kept');
    await symlink(outside, path.join(site.cacheDir, `objects/ab/${'ab'.repeat(32)}`));
    const old = [await add(nameOf('results', 'a'), 50)];
    const partial = `objects/ab/${'ab'.repeat(32)}.01234567-89ab-4def-8123-456789abcdef`;
    old.push(await add(partial, 30, 10));
    const kept = [
      await add(nameOf('objects', 'c'), 40),
      await add(nameOf('results', 'b'), 1),
      await add('objects/ab/README', 99),
    ];
    await writeFile(path.join(site.themesDir, 'harbor/shared.png'), await disc(60, 20).png().toBuffer());
    expect((await buildSite(site)).rendered).toBe(1);
    const names = new Set((await readTree(site.cacheDir)).keys());
    expect(old.filter((name) => names.has(name))).toEqual([]);
    expect(kept.filter((name) => names.has(name))).toEqual(kept);
    expect(await readFile(outside, 'utf8')).toBe('kept');
    // The result of the earlier theme is not used, and is removed first.
    const times = await Promise.all(used.map(async (file) => (await stat(file).catch(() => undefined))?.mtimeMs));
    expect(times.filter((time) => time !== undefined && time < Date.now() - HOUR)).toEqual([]);
  });
});

test('a cache folder with files that Git tracks is rejected', async () => {
  const git = (...args: string[]): unknown => execFileSync('git', args, { cwd: site.root });
  git('init', '--quiet');
  git('add', '--force', '.cache');
  for (const command of ['build', 'check']) {
    const { code, stderr } = await run([command, '--cache', '.cache'], { cwd: site.root });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'themecast: Git tracks files in the cache folder .cache, so anyone who can push could decide what is published. Remove them with `git rm -r --cached .cache`, or name another with `--cache DIR`.\n',
    });
  }
});

describe('by default', () => {
  let home: string;
  beforeEach(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'themecast-home-'));
  });
  afterEach(() => rm(home, { recursive: true }));

  const inHome = (args: readonly string[], env: Record<string, string> = {}) =>
    run(args, { cwd: site.root, env: { HOME: home, XDG_CACHE_HOME: '', XDG_STATE_HOME: '', ...env } });

  test('results are stored in the cache and state folders of the user, and not in the checkout', async () => {
    await rm(site.cacheDir, { recursive: true });
    const before = (await readdir(site.root)).toSorted();
    expect((await inHome(['build'])).stdout).toContain('5 images rendered');
    expect((await inHome(['build', '--out', 'other', '--edge-out', 'other-edge'])).stdout).toContain(
      '0 images rendered',
    );
    expect((await readdir(path.join(home, '.cache/themecast'))).toSorted()).toEqual(['objects', 'results']);
    // The results for each output, and a file whose time is that of a run; tables, once files are old.
    expect((await readdir(path.join(home, '.local/state/themecast'))).length).toBeGreaterThanOrEqual(3);
    expect((await readdir(site.root)).toSorted()).toEqual([...before, 'other', 'other-edge'].toSorted());
    expect(await treeHashes(site.outDir)).toEqual(published);
  });

  test('a link outside the checkout is followed, as to a larger disk', async () => {
    await mkdir(path.join(home, 'disk'));
    await mkdir(path.join(home, '.cache'));
    await symlink('../disk', path.join(home, '.cache/themecast'));
    for (const args of [[], ['--cache', path.join(home, '.cache/themecast')]])
      expect(await inHome(['build', ...args])).toMatchObject({ code: 0, stderr: '' });
    expect((await readdir(path.join(home, 'disk'))).toSorted()).toEqual(['objects', 'results']);
  });

  test('without a home outside the checkout, nothing is stored and a warning is printed; `--cache` works', async () => {
    await rm(site.cacheDir, { recursive: true });
    for (const HOME of ['/dev/null', site.root])
      for (const _ of [1, 2]) {
        const { stdout } = await inHome(['build'], { HOME });
        expect(stdout).toContain('5 images rendered');
        expect(stdout).toContain(
          '! No writable home directory outside the checkout, so nothing is cached between runs: `--cache DIR` keeps images.\n',
        );
      }
    for (const count of [5, 0]) {
      const { stdout } = await inHome(['build', '--cache', 'kept'], { HOME: '/dev/null' });
      expect(stdout).toContain(`${count} images rendered`);
      expect(stdout).toContain('! No writable home directory outside the checkout, so every file is read again.\n');
    }
  });
});

test('lets concurrent builds share a cache', async () => {
  const names = ['a', 'b', 'c'];
  const cacheDir = path.join(site.root, 'shared-cache');
  const results = await Promise.all(
    names.map((name) =>
      run(['build', '--out', name, '--edge-out', `${name}-edge`, '--cache', cacheDir], { cwd: site.root }),
    ),
  );
  expect(results.map(({ code, stderr }) => ({ code, stderr }))).toEqual(names.map(() => ({ code: 0, stderr: '' })));
  for (const name of names) expect(await treeHashes(path.join(site.root, name))).toEqual(published);
  // No partial file remains.
  const cacheFiles = [...(await readTree(cacheDir)).keys()].map((file) => path.basename(file));
  expect(cacheFiles.filter((name) => !/^[0-9a-f]{64}$/.test(name))).toEqual([]);
});
