import { lstat, mkdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { build } from '../../src/index.ts';
import { run } from '../command-line.ts';
import { plain } from '../images.ts';
import { makeSite, readTree, removeSite, type SiteFolder, treeHashes } from '../site-folder.ts';

const HOUR = 60 * 60 * 1000;
const HASH = 'ab'.repeat(32);

let site: SiteFolder;
/** The cache with what the themes use. */
let used: string[];

beforeEach(async () => {
  site = await makeSite();
  await build(site);
  used = await cached();
});

afterEach(() => removeSite(site));

/** The files of the cache but for its index, which is not pruned. */
async function cacheFiles(): Promise<[name: string, bytes: Buffer][]> {
  return [...(await readTree(site.cacheDir))].filter(([name]) => !name.startsWith('index/'));
}

async function cached(): Promise<string[]> {
  return (await cacheFiles()).map(([name]) => name);
}

const at = (name: string): string => path.join(site.cacheDir, name);

/** A file of the cache that no theme uses. */
async function addFile(name: string, { bytes = 1000, age }: { bytes?: number; age: number }): Promise<string> {
  await mkdir(path.dirname(at(name)), { recursive: true });
  await writeFile(at(name), 'x'.repeat(bytes));
  const time = new Date(Date.now() - age);
  await utimes(at(name), time, time);
  return name;
}

const blob = (digit: string): string => `objects/${digit}${digit}/${digit.repeat(64)}`;

async function sizeOfCache(): Promise<number> {
  const sizes = (await cacheFiles()).map(([, { length }]) => length);
  return sizes.reduce((sum, size) => sum + size, 0);
}

test('removes the least recently used files that a build did not use, until the rest fits', async () => {
  const size = await sizeOfCache();
  const old = await addFile(blob('a'), { age: 3 * HOUR });
  const newer = await addFile(blob('b'), { age: HOUR });
  const oldest = await addFile(blob('c'), { age: 4 * HOUR });
  const { cacheBytes } = await build({ ...site, cacheMax: size + 1500 });
  expect(await cached()).toEqual([...used, newer].toSorted());
  expect(cacheBytes).toBe(size + 1000);
  expect([old, oldest].filter((name) => used.includes(name))).toEqual([]);
});

test('removes nothing from a cache that fits, or if no maximum is given', async () => {
  await addFile(blob('a'), { age: 3 * HOUR });
  const all = await cached();
  expect((await build(site)).cacheBytes).toBeUndefined();
  await build({ ...site, cacheMax: 1e9 });
  expect(await cached()).toEqual(all);
});

test('never removes what the build used', async () => {
  for (const name of used) await utimes(at(name), 1, 1);
  const published = await treeHashes(site.outDir);
  const { cacheBytes, rendered } = await build({ ...site, cacheMax: 0 });
  expect(rendered).toBe(0);
  expect(await cached()).toEqual(used);
  expect(cacheBytes).toBe(await sizeOfCache());
  expect(await treeHashes(site.outDir)).toEqual(published);
  const { stdout } = await run(['build', '--cache', '.cache', '--cache-max', '1K'], { cwd: site.root });
  expect(stdout).toMatch(
    /^! The cache has \d+\.\d MB, more than --cache-max: this site uses all of it, so nothing more was removed$/m,
  );
});

test('removes thumbnails of earlier images', async () => {
  await writeFile(path.join(site.themesDir, 'harbor/banner.png'), await plain(60, 20).png().toBuffer());
  await build({ ...site, cacheMax: 0 });
  const changed = await cached();
  expect(changed).toHaveLength(used.length);
  expect(changed).not.toEqual(used);
});

test('removes nothing after a build with errors', async () => {
  await writeFile(path.join(site.themesDir, 'harbor/theme.yaml'), 'id: 1\n');
  expect((await build({ ...site, cacheMax: 0 })).ok).toBe(false);
  expect(await cached()).toEqual(used);
});

test('stores the time of use, at most once a day', async () => {
  const [recent, old] = [Date.now() - 23 * HOUR, Date.now() - 25 * HOUR].map((time) => Math.floor(time / 1000));
  const [first = '', ...others] = used;
  await utimes(at(first), recent ?? 0, recent ?? 0);
  for (const name of others) await utimes(at(name), old ?? 0, old ?? 0);
  await build({ ...site, cacheMax: 1e9 });
  expect((await lstat(at(first))).mtimeMs).toBe((recent ?? 0) * 1000);
  for (const name of others) expect((await lstat(at(name))).mtimeMs).toBeGreaterThan(Date.now() - HOUR);
});

test('removes partial files that are older than an hour', async () => {
  const partial = (hash: string): string => `objects/ab/${hash}.01234567-89ab-4def-8123-456789abcdef`;
  const abandoned = await addFile(partial(HASH), { age: 2 * HOUR });
  const current = await addFile(partial(HASH.replace('cd', 'ef').slice(0, 62).padEnd(64, '0')), { age: HOUR / 2 });
  await build({ ...site, cacheMax: 1e9 });
  expect(await cached()).toEqual([...used, current].toSorted());
  expect(await cached()).not.toContain(abandoned);
});

test('leaves files with other names, and what links lead to', async () => {
  const outside = path.join(site.root, 'outside');
  await mkdir(outside);
  const names = [HASH, `ab${'0'.repeat(62)}`];
  for (const name of names) await writeFile(path.join(outside, name), 'kept');
  await mkdir(at('objects/ab'), { recursive: true });
  await symlink(path.join(outside, HASH), at(`objects/ab/${HASH}`));
  await symlink(outside, at('objects/cd')).catch(async () => {
    await rm(at('objects/cd'), { recursive: true });
    await symlink(outside, at('objects/cd'));
  });
  const foreign = [
    await addFile('objects/ab/README', { age: HOUR }),
    await addFile(`objects/abc/${HASH}`, { age: HOUR }),
    await addFile(`objects/00/${HASH}`, { age: HOUR }),
    await addFile('other/file', { age: HOUR }),
  ];
  const kinds = (await readTree(outside)).size;
  await build({ ...site, cacheMax: 0 });
  expect((await readTree(outside)).size).toBe(kinds);
  expect((await lstat(at(`objects/ab/${HASH}`))).isSymbolicLink()).toBe(true);
  const left = await cached();
  expect(foreign.filter((name) => left.includes(name))).toEqual(foreign);
});

test('does not enter a folder of the cache that is a link', async () => {
  const outside = path.join(site.root, 'outside');
  await rename(at('objects'), outside);
  await symlink(outside, at('objects'));
  const before = await treeHashes(outside);
  await build({ ...site, cacheMax: 0 }).catch(() => undefined);
  expect(await treeHashes(outside)).toEqual(before);
});

test('of one shard leaves the results of the others', async () => {
  await rm(site.cacheDir, { recursive: true });
  for (const shard of ['1/3', '2/3', '3/3'])
    await run(['render', '--shard', shard, '--cache', '.cache', '--cache-max', '0K'], { cwd: site.root });
  expect(await cached()).toEqual(used);
  const { stdout } = await run(['build', '--cache', '.cache', '--expect-cached', '--format', 'json'], {
    cwd: site.root,
  });
  expect(JSON.parse(stdout)).toMatchObject({ ok: true, rendered: 0 });
});
