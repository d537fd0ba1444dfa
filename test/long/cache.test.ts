import { mkdtemp, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { build as buildSite, type BuildOptions, type BuildResult, CacheError } from '../../src/index.ts';
import { sha256Of } from '../../src/io/files.ts';
import { Cache } from '../../src/io/images/cache.ts';
import { type FindKeys, cacheKeys } from '../../src/io/images/cache-keys.ts';
import { run } from '../command-line.ts';
import { disc, plain, quarters } from '../images.ts';
import { copySite, makeSite, readTree, removeSite, type SiteFolder, treeHashes } from '../site-folder.ts';

/** Must never be accepted as an image that was rendered here. */
const SCRIPT = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');

let site: SiteFolder;
let cold: BuildResult;
let published: Record<string, string>;

let built: SiteFolder;

/** Without the index of the incremental cache, with which no entry would be read; see incremental.test.ts. */
async function build(options: BuildOptions): Promise<BuildResult> {
  if (options.cacheDir !== undefined) await rm(path.join(options.cacheDir, 'index'), { recursive: true, force: true });
  return buildSite(options);
}

beforeAll(async () => {
  const shared = await quarters(320, 100).png().toBuffer();
  const own = await disc(128, 64).png().toBuffer();
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
        images: { 'copy.png': shared, 'own.png': own },
      },
    },
  });
  cold = await build(built);
  published = await treeHashes(built.outDir);
});

afterAll(() => removeSite(built));

// A copy for each test, since the tests corrupt it.
beforeEach(async () => {
  site = await copySite(built);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await removeSite(site);
});

/** The files of one kind in the cache. */
async function cacheFiles(kind: 'notes' | 'objects'): Promise<string[]> {
  const names = [...(await readTree(path.join(site.cacheDir, kind))).keys()];
  return names.map((name) => path.join(site.cacheDir, kind, name));
}

/** The cache entries of thumbnails, with their content. */
async function thumbnailNotes(): Promise<{ file: string; value: { format: string } }[]> {
  const notes = await Promise.all(
    (await cacheFiles('notes')).map(async (file) => ({
      file,
      ...(JSON.parse(await readFile(file, 'utf8')) as { value: { format: string } }),
    })),
  );
  return notes.filter(({ value }) => typeof value === 'object' && 'format' in value);
}

async function expectRepaired(rendered: number): Promise<void> {
  const again = await build(site);
  expect(again.diagnostics).toEqual([]);
  expect(again.rendered).toBe(rendered);
  expect(await treeHashes(site.outDir)).toEqual(published);
  expect((await build(site)).rendered).toBe(0);
}

test('renders equal images of two themes once, and publishes them for both', () => {
  // Thumbnails: shared.png and its copy, own.png, the default SVG logo. Decoded only: the default icon.
  expect(cold.rendered).toBe(4);
  expect(cold.cached).toBe(0);
  const names = Object.keys(published).filter((name) => /(?:shared|copy)\..*-thumbnail-/.test(name));
  expect(names.map((name) => name.split('/')[1])).toEqual(['harbor', 'meadow']);
  expect(new Set(names.map((name) => published[name])).size).toBe(1);
});

test('renders nothing in a second build, and publishes the same bytes', async () => {
  const warm = await build(site);
  expect({ rendered: warm.rendered, cached: warm.cached }).toEqual({ rendered: 0, cached: 4 });
  expect(await treeHashes(site.outDir)).toEqual(published);
});

test('renders only a changed image again', async () => {
  await writeFile(path.join(site.themesDir, 'meadow/own.png'), await plain(90, 30).png().toBuffer());
  const { rendered, cached } = await build(site);
  expect({ rendered, cached }).toEqual({ rendered: 1, cached: 3 });
  expect(await treeHashes(site.outDir)).not.toEqual(published);
});

describe('corrupted cache files are rebuilt', () => {
  test('a flipped bit in each thumbnail', async () => {
    const objects = await cacheFiles('objects');
    expect(objects).toHaveLength(3);
    for (const file of objects) {
      const bytes = await readFile(file);
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
      await writeFile(file, bytes);
    }
    await expectRepaired(3);
  });

  test('an empty thumbnail', async () => {
    const [first = ''] = await cacheFiles('objects');
    await truncate(first, 0);
    await expectRepaired(1);
  });

  test.each([0, 1, 20])('entries truncated to %i bytes', async (length) => {
    for (const file of await cacheFiles('notes')) await truncate(file, length);
    await expectRepaired(4);
  });

  test('entries that are JSON of another shape', async () => {
    for (const [index, file] of (await cacheFiles('notes')).entries())
      await writeFile(
        file,
        ['null', '[]', '"decodes"', '{"value":"decodes"}', '{"seal":"","value":{"width":1}}'][index % 5] ?? '',
      );
    await expectRepaired(4);
  });

  test('swapped entries of two thumbnails', async () => {
    const notes = await thumbnailNotes();
    const [one, other] = [
      notes.find(({ value }) => value.format === 'jpeg')?.file ?? '',
      notes.find(({ value }) => value.format === 'png')?.file ?? '',
    ];
    await rename(one, `${one}.aside`);
    await rename(other, one);
    await rename(`${one}.aside`, other);
    await expectRepaired(2);
  });
});

describe('cache entries written by another program, sealed with the right key', () => {
  /** Replaces the existing entries by ones with a valid checksum. */
  async function forge(value: (cache: Cache) => Promise<unknown>): Promise<void> {
    const cache = await Cache.open(site.cacheDir, cacheKeys(site.themesDir, undefined));
    for (const file of await cacheFiles('notes')) await cache.setEntry(path.basename(file), await value(cache));
  }

  test.each<[string, (cache: Cache) => Promise<unknown>]>([
    [
      'an SVG as a thumbnail',
      async (cache) => ({ ...(await cache.addBlob(SCRIPT)), bytes: SCRIPT.length, format: 'svg' }),
    ],
    ['an SVG as a PNG', async (cache) => ({ ...(await cache.addBlob(SCRIPT)), bytes: SCRIPT.length, format: 'png' })],
    [
      'an image of another length',
      async (cache) => {
        const png = await plain(8, 8).png().toBuffer();
        return { ...(await cache.addBlob(png)), bytes: png.length + 1, format: 'png' };
      },
    ],
    ['a path', async () => ({ sha256: '../../../../themes/site.yaml', bytes: 9, format: 'png' })],
    ['no hash', async () => ({ sha256: [['a']], bytes: 9, format: 'png' })],
    ['nothing', async () => null],
  ])('are not published as the entry of every image: %s', async (_, value) => {
    await forge(value);
    await expectRepaired(4);
  });

  test('are ignored if they claim that an image has no thumbnail', async () => {
    await forge(async () => 'decodes');
    // The favicon, which is only decoded, is not decoded again: see the README.
    await expectRepaired(3);
  });
});

describe('entries without a seal of this machine', () => {
  /** Replaces the entry and the blob of every thumbnail by another image, with the right hash. */
  async function plantThumbnails(keys: FindKeys): Promise<void> {
    const cache = await Cache.open(site.cacheDir, keys);
    for (const { file, value } of await thumbnailNotes()) {
      const image = plain(120, 60);
      const bytes = await (value.format === 'jpeg' ? image.jpeg() : image.png()).toBuffer();
      const { sha256 } = await cache.addBlob(bytes);
      await cache.setEntry(path.basename(file), { ...value, sha256, bytes: bytes.length });
    }
  }

  test('are published if the key is known: the forgery works', async () => {
    await plantThumbnails(cacheKeys(site.themesDir, undefined));
    expect((await build(site)).rendered).toBe(0);
    expect(await treeHashes(site.outDir)).not.toEqual(published);
  });

  test('are not published, sealed with another key', async () => {
    await plantThumbnails(async () => ({ machine: '5'.repeat(64) }));
    await expectRepaired(3);
  });

  test.each([
    ['a checksum', (key: string, value: unknown) => ({ sum: sha256Of(key + JSON.stringify(value)), value })],
    ['no seal', (_: string, value: unknown) => ({ value })],
    ['an empty seal', (_: string, value: unknown) => ({ seal: '', value })],
    ['a hash as a seal', (key: string, value: unknown) => ({ seal: sha256Of(key + JSON.stringify(value)), value })],
    ['several seals', (_: string, value: unknown) => ({ seal: [['0'.repeat(64)]], value })],
  ])('are not published, with %s', async (_, entry) => {
    await plantThumbnails(async () => ({ machine: '5'.repeat(64) }));
    for (const { file, value } of await thumbnailNotes())
      await writeFile(file, JSON.stringify(entry(path.basename(file), value)));
    await expectRepaired(3);
  });

  test('are not published, with the seal of another value', async () => {
    const sealed = await Promise.all((await thumbnailNotes()).map(({ file }) => readFile(file, 'utf8')));
    await plantThumbnails(async () => ({ machine: '5'.repeat(64) }));
    for (const [index, { file, value }] of (await thumbnailNotes()).entries()) {
      const { seal } = JSON.parse(sealed[index] ?? '') as { seal: string };
      await writeFile(file, JSON.stringify({ seal, value }));
    }
    await expectRepaired(3);
  });

  test('are not published, replayed for an image that changed', async () => {
    const notes = await thumbnailNotes();
    const known = new Set(notes.map(({ file }) => file));
    const own = notes.filter(({ value }) => value.format === 'png');
    await writeFile(path.join(site.themesDir, 'meadow/own.png'), await plain(90, 30).png().toBuffer());
    await build(site);
    const changed = await treeHashes(site.outDir);
    const added = (await thumbnailNotes()).find(({ file }) => !known.has(file));
    for (const { file } of own) {
      await writeFile(added?.file ?? '', await readFile(file));
      expect((await build(site)).rendered).toBe(1);
      expect(await treeHashes(site.outDir)).toEqual(changed);
    }
  });

  test('swapped for those of the same format, are not published', async () => {
    const [one = '', other = ''] = (await thumbnailNotes()).flatMap(({ file, value }) =>
      value.format === 'png' ? [file] : [],
    );
    const [first, second] = [await readFile(one), await readFile(other)];
    await writeFile(one, second);
    await writeFile(other, first);
    await expectRepaired(2);
  });
});

describe('on another machine', () => {
  const secret = 'a-secret-of-the-cache-0123456789-abcdef';

  /** As on a machine with another key. */
  const moveTo = (machine: string): unknown =>
    vi.stubEnv('XDG_STATE_HOME', path.join(site.root, '..', `${path.basename(site.root)}-${machine}`));

  afterEach(async () => {
    for (const machine of ['a', 'b']) {
      moveTo(machine);
      await rm(process.env['XDG_STATE_HOME'] ?? '', { recursive: true, force: true });
    }
  });

  test('the cache is believed only with its secret', async () => {
    await rm(site.cacheDir, { recursive: true });
    moveTo('a');
    expect((await build({ ...site, cacheSecret: secret })).rendered).toBe(4);
    moveTo('b');
    expect((await build({ ...site, cacheSecret: secret })).rendered).toBe(0);
    expect((await build({ ...site, cacheSecret: `another-${secret}` })).rendered).toBe(4);
    expect(await treeHashes(site.outDir)).toEqual(published);
    expect((await build({ ...site, cacheSecret: secret })).rendered).toBe(4);
    expect((await build(site)).rendered).toBe(4);
  });

  test('entries from before there was a secret are believed too, once they were used with it', async () => {
    await rm(site.cacheDir, { recursive: true });
    moveTo('a');
    await build(site);
    expect((await build({ ...site, cacheSecret: secret })).rendered).toBe(0);
    moveTo('b');
    expect((await build({ ...site, cacheSecret: secret })).rendered).toBe(0);
    expect((await build(site)).rendered).toBe(4);
  });

  test('the secret is nowhere in the cache or the output', async () => {
    await build({ ...site, cacheSecret: secret });
    const files = [...(await readTree(site.root)).values()];
    expect(files.filter((bytes) => bytes.includes(secret))).toEqual([]);
  });

  test.each(['', 'x', 'x'.repeat(31)])('a secret of too few bytes is an error: %j', async (short) => {
    const built = build({ ...site, cacheSecret: short });
    await expect(built).rejects.toThrow(
      `THEMECAST_CACHE_SECRET) has only ${short.length} bytes. Set it to at least 32 bytes: \`openssl rand -hex 32\` generates one.`,
    );
    await expect(built).rejects.toBeInstanceOf(CacheError);
  });
});

describe('without a key', () => {
  test.each<[string, () => string]>([
    ['no home folder', () => '/dev/null/state'],
    ['a key in the checkout', () => path.join(site.root, 'state')],
  ])('entries are neither believed nor written: %s', async (_, folder) => {
    const before = (await cacheFiles('notes')).map((file) => path.basename(file));
    vi.stubEnv('XDG_STATE_HOME', folder());
    expect((await build(site)).rendered).toBe(4);
    await rm(path.join(site.cacheDir, 'notes'), { recursive: true });
    expect((await build(site)).rendered).toBe(4);
    expect(before).toHaveLength(4);
    expect(await cacheFiles('notes')).toEqual([]);
    expect(await treeHashes(site.outDir)).toEqual(published);
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
  // No partial file is left.
  const left = [...(await readTree(cacheDir)).keys()].map((file) => path.basename(file));
  expect(left.filter((name) => !/^(?:[0-9a-f]{16}){1,4}$/.test(name))).toEqual([]);
});

describe('without a cache', () => {
  let empty: string;
  beforeAll(async () => {
    empty = await mkdtemp(path.join(tmpdir(), 'themecast-test-tmp-'));
  });
  afterAll(async () => {
    await rm(empty, { recursive: true, force: true });
  });

  test.each(['build', 'check'])('%s --no-cache leaves no folder behind', async (command) => {
    const before = await readdir(site.root);
    const { cacheDir } = site;
    await rm(cacheDir, { recursive: true });
    const { code, stderr } = await run([command, '--no-cache'], { cwd: site.root, env: { TMPDIR: empty } });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(await readdir(site.root)).toEqual(before.filter((name) => name !== '.cache'));
    expect(await readdir(empty)).toEqual([]);
    expect(await treeHashes(site.outDir)).toEqual(published);
  });
});
