import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publishedFiles, SETTINGS } from './golden/build-setting.ts';
import { goldenFile, goldenNames, UPDATE_HINT, writeGoldenFiles } from './golden/golden.ts';
import { listing } from './golden/portable.ts';

let cacheDir: string;

beforeAll(async () => {
  cacheDir = await mkdtemp(path.join(tmpdir(), 'themecast-golden-cache-'));
});

afterAll(() => rm(cacheDir, { recursive: true, force: true }));

describe('published files', () => {
  it.each(Object.entries(SETTINGS))('of the setting %s match their golden file', async (name, setting) => {
    const files = await publishedFiles(setting, cacheDir);
    await writeGoldenFiles('trees', name, files);
    await expect(listing(files)).toMatchFileSnapshot(goldenFile('trees', name), UPDATE_HINT);
  });

  it('have a setting for every golden file', async () => {
    expect((await goldenNames('trees')).filter((name) => !(name in SETTINGS))).toEqual([]);
  });
});
