import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BuildSuccess } from '../../src/index.ts';
import { sha256Of } from '../../src/disk/files.ts';
import { Cache } from '../../src/compiler/cache.ts';
import type { ThemeEntry } from '../../src/compiler/memory.ts';
import { run } from '../command-line.ts';
import { disc, quarters } from '../images.ts';
import { buildSite, copySite, makeSite, readTree, removeSite, type SiteFolder, treeHashes } from '../site-folder.ts';

/** A script, which must never be accepted as a rendered image. */
const SCRIPT = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');

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

async function objects(): Promise<string[]> {
  const names = [...(await readTree(path.join(site.cacheDir, 'objects'))).keys()];
  return names.map((name) => path.join(site.cacheDir, 'objects', name));
}

async function indexFile(): Promise<string> {
  const [name = ''] = await readdir(path.join(site.cacheDir, 'index'));
  return path.join(site.cacheDir, 'index', name);
}

/** Replaces the thumbnail of every image in the index, and corrects the checksum. */
async function forge(thumbnail: unknown): Promise<void> {
  const file = await indexFile();
  const lines = (await readFile(file, 'utf8')).split('\n').slice(0, -2);
  const forgedLines = lines.map((line) => {
    const [key = '', json = ''] = line.split('\t');
    const entry = JSON.parse(json) as ThemeEntry;
    for (const image of entry.compiled.images)
      Object.assign(image, { decodings: image.decodings.map((decoding) => ({ ...decoding, thumbnail })) });
    return `${key}\t${JSON.stringify(entry)}`;
  });
  const body = `${forgedLines.join('\n')}\n`;
  await writeFile(file, `${body}${sha256Of(`3\n${body}`)}\n`);
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
  expect((await buildSite(site)).rendered).toBe(0);
}

test('renders equal images of two themes once, and publishes them for both', () => {
  // The shared banner, own.png, the logo, and the sizes of the logo and icon for applications.
  expect(cold.rendered).toBe(6);
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

describe('a corrupted cache is repaired', () => {
  test.each([...flips(0, 0.3, 0.5, 0.7, 1), ...truncations(0)])('thumbnails %s', async (_, corrupt) => {
    expect(await objects()).toHaveLength(6);
    for (const file of await objects()) await corrupt(file);
    await rm(site.outDir, { recursive: true });
    await expectRepaired(6);
  });

  test.each([...flips(0, 0.1, 0.3, 0.5, 0.7, 0.9, 1), ...truncations(0, 1, 200)])('an index %s', async (_, corrupt) => {
    await corrupt(await indexFile());
    await expectRepaired(6);
  });
});

/** A program that can write to the cache can replace thumbnails, but not publish other types of files. */
describe('an index that another program wrote', () => {
  test.each<[string, number, (cache: Cache) => Promise<object>]>([
    ['an SVG as a thumbnail', 6, async (cache) => ({ sha256: await cache.add(SCRIPT), format: 'svg' })],
    ['an SVG as a PNG', 6, async (cache) => ({ sha256: await cache.add(SCRIPT), format: 'png' })],
    ['a path', 6, async () => ({ sha256: '../../../../themes/site.yaml', format: 'png' })],
    ['no hash', 6, async () => ({ sha256: [['a']], format: 'png' })],
  ])('is not trusted if it has, for every image, %s', async (_, rendered, value) => {
    const thumbnail = await value(await Cache.open(site.cacheDir));
    await forge({ marker: '250x250', bytes: SCRIPT.length, ...thumbnail });
    await rm(site.outDir, { recursive: true });
    await expectRepaired(rendered);
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
    expect((await inHome(['build'])).stdout).toContain('6 images rendered');
    expect((await inHome(['build', '--out', 'other', '--edge-out', 'other-edge'])).stdout).toContain(
      '0 images rendered',
    );
    expect((await readdir(path.join(home, '.cache/themecast'))).toSorted()).toEqual(['index', 'objects']);
    expect(await readdir(path.join(home, '.local/state/themecast'))).toHaveLength(1);
    expect((await readdir(site.root)).toSorted()).toEqual([...before, 'other', 'other-edge'].toSorted());
    expect(await treeHashes(site.outDir)).toEqual(published);
  });

  test('a link outside the checkout is followed, as to a larger disk', async () => {
    await mkdir(path.join(home, 'disk'));
    await mkdir(path.join(home, '.cache'));
    await symlink('../disk', path.join(home, '.cache/themecast'));
    for (const args of [[], ['--cache', path.join(home, '.cache/themecast')]])
      expect(await inHome(['build', ...args])).toMatchObject({ code: 0, stderr: '' });
    expect((await readdir(path.join(home, 'disk'))).toSorted()).toEqual(['index', 'objects']);
  });

  test('without a home outside the checkout, nothing is stored and a warning is printed; `--cache` works', async () => {
    await rm(site.cacheDir, { recursive: true });
    for (const HOME of ['/dev/null', site.root])
      for (const _ of [1, 2]) {
        const { stdout } = await inHome(['build'], { HOME });
        expect(stdout).toContain('6 images rendered');
        expect(stdout).toContain(
          '! No writable home directory outside the checkout, so nothing is cached between runs: `--cache DIR` keeps images.\n',
        );
      }
    for (const count of [6, 0]) {
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
  expect(cacheFiles.filter((name) => !/^(?:[0-9a-f]{32}){1,2}$/.test(name))).toEqual([]);
});
