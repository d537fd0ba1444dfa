import fs, { statSync } from 'node:fs';
import { cp, mkdtemp, readFile, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type BuildOptions, type BuildSuccess, check } from '../src/index.ts';
import { solidImage, squareSvg } from './images.ts';
import { buildSite, copySite, makeSite, readTree, removeSite, type SiteFolder, treeHashes } from './site-folder.ts';

let state: string;
let site: SiteFolder;
let first: BuildSuccess;
let published: Record<string, string>;

beforeAll(async () => {
  state = await mkdtemp(path.join(tmpdir(), 'themecast-state-'));
  vi.stubEnv('XDG_STATE_HOME', state);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(state, { recursive: true });
});

beforeEach(async () => {
  site = await makeSite({
    themes: { harbor: {}, meadow: { fields: { extends: 'harbor', logo_site: 'big.png' } }, orchard: {} },
    users: [['ann', 'meadow']],
  });
  await writeFile(
    path.join(site.themesDir, 'meadow/big.png'),
    await solidImage(300, 200, [51, 102, 153]).png().toBuffer(),
  );
  first = await buildSite(site);
  expect(first.diagnostics).toEqual([]);
  published = await treeHashes(site.outDir);
});
afterEach(async () => {
  await removeSite(site);
  await rm(path.join(state, 'themecast'), { recursive: true, force: true });
});

const rebuild = (options: Partial<BuildOptions> = {}): Promise<BuildSuccess> => buildSite({ ...site, ...options });
const at = (file: string): string => path.join(site.root, file);

/** Returns the inode and modification time of every published file, of which a write changes at least one. */
async function fileStamps(): Promise<Record<string, string>> {
  const files = [...(await readTree(site.outDir)).keys()];
  return Object.fromEntries(
    files.map((file) => {
      const { ino, mtimeMs } = statSync(path.join(site.outDir, file));
      return [file, `${ino} ${mtimeMs}`];
    }),
  );
}

/** Returns how often a function reads a file of the site or writes one. */
async function opened(run: () => Promise<unknown>): Promise<string[]> {
  const files: string[] = [];
  const { openSync } = fs;
  vi.spyOn(fs, 'openSync').mockImplementation((...args) => {
    if (String(args[0]).startsWith(site.root)) files.push(path.relative(site.root, String(args[0])));
    return openSync(...args);
  });
  syncBuiltinESMExports();
  await run().finally(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  return files;
}

/** Makes all files of the site old, so that their digests are kept. */
async function age(): Promise<void> {
  await delay(2200);
  await rebuild();
}

describe('a build without changes', () => {
  test('writes nothing, opens no file, and returns the result of the last build', async () => {
    const before = await fileStamps();
    const expected = { ...first, rendered: 0, cached: first.rendered + first.cached };
    expect(await rebuild()).toMatchObject(expected);
    await age();
    expect(await opened(async () => expect(await rebuild()).toMatchObject(expected))).toEqual([]);
    expect(await fileStamps()).toEqual(before);
    await rm(path.join(state, 'themecast'), { recursive: true });
    expect(await rebuild()).toMatchObject(expected);
    expect(await fileStamps()).toEqual(before);
  });

  test('reads every file that was changed too recently for its times', async () => {
    await age();
    const yaml = at('themes/orchard/theme.yaml');
    const text = await readFile(yaml, 'utf8');
    for (const name of ['Orchard one', 'Orchard two']) {
      const now = new Date();
      await writeFile(yaml, text.replace(/^name: .*$/m, `name: ${name}`));
      await utimes(yaml, now, now);
      expect(await opened(rebuild)).toContain('themes/orchard/theme.yaml');
      expect(await readFile(at('dist/api/v2/theme/config/orchard.json'), 'utf8')).toContain(name);
    }
  });

  test('reads a file that was changed and has its old size and time', async () => {
    const yaml = at('themes/orchard/theme.yaml');
    await writeFile(yaml, (await readFile(yaml, 'utf8')).replace(/^name: .*$/m, 'name: Orchard one'));
    await rebuild();
    await age();
    const { atime, mtime } = await stat(yaml);
    await writeFile(yaml, (await readFile(yaml, 'utf8')).replace('Orchard one', 'Orchard two'));
    await utimes(yaml, atime, mtime);
    expect(await opened(rebuild)).toContain('themes/orchard/theme.yaml');
    expect(await readFile(at('dist/api/v2/theme/config/orchard.json'), 'utf8')).toContain('Orchard two');
  });

  test.each([
    ['another base URL', { baseUrl: 'https://other.example.org' }],
    ['another commit', { commit: 'c'.repeat(40) }],
    ['another user', {}],
  ])('is repeated with %s', async (name, options) => {
    const edge = await treeHashes(site.edgeOutDir);
    if (name === 'another user') await writeFile(at('themes/users.csv'), 'user,theme\nann,meadow\nbob,meadow\n');
    expect((await rebuild(options)).users).toBe(name === 'another user' ? 2 : 1);
    expect(await treeHashes(site.edgeOutDir)).not.toEqual(edge);
  });
});

test('a build in another folder decodes nothing, and compiles no theme again', async () => {
  const results = async (): Promise<string[]> => [...(await readTree(path.join(site.cacheDir, 'results'))).keys()];
  const before = await results();
  const other = await copySite(site);
  try {
    expect(await buildSite({ ...other, cacheDir: site.cacheDir })).toMatchObject({ rendered: 0 });
    expect(await results()).toEqual(before);
    await writeFile(path.join(other.themesDir, 'meadow/theme.yaml'), 'name: [');
    const { diagnostics } = await check({ ...other, cacheDir: site.cacheDir });
    expect(diagnostics.map(({ location }) => location.file)).toContain(
      path.relative(process.cwd(), path.join(other.themesDir, 'meadow/theme.yaml')),
    );
  } finally {
    await removeSite(other);
  }
});

describe('output that was changed after a build', () => {
  const file = 'dist/api/v2/theme/index.json';
  test.each<[string, () => Promise<void>]>([
    ['that is missing', () => rm(at(file))],
    [
      'that was tampered with, and has its old size and time',
      async () => {
        const { atime, mtime } = await stat(at(file));
        await writeFile(at(file), (await readFile(at(file), 'utf8')).replace('harbor', 'hArbor'));
        await utimes(at(file), atime, mtime);
      },
    ],
    ['that was replaced by another', () => cp(at('dist/manifest.json'), at(file))],
    ['that has another name', () => rename(at(file), at('dist/api/v2/theme/other.json'))],
  ])('is restored: a file %s', async (_, change) => {
    await change();
    const { foreign } = await rebuild();
    for (const file of foreign) await rm(file);
    expect(await treeHashes(site.outDir)).toEqual(published);
  });

  test('is restored: an image that was tampered with, which is not copied to the cache', async () => {
    const name = Object.keys(published).find((file) => file.includes('thumbnail')) ?? '';
    const media = path.join(site.outDir, name);
    await writeFile(media, 'x'.repeat((await stat(media)).size));
    await rebuild();
    expect(await treeHashes(site.outDir)).toEqual(published);
  });
});

describe('a changed source', () => {
  test('is detected by its name and type, even if the folder listing is cached', async () => {
    const codes = async (): Promise<string[]> => (await check(site)).diagnostics.map(({ code }) => code);
    const added = at('themes/orchard/extra.svg');
    await writeFile(added, squareSvg(20, 20));
    expect(await codes()).toEqual(['image/unused']);
    await rename(added, at('themes/orchard/.extra.svg'));
    expect(await codes()).toEqual([]);
    const banner = at('themes/orchard/banner.png');
    await rename(banner, at('themes/harbor/.banner.png'));
    await symlink('../harbor/.banner.png', banner);
    expect(await codes()).toContain('image/not-a-file');
    await rm(banner);
    await rename(at('themes/harbor/.banner.png'), banner);
    expect(await codes()).toEqual([]);
    await rename(at('themes/orchard'), at('themes/.orchard'));
    expect(await codes()).toContain('theme/slug');
  });

  test('writes only the files that depend on it', async () => {
    const before = await fileStamps();
    const yaml = await readFile(at('themes/orchard/theme.yaml'), 'utf8');
    await writeFile(at('themes/orchard/theme.yaml'), yaml.replace(/^name: .*$/m, 'name: New name'));
    const result = await rebuild();
    expect(result.rendered).toBe(0);
    const after = await fileStamps();
    const changed = Object.keys(after).filter((file) => after[file] !== before[file]);
    expect(changed.map((file) => file.replace('api/v2/theme/', ''))).toEqual([
      ...'3/index.css 3/index.json assets.json browse.html config/orchard.css config/orchard.html config/orchard.json index.json'.split(
        ' ',
      ),
      ...'manifest.json'.split(' '),
    ]);
  });
});

test('a changed site setting applies to unchanged themes', async () => {
  const [theme, settings] = [at('themes/orchard/theme.yaml'), at('themes/site.yaml')];
  const before = await readFile(settings, 'utf8');
  await writeFile(theme, `${await readFile(theme, 'utf8')}\nlogo_alignment: end\n`);
  await writeFile(settings, `${before}\nlogo_alignments: [end]\n`);
  expect((await check(site)).diagnostics).toEqual([]);
  await writeFile(settings, before);
  expect((await check(site)).diagnostics.map(({ code }) => code)).toContain('field/value');
});
