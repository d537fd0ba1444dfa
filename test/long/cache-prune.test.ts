import { lstat, mkdir, readdir, rename, rm, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { build } from '../../src/index.ts';
import { solidImage } from '../images.ts';
import { buildSite, makeSite, readTree, removeSite, type SiteFolder, treeHashes } from '../site-folder.ts';

const HOUR = 60 * 60 * 1000;
const HASH = 'ab'.repeat(32);
/** The size of a sparse file in bytes: a cache has room for two, but not for three. */
const LARGE = 450e6;

let site: SiteFolder;
/** The cached files that the themes use. */
let used: string[];

beforeEach(async () => {
  site = await makeSite();
  await build(site);
  used = await cachedFiles();
});

afterEach(() => removeSite(site));

/** Returns the files of the cache, except for its index, which is not pruned. */
async function cachedFiles(): Promise<string[]> {
  const entries = await readdir(site.cacheDir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const names = files.map((entry) => path.relative(site.cacheDir, path.join(entry.parentPath, entry.name)));
  return names.filter((name) => !name.startsWith('index/')).toSorted();
}

const at = (name: string): string => path.join(site.cacheDir, name);

/** Adds a file to the cache that no theme uses. */
async function addFile(name: string, { bytes = 1000, age }: { bytes?: number; age: number }): Promise<string> {
  await mkdir(path.dirname(at(name)), { recursive: true });
  await writeFile(at(name), '');
  await truncate(at(name), bytes);
  const time = new Date(Date.now() - age);
  await utimes(at(name), time, time);
  return name;
}

/** Adds unused files, of which one has to be removed. */
async function fill(): Promise<string[]> {
  const blob = (digit: string): string => `objects/${digit}${digit}/${digit.repeat(64)}`;
  const ages = { a: 3 * HOUR, b: HOUR, c: 4 * HOUR };
  return Promise.all(Object.entries(ages).map(([digit, age]) => addFile(blob(digit), { bytes: LARGE, age })));
}

/** Builds with a new thumbnail, so that the cache is pruned. @returns the name of its file */
async function buildAgain(): Promise<string[]> {
  const before = new Set(await cachedFiles());
  await writeFile(path.join(site.themesDir, 'harbor/banner.png'), await solidImage(60, 20).png().toBuffer());
  expect((await buildSite(site)).rendered).toBe(1);
  return (await cachedFiles()).filter((name) => !before.has(name));
}

test('removes the least recently used files that a build did not use, until the limit is met', async () => {
  const [old = '', newer = ''] = await fill();
  const added = await buildAgain();
  const remaining = await cachedFiles();
  expect(remaining).toEqual(expect.arrayContaining([old, newer, ...added]));
  expect(remaining).toHaveLength(used.length + 3);
});

test('never removes a file that the build used', async () => {
  for (const name of used) await utimes(at(name), 1, 1);
  await fill();
  const [added = ''] = await buildAgain();
  await rm(at(added));
  const remaining = new Set(await cachedFiles());
  // The thumbnail of the earlier image is removed, because the build did not use it.
  expect(used.filter((name) => !remaining.has(name))).toHaveLength(1);
});

test('stores the time of use, at most once a day', async () => {
  const [recent, old] = [Date.now() - 23 * HOUR, Date.now() - 25 * HOUR].map((time) => Math.floor(time / 1000));
  for (const [index, name] of used.entries()) {
    const time = (index === 0 ? recent : old) ?? 0;
    await utimes(at(name), time, time);
  }
  await buildAgain();
  const times = await Promise.all(used.map(async (name) => (await lstat(at(name))).mtimeMs));
  // Only the first file, and the thumbnail of the earlier image, retain their times.
  expect(times.filter((time) => time < Date.now() - HOUR).length).toBeLessThanOrEqual(2);
  expect(times.filter((time) => time === (recent ?? 0) * 1000)).toHaveLength(1);
});

test('removes partial files that are older than an hour', async () => {
  const partial = (hash: string): string => `objects/ab/${hash}.01234567-89ab-4def-8123-456789abcdef`;
  const abandoned = await addFile(partial(HASH), { age: 2 * HOUR });
  const current = await addFile(partial(HASH.replace('cd', 'ef').slice(0, 62).padEnd(64, '0')), { age: HOUR / 2 });
  await buildAgain();
  expect(await cachedFiles()).toContain(current);
  expect(await cachedFiles()).not.toContain(abandoned);
});

test('keeps files with unknown names, and the targets of links', async () => {
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
    await addFile('objects/ab/README', { bytes: LARGE, age: 9 * HOUR }),
    await addFile(`objects/abc/${HASH}`, { bytes: LARGE, age: 9 * HOUR }),
    await addFile(`objects/00/${HASH}`, { bytes: LARGE, age: 9 * HOUR }),
    await addFile('other/file', { bytes: LARGE, age: 9 * HOUR }),
  ];
  const [, , oldest = ''] = await fill();
  await buildAgain();
  expect((await readTree(outside)).size).toBe(names.length);
  expect((await lstat(at(`objects/ab/${HASH}`))).isSymbolicLink()).toBe(true);
  const remaining = await cachedFiles();
  expect(remaining).not.toContain(oldest);
  expect(foreign.filter((name) => remaining.includes(name))).toEqual(foreign);
});

test('does not enter a folder of the cache that is a link', async () => {
  const outside = path.join(site.root, 'outside');
  await rename(at('objects'), outside);
  await symlink(outside, at('objects'));
  const before = await treeHashes(outside);
  await build(site).catch(() => undefined);
  expect(await treeHashes(outside)).toEqual(before);
});
