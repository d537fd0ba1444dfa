import { statSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type BuildOptions, type BuildSuccess, check } from '../src/index.ts';
import { trustedDevice, untilSettled } from '../src/compiler/fingerprints.ts';
import { sha256Of } from '../src/disk/files.ts';
import { solidImage, squareSvg } from './images.ts';
import { buildSite, makeSite, onFileSystem, readTree, removeSite, type SiteFolder, treeHashes } from './site-folder.ts';

let state: string;
let site: SiteFolder;
let first: BuildSuccess;
let published: Record<string, string>;

beforeAll(async () => {
  // On an overlay, which containers use, no fingerprint is trusted.
  if (trustedDevice(tmpdir()) === undefined) vi.stubEnv('TMPDIR', '/dev/shm');
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
  await untilSettled(Date.now());
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

/** Returns the path of the index of results that are validated by timestamps. */
async function indexFile(): Promise<string> {
  const folder = path.join(state, 'themecast');
  const [name = ''] = await readdir(folder);
  return path.join(folder, name);
}

/** Changes the index, as anyone with write access to the home of this user can. */
async function forge(change: (body: string) => string): Promise<void> {
  const file = await indexFile();
  const text = await readFile(file, 'utf8');
  const end = text.lastIndexOf('\n', text.length - 2) + 1; // the last line is the checksum
  const body = change(text.slice(0, end));
  expect(body).not.toBe(text.slice(0, end));
  await writeFile(file, `${body}${sha256Of(`3\n${body}`)}\n`);
}

/** Changes the number of users in the stored result of the last build. */
const changeUserCount = (body: string): string => body.replace(/"users":1,/g, '"users":7,');

describe('a build without changes', () => {
  test('writes nothing, and returns the result of the last build', async () => {
    const before = await fileStamps();
    const second = await rebuild();
    expect(second).toMatchObject({ ...first, rendered: 0, cached: first.rendered + first.cached });
    expect(await fileStamps()).toEqual(before);
    // The result comes from the index: a changed index is trusted until the state folder is deleted.
    await forge(changeUserCount);
    expect((await rebuild()).users).toBe(7);
    await rm(path.join(state, 'themecast'), { recursive: true });
    expect((await rebuild()).users).toBe(1);
  });

  test.each([
    ['another base URL', { baseUrl: 'https://other.example.org' }],
    ['strict', { strict: true }],
    ['another user', {}],
  ])('is repeated with %s', async (name, options) => {
    await forge(changeUserCount);
    if (name === 'another user') await writeFile(at('themes/users.csv'), 'user,theme\nann,meadow\nbob,meadow\n');
    expect((await rebuild(options)).users).toBe(name === 'another user' ? 2 : 1);
  });
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

test('on a file system without change times, no fingerprint is trusted, even if the index contains one', async () => {
  await forge(changeUserCount);
  const end = onFileSystem(0x794c7630); // an overlay
  const [built, checked] = [await rebuild().finally(end), await rebuild()];
  expect([built.users, checked.users]).toEqual([1, 1]);
  expect(await treeHashes(site.outDir)).toEqual(published);
});

test('an outdated index does not change the output', async () => {
  const early = await readFile(await indexFile());
  await writeFile(at('themes/users.csv'), 'user,theme\nann,meadow\nbob,orchard\n');
  await writeFile(at('themes/meadow/big.png'), await solidImage(320, 200, [153, 102, 51]).png().toBuffer());
  await rebuild();
  const later = await treeHashes(site.outDir);
  await writeFile(await indexFile(), early);
  expect((await rebuild()).users).toBe(2);
  expect(await treeHashes(site.outDir)).toEqual(later);
});

test('a changed site setting applies to unchanged themes', async () => {
  await writeFile(
    at('themes/orchard/theme.yaml'),
    `${await readFile(at('themes/orchard/theme.yaml'), 'utf8')}\nlogo_alignment: left\n`,
  );
  await untilSettled(Date.now());
  expect((await check(site)).diagnostics).toEqual([]);
  await writeFile(
    at('themes/site.yaml'),
    `${await readFile(at('themes/site.yaml'), 'utf8')}\nlogo_alignments: [center]\n`,
  );
  expect((await check(site)).diagnostics.map(({ code }) => code)).toContain('field/value');
});
