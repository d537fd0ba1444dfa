import { cp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { build } from '../../src/index.ts';
import { makeSite, removeSite, type SiteFolder, treeHashes } from '../site-folder.ts';

const EDITS = 300;
const SEED = 20_261_125;

let state = SEED;
/** Returns a pseudo-random integer below a limit. */
const below = (limit: number): number =>
  ((state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) >>> 8) % Math.max(1, limit);
const oneOf = <T>(values: readonly T[]): T => values[below(values.length)] as T;

let site: SiteFolder;
beforeAll(async () => {
  site = await makeSite({
    themes: { harbor: {}, meadow: {}, spring: {} },
    users: [
      ['tom', 'meadow'],
      ['ann', 'spring'],
    ],
    site: { base_url: 'https://community.example.org', edge: ['nginx'] },
  });
});
afterAll(() => removeSite(site));

const at = (...names: string[]): string => path.join(site.themesDir, ...names);
const read = (...names: string[]): Promise<string> => readFile(at(...names), 'utf8');
const slugs = async (): Promise<string[]> => {
  const entries = await readdir(site.themesDir, { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).toSorted();
};
const replace = async (file: string, from: string | RegExp, to: string): Promise<void> =>
  writeFile(at(file), (await read(file)).replace(from, to));

/** Edits as people and tools make them. None of them causes an error. */
const EDITS_BY_NAME: Readonly<Record<string, (n: number) => Promise<void>>> = {
  name: async (n) => replace(`${oneOf(await slugs())}/theme.yaml`, /^name: .*$/m, `name: Name ${n}`),
  height: async () => {
    const file = `${oneOf(await slugs())}/theme.yaml`;
    const text = (await read(file)).replace(/^logo_height: .*\n/m, '');
    await writeFile(at(file), `${text}logo_height: ${10 + below(90)}\n`);
  },
  // The size and the modification time stay the same, which must not hide the change.
  image: async () => {
    const file = at(oneOf(await slugs()), 'logo.svg');
    const { atime, mtime } = await stat(file);
    const colour = below(0x1000).toString(16).padStart(3, '0');
    await writeFile(file, (await readFile(file, 'utf8')).replace(/fill="#\w{3}"/, `fill="#${colour}"`));
    await utimes(file, atime, mtime);
  },
  swap: async () => {
    const [first = '', second = ''] = [oneOf(await slugs()), oneOf(await slugs())].map((slug) => at(slug, 'logo.svg'));
    if (first === second) return;
    await rename(first, `${first}.swapped`);
    await rename(second, first);
    await rename(`${first}.swapped`, second);
  },
  copy: async (n) => {
    if ((await slugs()).length > 6) return;
    const slug = `copy-${n}`;
    await cp(at('harbor'), at(slug), { recursive: true });
    await replace(`${slug}/theme.yaml`, /^id: .*$/m, `id: ${1000 + n}`);
    await replace(`${slug}/theme.yaml`, /^is_default: .*\n/m, '');
  },
  delete: async () => {
    const slug = (await slugs()).findLast((name) => name.startsWith('copy-'));
    if (slug === undefined) return;
    await rm(at(slug), { recursive: true });
    await replace('users.csv', new RegExp(`^.*,${slug}\n`, 'gm'), '');
  },
  rename: async (n) => {
    const slug = (await slugs()).find((name) => name.startsWith('copy-'));
    if (slug === undefined) return;
    await rename(at(slug), at(`copy-${n}`));
    await replace('users.csv', new RegExp(`,${slug}$`, 'gm'), `,copy-${n}`);
  },
  users: async (n) => writeFile(at('users.csv'), `${await read('users.csv')}user-${n},${oneOf(await slugs())}\n`),
  settings: async () => {
    const text = (await read('site.yaml')).replace(/^(?:stylesheet|cache|edge): .*\n/gm, '');
    const hosts = oneOf(['[nginx]', '[apache, caddy]', '[nginx, cloudflare]', '[]']);
    const cache = `cache: { list_max_age: ${oneOf([0, 60, 300])} }`;
    await writeFile(at('site.yaml'), `${text}edge: ${hosts}\nstylesheet: ${oneOf([true, false])}\n${cache}\n`);
  },
};

/** Returns the published files without images, which are retained for cached documents. */
async function published({ outDir, edgeOutDir }: SiteFolder): Promise<Record<string, string>> {
  const trees = { ...(await treeHashes(outDir)), ...(await treeHashes(edgeOutDir)) };
  return Object.fromEntries(Object.entries(trees).filter(([file]) => !file.startsWith('media/')));
}

test(
  `${EDITS} random edits publish the same files incrementally as a clean build`,
  { timeout: 1_200_000 },
  async () => {
    for (let n = 1; n <= EDITS; n++) {
      const name = oneOf(Object.keys(EDITS_BY_NAME));
      await EDITS_BY_NAME[name]?.(n);
      const clean = await makeSite();
      try {
        await rm(clean.themesDir, { recursive: true });
        await cp(site.themesDir, clean.themesDir, { recursive: true });
        const results = [await build({ ...site, allowShrink: true }), await build({ ...clean, cacheDir: undefined })];
        for (const { diagnostics } of results)
          expect([n, name, diagnostics.filter(({ severity }) => severity === 'error')]).toEqual([n, name, []]);
        expect([n, name, await published(site)]).toEqual([n, name, await published(clean)]);
      } finally {
        await removeSite(clean);
      }
    }
  },
);
