import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { longCases } from './long-test.ts';
import { build } from '../src/compiler/build.ts';
import { sha256Of } from '../src/system/disk/files.ts';
import { EDGE_HOSTS } from '../src/core/theme/site/site.ts';
import { run, runProcess } from './command-line.ts';
import { disc, solidImage, quarters } from './images.ts';
import { copySite, makeSite, removeSite, type SiteFolder, type SiteParts, treeHashes } from './site-folder.ts';

const USERS = [
  ['secret-key-of-ann', 'meadow'],
  ['secret-key-of-bob', 'harbor'],
  ['secret-key-of-cleo', 'meadow'],
] as const;

async function parts(): Promise<SiteParts> {
  const banner = await quarters(200, 100).png().toBuffer();
  const glass = await disc(60, 30).png().toBuffer();
  return {
    users: USERS,
    themes: {
      harbor: { fields: { default_group_banner: 'group.png' }, images: { 'group.png': banner } },
      meadow: {
        fields: { logo_site: 'Größe.png', default_event_banner: 'glass.png' },
        images: { 'Größe.png': banner, 'glass.png': glass },
      },
    },
  };
}

test('accepts a theme with the name of a property of every object', async () => {
  const site = await makeSite({
    users: [['secret-key-of-ann', 'constructor']],
    themes: { constructor: {}, meadow: {} },
    site: { base_url: 'https://example.org', edge: EDGE_HOSTS.filter((host) => host !== 'static') },
  });
  const built = await run(['build', '--quiet'], { cwd: site.root });
  expect(built).toEqual({ code: 0, stdout: '', stderr: '' });
  const theme = JSON.parse(
    await readFile(path.join(site.root, 'dist/api/v2/theme/config/constructor.json'), 'utf8'),
  ) as object;
  expect(theme).toMatchObject({ name: 'constructor' });
  const who = await run(['who', 'secret-key-of-ann'], { cwd: site.root });
  expect(who).toMatchObject({ code: 0, stdout: expect.stringContaining('constructor') as string });
  await removeSite(site);
});

test('the same themes give the same bytes in another folder, time zone, language, and order of the folders', async () => {
  const ordered = ['harbor', 'meadow', 'spring'].map((slug, at) => [
    slug,
    { fields: { id: at + 1, is_default: at === 0 } },
  ]);
  const hosts = EDGE_HOSTS.filter((host) => host !== 'static');
  const sites = await Promise.all(
    [ordered, ordered.toReversed()].map((themes) =>
      makeSite({
        users: USERS,
        themes: Object.fromEntries(themes),
        site: { base_url: 'https://example.org', edge: hosts },
      }),
    ),
  );
  const env = { TZ: 'Pacific/Kiritimati', LC_ALL: 'tr_TR.UTF-8', UV_THREADPOOL_SIZE: '1' };
  const trees = await Promise.all(
    sites.map(async ({ root, outDir, edgeOutDir }, at) => {
      const built = await runProcess(['build', '--quiet'], { cwd: root, ...(at === 1 && { env }) });
      expect(built).toEqual({ code: 0, stdout: '', stderr: '' });
      return [await treeHashes(outDir), await treeHashes(edgeOutDir)];
    }),
  );
  expect(trees[1]).toEqual(trees[0]);
  for (const site of sites) await removeSite(site);
});

test('--timings prints how long each stage took, in the JSON too', async () => {
  const site = await makeSite();
  const stages = ['walk', 'compile', 'link', 'documents', 'publish'];
  const { stdout } = await run(['build', '--timings'], { cwd: site.root });
  expect([...stdout.matchAll(/^ {2}(\w+) +\d+ ms$/gm)].map(([, stage]) => stage)).toEqual(stages);
  await writeFile(path.join(site.themesDir, 'site.yaml'), 'base_url: https://example.org\n');
  const json = await run(['build', '--timings', '--format', 'json'], { cwd: site.root });
  expect(Object.keys((JSON.parse(json.stdout) as { timings: object }).timings)).toEqual(stages);
  await removeSite(site);
});

describe('failed builds', () => {
  let built: SiteFolder;
  let site: SiteFolder;
  let old: { dist: Record<string, string>; edge: Record<string, string> };

  beforeAll(async () => {
    built = await makeSite(await parts());
    expect((await run(['build'], { cwd: built.root })).code).toBe(0);
  });

  afterAll(() => removeSite(built));

  beforeEach(async () => {
    site = await copySite(built);
    old = await output();
  });

  afterEach(() => removeSite(site));

  const output = async () => ({ dist: await treeHashes(site.outDir), edge: await treeHashes(site.edgeOutDir) });
  const writeToMeadow = (file: string, content: string | Buffer) =>
    writeFile(path.join(site.themesDir, 'meadow', file), content);

  /** Replaces an image, so that the next build has a change to publish. */
  const changeHarbor = async () =>
    writeFile(path.join(site.themesDir, 'harbor/group.png'), await solidImage(100, 50).png().toBuffer());

  async function expectUnchanged(): Promise<void> {
    expect(await output()).toEqual(old);
    expect((await readdir(site.root)).filter((name) => name !== '.cache')).toEqual(['dist', 'edge', 'themes']);
  }

  test('an error in one theme leaves the old output unchanged', async () => {
    await changeHarbor();
    await writeToMeadow('theme.yaml', 'name: 7\n');
    const { code } = await run(['build'], { cwd: site.root });
    expect(code).toBe(1);
    await expectUnchanged();
  });

  test('images that only decoding shows to be corrupt are all reported, and leave the old output unchanged', async () => {
    await changeHarbor();
    // Enough images to detect the error: sharp's `stats()` accepts one in ten as intact when several are decoded at once.
    const intact = await quarters(200, 100).jpeg().toBuffer();
    const fields = ['favicon', 'logo', 'logo_inverse', 'compact_logo', 'compact_logo_inverse'];
    const meadow = await readFile(path.join(site.themesDir, 'meadow/theme.yaml'), 'utf8');
    const slugs = Array.from({ length: 6 }, (_, index) => `cut-${String(index).padStart(2, '0')}`);
    for (const [index, slug] of slugs.entries()) {
      await cp(path.join(site.themesDir, 'meadow'), path.join(site.themesDir, slug), { recursive: true });
      let theme = meadow.replace(/^id: .*$/m, `id: ${index + 100}`);
      for (const [at, field] of fields.entries()) {
        const cut = intact.subarray(0, intact.length - 10 - index * fields.length - at);
        await writeFile(path.join(site.themesDir, slug, `${field}.jpg`), cut);
        theme = theme.replace(new RegExp(`^${field}: .*$`, 'm'), `${field}: ${field}.jpg`);
      }
      await writeFile(path.join(site.themesDir, slug, 'theme.yaml'), theme);
    }
    const corrupt = async () => (await build(site)).diagnostics.filter(({ code }) => code === 'image/corrupt').length;
    expect(await corrupt()).toBe(slugs.length * fields.length);
    await expectUnchanged();
    expect(await corrupt()).toBe(slugs.length * fields.length); // the cache does not store them as valid
  });

  test('output that cannot be written leaves the old output unchanged', async () => {
    await changeHarbor();
    // edge/ is published second: dist/ must not be replaced alone.
    await rm(site.edgeOutDir, { recursive: true });
    await writeFile(site.edgeOutDir, 'a file');
    const { code, stderr } = await run(['build'], { cwd: site.root });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^themecast: .*edge is not a folder\. Move it away, or name another output folder\.\n$/);
    expect(await treeHashes(site.outDir)).toEqual(old.dist);
  });

  // The signal is sent at a given call of the publisher, so that the test does not depend on timing.
  test.each([
    ['SIGTERM', 143, 'fs.openSync', 3, 'old'],
    ...longCases<[string, number, string, number, string]>(
      ['SIGINT', 130, 'fs.openSync', 1, 'old'],
      ['SIGHUP', 129, 'fs.openSync', 2, 'old'],
      ['SIGINT', 130, 'promises.rename', 5, 'new'],
    ),
  ])(
    '%s stops the build with exit code %i, at %s call %i, and leaves the %s output complete',
    async (signal, expected, name, count, version) => {
      await changeHarbor();
      const hook = `
      import fs from 'node:fs';
      import promises from 'node:fs/promises';
      import { syncBuiltinESMExports } from 'node:module';
      let calls = 0;
      const original = ${name};
      ${name} = (...args) => {
        if (String(args[0]).includes('.themecast-') && ++calls === ${count}) process.kill(process.pid, '${signal}');
        return original(...args);
      };
      syncBuiltinESMExports();`;
      const nodeFlags = ['--import', `data:text/javascript,${encodeURIComponent(hook)}`];
      const { code, stderr } = await run(['build', '--quiet'], { cwd: site.root, nodeFlags });
      expect(code).toBe(expected);
      if (version === 'old') {
        expect(stderr).toBe(`themecast: stopped by ${signal}; dist/ is unchanged.\n`);
        await expectUnchanged();
        return;
      }
      expect(stderr).toBe('');
      const actual = await output();
      await build(site);
      expect(await output()).toEqual(actual);
      expect(actual.dist).not.toEqual(old.dist);
    },
  );

  test.each([[4], ...longCases<[number]>([2], [8], [8], [8], [8])])(
    'at least one of %i concurrent builds publishes, and the others report that a build is running',
    { timeout: 120_000 },
    async (count) => {
      await changeHarbor();
      const results = await Promise.all(
        Array.from({ length: count }, () => runProcess(['build', '--quiet'], { cwd: site.root })),
      );
      expect(results.map(({ code }) => code)).toContain(0);
      for (const { code, stderr } of results) {
        if (code === 0) continue;
        expect({ code, stderr }).toEqual({
          code: 2,
          stderr: expect.stringMatching(/^themecast: Another build is writing .*(?:dist|edge).*\n$/) as string,
        });
      }
      const actual = await output();
      await build(site);
      expect(await output()).toEqual(actual);
    },
  );
});

describe('rejected output folders', () => {
  let site: SiteFolder;

  beforeEach(async () => {
    site = await makeSite();
  });

  afterEach(() => removeSite(site));

  /** @param folders - the output folders, relative to the site */
  async function expectRejected(
    folders: { outDir?: string; edgeOutDir?: string; cacheDir?: string },
    message: RegExp,
  ): Promise<void> {
    const before = await treeHashes(site.root);
    const absolute = Object.fromEntries(
      Object.entries(folders).map(([name, folder]) => [name, `${site.root}/${folder}`]),
    );
    await expect(build({ ...site, cacheDir: undefined, ...absolute })).rejects.toThrow(message);
    expect(await treeHashes(site.root)).toEqual(before);
  }

  const FOREIGN =
    /(?:contains files that themecast did not make, like [^ ]+\. Empty it|is not the list of a build, so it is unknown which files themecast made there\. Empty \S+), or name another output folder\./;
  const NESTED = /The output folders must not be inside each other: /;
  const READ = /would be written to, and the build reads .*(?:themes|cache) in it\./;
  test.each<[string, Parameters<typeof expectRejected>[0], RegExp]>([
    ['the private output with a file of another program', { edgeOutDir: 'app' }, FOREIGN],
    ['a folder with an unrelated manifest.json', { outDir: 'app' }, FOREIGN],
    ['a symbolic link', { outDir: 'link-to-app' }, /link-to-app is not a folder/],
    ['edge inside dist', { edgeOutDir: 'dist/edge' }, NESTED],
    ['edge inside dist, through a symbolic link', { outDir: 'app', edgeOutDir: 'link-to-app/not/yet/edge' }, NESTED],
    ['dist inside edge', { outDir: 'edge/dist' }, NESTED],
    ['the same folder under another path', { edgeOutDir: './x/../dist/' }, NESTED],
    ['the themes', { edgeOutDir: 'themes' }, READ],
    ['a folder that contains the themes', { outDir: '.', edgeOutDir: '../edge-elsewhere' }, READ],
    ['the cache inside the output', { cacheDir: 'dist/cache' }, READ],
    ['a folder inside the themes folder', { outDir: 'themes/dist' }, /is inside the themes folder/],
    ['a folder inside the themes folder, through a link', { outDir: 'link/dist' }, /is inside the themes folder/],
  ])('%s', async (_, folders, message) => {
    await mkdir(path.join(site.root, 'app'));
    for (const name of ['manifest.json', 'files.json'])
      await writeFile(path.join(site.root, 'app', name), '{"name": "A web app", "icons": []}');
    await symlink('app', path.join(site.root, 'link-to-app'));
    await symlink('themes', path.join(site.root, 'link'));
    await expectRejected(folders, message);
  });
});

describe('a shrinking set of themes', () => {
  let site: SiteFolder;

  beforeEach(async () => {
    const slugs = ['harbor', 'cove', 'dune', 'elm', 'fjord', 'grove'];
    const users = Array.from({ length: 30 }, (_, index) => [`secret-${index}`, 'cove'] as const);
    site = await makeSite({ users, themes: Object.fromEntries(slugs.map((slug) => [slug, {}])) });
    await build(site);
  });

  afterEach(() => removeSite(site));

  const removeThemes = (...slugs: string[]) =>
    Promise.all(slugs.map((slug) => rm(path.join(site.themesDir, slug), { recursive: true })));
  const writeUsers = (count: number) => {
    const rows = Array.from({ length: count }, (_, index) => `secret-${index},cove\n`);
    return writeFile(path.join(site.themesDir, 'users.csv'), `user,theme\n${rows.join('')}`);
  };

  test('publishes when one theme or half of the users are removed', async () => {
    await removeThemes('dune');
    await writeUsers(15);
    expect((await build(site)).ok).toBe(true);
  });

  test('rejects a larger removal and lists the themes, unless --allow-shrink is given', async () => {
    await removeThemes('dune', 'elm');
    const before = await treeHashes(site.outDir);
    const { code, stderr } = await run(['build'], { cwd: site.root });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'themecast: 2 of the 6 themes that are published would vanish: `dune`, `elm`. Nothing was published. If this is intended, build with `--allow-shrink`.\n',
    });
    expect(await treeHashes(site.outDir)).toEqual(before);
    expect((await run(['build', '--allow-shrink'], { cwd: site.root })).code).toBe(0);
    expect(await treeHashes(site.outDir)).not.toEqual(before);
  });

  test('rejects the removal of most users without listing any', async () => {
    await writeUsers(14);
    const { code, stderr } = await run(['build'], { cwd: site.root });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'themecast: Of 30 users with an assigned theme, 14 would be left. Did you forget `--users`, if the last build had it? Nothing was published. If this is intended, build with `--allow-shrink`.\n',
    });
    expect((await build({ ...site, allowShrink: true })).ok).toBe(true);
  });
});

describe('the themes folder', () => {
  let site: SiteFolder;

  beforeEach(async () => {
    site = await makeSite({ themes: { harbor: {}, meadow: {} } });
  });

  afterEach(() => removeSite(site));

  const report = async (): Promise<string[]> => {
    const { stdout } = await run(['check', '--format', 'json'], { cwd: site.root });
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; location: { file: string } }[] };
    return diagnostics.map(({ code, location }) => `${code} ${location.file}`);
  };

  test('is reported if it is a link', async () => {
    await rename(site.themesDir, `${site.root}/real`);
    await symlink('real', site.themesDir);
    expect(await report()).toEqual(['theme/folder-link themes']);
  });

  test('reports a duplicate id or default for the theme that Git does not track yet', async () => {
    const git = (...args: string[]) => promisify(execFile)('git', args, { cwd: site.root });
    await git('init', '-q');
    await git('add', 'themes');
    await git('-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '-qm', 'themes');
    await cp(`${site.themesDir}/harbor`, `${site.themesDir}/aspen`, { recursive: true });
    expect(await report()).toEqual([
      'theme/duplicate-id themes/aspen/theme.yaml',
      'theme/second-default themes/aspen/theme.yaml',
    ]);
    await rm(`${site.root}/.git`, { recursive: true });
    expect(await report()).toEqual([
      'theme/duplicate-id themes/harbor/theme.yaml',
      'theme/second-default themes/harbor/theme.yaml',
    ]);
  });
});

test('a build writes its commit only to edge/build.json, so that all other files depend only on the themes', async () => {
  const site = await makeSite({ themes: { harbor: {} } });
  const commits = ['a'.repeat(40), 'b'.repeat(64)];
  const trees = [];
  for (const commit of commits) {
    expect((await build({ ...site, commit })).ok).toBe(true);
    const text = await readFile(path.join(site.edgeOutDir, 'build.json'), 'utf8');
    const manifest = sha256Of(await readFile(path.join(site.outDir, 'manifest.json')));
    expect(JSON.parse(text)).toEqual({ version: 1, commit, manifest });
    const { 'edge/build.json': _, ...files } = await treeHashes(site.root);
    trees.push(Object.entries(files).filter(([name]) => /^(?:dist|edge)\//.test(name)));
  }
  expect(trees[0]).toEqual(trees[1]);
  await expect(build({ ...site, commit: 'main' })).rejects.toThrow(RangeError);
  await removeSite(site);
});
