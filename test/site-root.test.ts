import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from './command-line.ts';
import { BASE_URL, makeSite, removeSite, type SiteFolder } from './site-folder.ts';

/** Returns every file and folder in a folder, except for the contents of the cache and the output. */
async function entries(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names.filter((name) => !/^(?:dist|edge|\.cache)\//.test(name)).toSorted();
}

describe('the root of a site is found from every subfolder', () => {
  let site: SiteFolder;
  let before: string[];
  const pathInSite = (folder: string): string => path.join(site.root, folder);

  beforeAll(async () => {
    site = await makeSite({
      users: [['ann', 'meadow']],
      themes: { harbor: {}, meadow: {} },
      // A themes folder of another program.
      files: { 'app/src/themes/dark.css': '', '.git/HEAD': 'ref: refs/heads/main\n' },
    });
    before = await entries(site.root);
    expect((await run(['build', '--quiet'], { cwd: site.root })).code).toBe(0);
  });
  afterAll(() => removeSite(site));

  test.each([
    ['.', '', ''],
    ['themes', '../', './'],
    ['themes/harbor', '../../', '../'],
    ['app/src/themes', '../../../', '../../../themes/'],
  ])('by build and check in %s', async (folder, root, themes) => {
    const cwd = pathInSite(folder);
    const { code, stdout } = await run(['build'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain(`✔ ${root}dist/ `);
    expect(stdout).toContain(`✔ ${root}edge/ `);
    expect(stdout).toContain(`      ${root}edge/nginx/README.md explains`);
    expect(stdout).toMatch(/Next: `.* serve` shows/);
    expect(await run(['check', '--quiet'], { cwd })).toEqual({ code: 0, stdout: '', stderr: '' });
    await writeFile(pathInSite('themes/harbor/spare.svg'), '<svg/>');
    const themeFile = path.join(themes === '' ? 'themes' : themes, 'harbor/spare.svg');
    const { stdout: warning } = await run(['check', '--quiet'], { cwd });
    await rm(pathInSite('themes/harbor/spare.svg'));
    expect(warning.split(' ')[0]).toBe(path.relative(cwd, path.resolve(cwd, themeFile)));
    const now = (await entries(site.root)).filter((name) => !/^(?:dist|edge|\.(?:cache|dist|edge)\b.*)$/.test(name));
    expect(now).toEqual(before);
  });

  test('unless --themes is given: all paths are then relative to the working directory', async () => {
    const cwd = pathInSite('app');
    const { code, stdout } = await run(['build', '--themes', '../themes', '--no-cache'], { cwd });
    expect(code).toBe(0);
    expect((await readdir(cwd)).toSorted()).toEqual(expect.arrayContaining(['dist', 'edge']));
    // Without the flags, `serve` would use the output of the root.
    expect(stdout).toMatch(/Next: `.* serve --out dist --edge-out edge` shows/);
    const out = await run(['build', '--out', 'www', '--no-cache'], { cwd });
    expect(out.stdout).toContain('✔ www/ ');
    expect(out.stdout).toContain('✔ ../edge/ ');
  });
});

describe('without a root', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'themecast-root-'));
    await mkdir(path.join(folder, 'themes'));
    await writeFile(path.join(folder, 'themes/site.yaml'), `base_url: ${BASE_URL}\n`);
    await mkdir(path.join(folder, 'repository/.git'), { recursive: true });
    await mkdir(path.join(folder, 'repository/deep'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test.each(['repository', 'repository/deep'])('the search stops at the repository: %s', async (name) => {
    const { code, stdout } = await run(['check'], { cwd: path.join(folder, name) });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^themes {2}error {2}The themes folder does not exist\./);
  });

  test.each([[['build']], [['check']], [['who', 'ann']], [['build', '--themes', 'nowhere']]])(
    '%j leaves no files behind',
    async (args) => {
      const cwd = path.join(folder, 'repository/deep');
      expect((await run(args, { cwd })).code).not.toBe(2);
      expect(await readdir(cwd)).toEqual([]);
    },
  );
});
