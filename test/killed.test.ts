import fs from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { build } from '../src/compiler/build.ts';
import { isLong } from './long-test.ts';
import { makeSite, readTree, removeSite, type SiteFolder } from './site-folder.ts';

/**
 * Runs a function until its nth call that renames or removes a file. That call and all later ones do nothing, as if the process had been
 * killed.
 * @returns whether the function made so many calls
 */
async function killedAtCall(n: number, run: () => Promise<unknown>): Promise<boolean> {
  let calls = 0;
  const isKilled = (): boolean => ++calls >= n;
  const { rm: removes, rmdir } = promises;
  const { renameSync } = fs;
  const unlessKilled =
    <A extends unknown[]>(call: (...args: A) => Promise<void>) =>
    (...args: A): Promise<void> =>
      isKilled() ? Promise.resolve() : call(...args);
  Object.assign(promises, { rm: unlessKilled(removes), rmdir: unlessKilled(rmdir) });
  fs.renameSync = (...args) => {
    if (isKilled()) throw new Error('killed');
    renameSync(...args);
  };
  syncBuiltinESMExports();
  try {
    await run();
  } catch (error) {
    if (calls < n) throw error;
  } finally {
    Object.assign(promises, { rm: removes, rmdir });
    fs.renameSync = renameSync;
    syncBuiltinESMExports();
  }
  return calls >= n;
}

const SITE = { base_url: 'https://community.example.org', edge: ['cloudflare'] };

/** The changes that the killed build publishes. */
const CHANGES = ['the first build', 'a change', 'a deletion'] as const;

/**
 * Kills a build at every nth rename or removal, edits a theme, and expects the next build to equal a build into an empty folder.
 * @param keyed - whether the private output has keyed shards
 */
async function expectRecovery(change: (typeof CHANGES)[number], keyed: boolean, every: number) {
  const parts = { site: { ...SITE, mapping: { keyed } }, users: [['tom', 'meadow']] as const };
  const site = await makeSite({ ...parts, themes: { harbor: {}, meadow: {}, spring: {} } });
  const at = (...names: string[]): string => path.join(site.root, ...names);
  try {
    await publish(site); // fills the cache with all images
    for (let n = 1, isKilled = true; isKilled; n += every) {
      for (const name of ['dist', 'edge', 'themes']) await rm(at(name), { recursive: true, force: true });
      const fresh = await makeSite({ ...parts, themes: { harbor: {}, meadow: {}, spring: {} } });
      await promises.rename(fresh.themesDir, site.themesDir);
      await removeSite(fresh);
      if (change !== 'the first build') await publish(site);
      if (change === 'a change') await edit(site, 'Spring of ' + n);
      if (change === 'a deletion') await rm(at('themes/spring'), { recursive: true });
      isKilled = await killedAtCall(n, () => publish(site));
      // The locks contain the id of this process, which is alive.
      for (const lock of ['.dist.lock', '.edge.lock']) await rm(at(lock), { force: true });
      if (change === 'the first build') await rm(at('themes/spring'), { recursive: true });
      await edit(site, 'Edited');
      await publish(site);
      const clean = await makeSite(parts);
      await rm(clean.themesDir, { recursive: true });
      await promises.cp(site.themesDir, clean.themesDir, { recursive: true });
      await publish({ ...clean, cacheDir: site.cacheDir });
      for (const tree of ['dist', 'edge']) {
        expect(await namesIn(at(tree)), `call ${n}`).toEqual(await namesIn(path.join(clean.root, tree)));
        expect(await readTree(at(tree)), `call ${n}`).toEqual(await readTree(path.join(clean.root, tree)));
      }
      expect((await readdir(at('dist'))).filter((name) => name.startsWith('.'))).toEqual([]);
      await removeSite(clean);
      if (!isKilled) expect(n).toBeGreaterThan(10);
    }
  } finally {
    await removeSite(site);
  }
}

/** Returns the names of files and folders, at any depth. */
async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder, { recursive: true })).toSorted();
}

async function publish(site: SiteFolder): Promise<void> {
  const result = await build({ ...site, allowShrink: true, keySecret: '0'.repeat(32) });
  expect(result).toMatchObject({ ok: true, foreign: [], diagnostics: [] });
}

async function edit({ themesDir }: SiteFolder, newName: string): Promise<void> {
  const [slug = ''] = (await readdir(themesDir)).filter((name) => ['meadow', 'spring'].includes(name)).toReversed();
  const file = path.join(themesDir, slug, 'theme.yaml');
  const text = await promises.readFile(file, 'utf8');
  await writeFile(file, text.replace(/^name: .*$/m, `name: ${newName}`));
}

afterEach(() => {
  vi.unstubAllEnvs();
});

/** All cases in `npm run stress journeys`; otherwise only a deletion, with a sample of its calls. */
const CASES = CHANGES.flatMap((change) =>
  [false, true].flatMap((keyed) => [true, false].map((hasHome) => [change, keyed, hasHome] as const)),
).filter(([change, keyed, hasHome]) => isLong || (change === 'a deletion' && !keyed && hasHome));

describe('a build after a killed build publishes the same files as a build into an empty folder', () => {
  test.each(CASES)('%s (keyed: %s; home: %s)', { timeout: 600_000 }, async (change, keyed, hasHome) => {
    if (!hasHome) vi.stubEnv('XDG_STATE_HOME', '/dev/null/none');
    // A sample is enough for keyed shards: some seventy are published in the same way.
    await expectRecovery(change, keyed, !isLong ? 53 : keyed ? 7 : 1);
  });
});
