import { readdir, rm, writeFile } from 'node:fs/promises';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { build } from '../src/compiler/build.ts';
import { isLong } from './long-test.ts';
import { makeSite, readTree, removeSite, type SiteFolder } from './site-folder.ts';

/**
 * Runs a function until its nth call that renames or removes a file. That call and all later ones never happen, as if the process had
 * been killed.
 * @returns whether there was such a call
 */
async function killedAtCall(n: number, run: () => Promise<unknown>): Promise<boolean> {
  let calls = 0;
  const { rename: renames, rm: removes, rmdir } = promises;
  const killed = new Promise<'killed'>((resolve) => {
    const dying =
      <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
      (...args: A): Promise<R> => {
        if (++calls < n) return call(...args);
        resolve('killed');
        return new Promise(() => undefined);
      };
    Object.assign(promises, { rename: dying(renames), rm: dying(removes), rmdir: dying(rmdir) });
    syncBuiltinESMExports();
  });
  try {
    return (await Promise.race([run(), killed])) === 'killed';
  } finally {
    Object.assign(promises, { rename: renames, rm: removes, rmdir });
    syncBuiltinESMExports();
  }
}

const SITE = { base_url: 'https://community.example.org', edge: ['cloudflare'] };

/** The build that is killed, and the build before it. */
const CHANGES = ['the first build', 'a change', 'a deletion'] as const;

/**
 * Kills a build at every nth renaming and removal; then a theme is edited, and the site is built.
 * @param keyed - whether the private output has keyed shards
 */
async function expectNextBuildsWhole(change: (typeof CHANGES)[number], keyed: boolean, every: number) {
  const started = { site: { ...SITE, mapping: { keyed } }, users: [['tom', 'meadow']] as const };
  const site = await makeSite({ ...started, themes: { harbor: {}, meadow: {}, spring: {} } });
  const at = (...names: string[]): string => path.join(site.root, ...names);
  try {
    await published(site); // so that all images are in the cache
    for (let n = 1, isKilled = true; isKilled; n += every) {
      for (const name of ['dist', 'edge', 'themes']) await rm(at(name), { recursive: true, force: true });
      const again = await makeSite({ ...started, themes: { harbor: {}, meadow: {}, spring: {} } });
      await promises.rename(again.themesDir, site.themesDir);
      await removeSite(again);
      if (change !== 'the first build') await published(site);
      if (change === 'a change') await edit(site, 'Spring of ' + n);
      if (change === 'a deletion') await rm(at('themes/spring'), { recursive: true });
      isKilled = await killedAtCall(n, () => published(site));
      // The locks contain the id of this process, which is alive.
      for (const lock of ['.dist.lock', '.edge.lock']) await rm(at(lock), { force: true });
      if (change === 'the first build') await rm(at('themes/spring'), { recursive: true });
      await edit(site, 'Edited');
      await published(site);
      const clean = await makeSite(started);
      await rm(clean.themesDir, { recursive: true });
      await promises.cp(site.themesDir, clean.themesDir, { recursive: true });
      await published({ ...clean, cacheDir: site.cacheDir });
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

async function published(site: SiteFolder): Promise<void> {
  const result = await build({ ...site, allowShrink: true, keySecret: '0'.repeat(32) });
  expect(result).toMatchObject({ ok: true, foreign: [], diagnostics: [] });
}

async function edit({ themesDir }: SiteFolder, name: string): Promise<void> {
  const [slug = ''] = (await readdir(themesDir)).filter((one) => ['meadow', 'spring'].includes(one)).toReversed();
  const file = path.join(themesDir, slug, 'theme.yaml');
  const text = await promises.readFile(file, 'utf8');
  await writeFile(file, text.replace(/^name: .*$/m, `name: ${name}`));
}

afterEach(() => {
  vi.unstubAllEnvs();
});

/** In `npm run stress journeys`, every call of each build is the last; otherwise, a sample of the calls of one. */
const CASES = CHANGES.flatMap((change) =>
  [false, true].flatMap((keyed) => [true, false].map((home) => [change, keyed, home] as const)),
).filter(([change, keyed, home]) => isLong || (change === 'a deletion' && !keyed && home));

describe('a build after a killed build publishes exactly the files that a build into an empty folder does', () => {
  test.each(CASES)('%s (keyed: %s; home: %s)', { timeout: 600_000 }, async (change, keyed, home) => {
    if (!home) vi.stubEnv('XDG_STATE_HOME', '/dev/null/none');
    // Of keyed shards, there are some seventy like each other.
    await expectNextBuildsWhole(change, keyed, !isLong ? 53 : keyed ? 7 : 1);
  });
});
