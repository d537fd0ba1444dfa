import { execFileSync } from 'node:child_process';
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from './command-line.ts';
import { skip } from './skip.ts';

const BASE = path.join(import.meta.dirname, 'fixtures/base');
/** A tar needs a pax header for the first, and two fields for the second. Git must not read the others as patterns. */
const ODD_NAMES = [`${'long-'.repeat(40)}logo.svg`, `${'long-'.repeat(16)}/logo.svg`, ':(top)logo.svg', '*.svg'];
const THEMES = 1000;

let folder: string;
const at = (...names: string[]): string => path.join(folder, ...names);
const env = (): NodeJS.ProcessEnv => ({
  ...process.env,
  HOME: folder,
  XDG_STATE_HOME: at('state'),
  XDG_CACHE_HOME: at('cache'),
  GIT_CONFIG_GLOBAL: at('gitconfig'),
  GIT_CONFIG_NOSYSTEM: '1',
});
const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', args, { cwd: at(cwd), env: env(), encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
const diff = (cwd: string): ReturnType<typeof run> => run(['diff', 'HEAD~1'], { cwd: at(cwd), env: env() });

/** Makes a repository with a change of a setting and an image, in a folder of a larger repository. */
async function makeOrigin(name: string, attributes = ''): Promise<void> {
  await mkdir(at(name, 'site'), { recursive: true });
  git(name, 'init', '--quiet', '--initial-branch=main');
  for (const setting of ['allowFilter', 'allowAnySHA1InWant']) git(name, 'config', `uploadpack.${setting}`, 'true');
  await writeFile(at(name, '.gitattributes'), attributes);
  await cp(BASE, at(name, 'site/themes'), { recursive: true });
  const copyLogo = async (theme: string): Promise<void> => {
    for (const odd of ODD_NAMES)
      await cp(at(name, 'site/themes', theme, 'logo.svg'), at(name, 'site/themes/meadow', odd));
  };
  await copyLogo('meadow');
  const commit = (message: string): void => {
    git(name, 'add', '--all');
    git(name, 'commit', '--quiet', '--message', message);
  };
  await writeFile(at(name, 'site/themes/meadow/removed.txt'), 'old');
  commit('Before');
  await copyFile(at(name, 'site/themes/harbor/favicon.png'), at(name, 'site/themes/harbor/icon.png'));
  await copyLogo('harbor');
  await copyFile(at(name, 'site/themes/harbor/logo.svg'), at(name, 'site/themes/meadow/logo.svg'));
  await rm(at(name, 'site/themes/meadow/removed.txt'));
  await writeFile(at(name, 'site/themes/meadow/added.txt'), 'new');
  commit('After');
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'themecast-clones-'));
  await writeFile(at('gitconfig'), '[user]\nname = Ann\nemail = ann@example.org\n');
  await makeOrigin('origin');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const clone = (name: string, origin: string, ...flags: string[]): string => {
  git('.', 'clone', '--quiet', ...flags, `file://${at(origin)}`, name);
  return path.join(name, 'site');
};

/** For each kind of clone, a function that makes it. @returns the folder of the site */
const CLONES: Readonly<Record<string, (name: string, origin: string) => string>> = {
  full: clone,
  'blob:none': (name, origin) => clone(name, origin, '--filter=blob:none'),
  'tree:0': (name, origin) => clone(name, origin, '--filter=tree:0'),
  'depth 2': (name, origin) => clone(name, origin, '--depth=2'),
  sparse: (name, origin) => {
    const site = clone(name, origin, '--sparse', '--filter=blob:none');
    git(name, 'sparse-checkout', 'set', 'site/themes');
    return site;
  },
  worktree: (name, origin) => {
    clone(`${name}-main`, origin);
    git(`${name}-main`, 'worktree', 'add', '--quiet', at(name));
    return path.join(name, 'site');
  },
};

const EXPECTED = /^2 changed {3}HEAD~1@.{7} → \w+@.{7}\n[^]*icon\.png 911 B → [^]*looks different/;

test.each(Object.entries(CLONES))('diff compares the commit before in a clone: %s', async (kind, make) => {
  const site = make(kind.replaceAll(/\W/g, '-'), 'origin');
  const first = await diff(site);
  expect(first).toMatchObject({ stderr: '', stdout: expect.stringMatching(EXPECTED) });
  const stored = await readdir(at('state'), { recursive: true });
  expect(await diff(site)).toEqual(first);
  // Of the folder; nothing of the state before, which is read elsewhere. A table is kept once all files are old.
  const now = await readdir(at('state'), { recursive: true });
  expect(now.length - stored.length).toBeLessThanOrEqual(1);
});

test('a theme that Git does not track, or ignores, is new; a removed one is removed', async () => {
  const site = clone('untracked', 'origin');
  await writeFile(at('untracked/.git/info/exclude'), 'ignored\n');
  for (const [n, slug] of ['fresh', 'ignored'].entries()) {
    await mkdir(at(site, 'themes', slug));
    await writeFile(at(site, 'themes', slug, 'theme.yaml'), `id: ${n + 100}\nname: ${slug}\nextends: harbor\n`);
  }
  await rm(at(site, 'themes/meadow'), { recursive: true });
  const { stdout } = await run(['diff', 'HEAD'], { cwd: at(site), env: env() });
  expect(stdout).toMatch(/^2 new, 1 removed {3}main@.{7} → the working tree\n/);
});

test('diff names the command that completes a clone of depth 1', async () => {
  const { code, stderr } = await diff(clone('depth-1', 'origin', '--depth=1'));
  expect([code, stderr]).toEqual([2, expect.stringContaining('Run `git fetch --unshallow origin`')]);
});

test('diff compares images in Git LFS', async (context) => {
  try {
    git('.', 'lfs', 'install');
  } catch {
    skip(context, 'Git LFS is not installed, so no clone is tested with it.');
  }
  await makeOrigin('lfs-origin', '*.png filter=lfs diff=lfs merge=lfs -text\n');
  const { stdout } = await diff(clone('lfs', 'lfs-origin', '--filter=blob:none'));
  expect(stdout).toMatch(EXPECTED);
});

test('a file with `export-ignore` is an error, not a difference', async () => {
  await makeOrigin('ignoring', 'icon.png export-ignore\n');
  const { code, stderr } = await diff('ignoring/site');
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/^themecast: `git archive` leaves out site\/themes\/harbor\/icon\.png: [^]*export-ignore/),
  ]);
});

test(`a change of one of ${THEMES} themes reads at most 20 files of the commit`, { timeout: 120_000 }, async () => {
  await makeOrigin('many');
  const theme = 'extends: harbor\n';
  for (let n = 0; n < THEMES; n++) {
    await mkdir(at(`many/site/themes/theme-${n}`));
    await writeFile(at(`many/site/themes/theme-${n}/theme.yaml`), `id: ${n + 100}\nname: Theme ${n}\n${theme}`);
  }
  git('many', 'add', '--all');
  git('many', 'commit', '--quiet', '--message', 'Many');
  await writeFile(at('many/site/themes/theme-7/theme.yaml'), `id: 107\nname: Renamed\n${theme}`);
  git('many', 'commit', '--quiet', '--all', '--message', 'One');
  const trace = { GIT_TRACE: at('trace') };
  const { stdout } = await run(['diff', 'HEAD~1'], { cwd: at('many/site'), env: { ...env(), ...trace } });
  expect(stdout).toContain('Theme 7 → Renamed');
  const commands = await readFile(at('trace'), 'utf8');
  expect(commands).not.toMatch(/git (?:cat-file|show|checkout)/);
  const files = commands.match(/git archive .*/g)?.flatMap((line) => line.match(/ site\/themes\/\S+/g) ?? []) ?? [];
  expect(files).toContain(' site/themes/theme-7/theme.yaml');
  expect(files.length).toBeLessThanOrEqual(20);
});

test.each([
  ['refuses the checkout', { GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' }, 'dubious ownership'],
  ['is not installed', { PATH: '/nowhere' }, 'Git is not installed here'],
])('if Git %s, build and check go on and say so; diff and deploy end', async (_, variables, words) => {
  const options = { cwd: at('origin/site'), env: { ...env(), ...variables } };
  for (const args of [['check'], ['build', '--commit', '0'.repeat(40)]]) {
    const { code, stdout } = await run(args, options);
    expect([code, stdout]).toEqual([0, expect.stringMatching(new RegExp(`^! Git was not asked.*${words}.*$`, 'm'))]);
  }
  for (const args of [
    ['diff', 'HEAD'],
    ['deploy', 'nginx', '--first', '--dry-run'],
  ])
    expect(await run(args, options)).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
});
