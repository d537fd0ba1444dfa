import { execFileSync } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { run } from './command-line.ts';
import { workingTree } from './site-folder.ts';

const folders: string[] = [];

afterEach(async () => {
  for (const folder of folders.splice(0)) {
    await chmod(folder, 0o755);
    await rm(folder, { recursive: true, force: true });
  }
});
afterAll(() => expect(folders).toEqual([]));

/** Creates an empty folder. @param remote - the URL of the remote of a repository, empty for none; without it, no repository */
async function emptyFolder(remote?: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'themecast-init-'));
  folders.push(folder);
  if (remote === undefined) return folder;
  execFileSync('git', ['init', '--quiet', '--initial-branch=main'], { cwd: folder });
  if (remote !== '') execFileSync('git', ['remote', 'add', 'origin', remote], { cwd: folder });
  return folder;
}

const INIT = ['init', '--name', 'Our club', '--base-url', 'https://club.example.org'];

describe('init', () => {
  it('creates a repository that builds without errors, with one warning that lists the placeholders', async () => {
    const cwd = await emptyFolder('git@github.com:example/themes.git');
    const init = await run(INIT, { cwd });
    expect(init).toMatchObject({ code: 0, stderr: '' });
    expect(init.stdout).toContain('create  themes/site.yaml\n');
    expect(init.stdout).toContain('create  themes/our-club/*.svg   9 placeholders\n');
    expect(init.stdout).toContain('create  .github/workflows/themes.yml\n');
    expect(init.stdout).toContain('0 unchanged, 0 of yours kept\n');
    expect(await readFile(path.join(cwd, '.gitignore'), 'utf8')).toMatch(/^\/review\.html$/m);
    const pinned = JSON.parse(await readFile(path.join(cwd, 'package.json'), 'utf8')) as unknown;
    expect(pinned).toMatchObject({ private: true, devDependencies: { themecast: manifest.version } });
    const built = await run(['build'], { cwd });
    expect(built.code).toBe(0);
    expect(built.stdout.match(/\[image\/placeholder\]/g)).toHaveLength(1);
    expect(built.stdout).toMatch(
      /warning {2}The images of `favicon`, `logo`,.* and `default_user_profile_banner` are placeholders\./,
    );
    expect(built.stdout.match(/ {2}(?:error|warning) {2}/g)).toHaveLength(1);
    expect((await run(['check', '--strict'], { cwd })).code).toBe(1);
    const config = await readFile(path.join(cwd, 'dist/api/v2/theme/config/index.json'), 'utf8');
    expect(JSON.parse(config)).toMatchObject({ id: 1, name: 'Our club', is_default: true });
    expect(await readFile(path.join(cwd, '.gitignore'), 'utf8')).toContain('\n.DS_Store\n');
  });

  it('changes nothing when it is run again', async () => {
    const cwd = await emptyFolder('');
    await run(INIT, { cwd });
    const before = await workingTree(cwd);
    const second = await run(INIT, { cwd });
    expect(second.stdout).not.toMatch(/^(?:create|kept)/m);
    expect(second.stdout).toContain('✔ 0 files created');
    expect(await workingTree(cwd)).toEqual(before);
  });

  it('never replaces a file', async () => {
    const completeRepository = await emptyFolder('');
    await run(INIT, { cwd: completeRepository });
    const names = Object.keys(await workingTree(completeRepository));
    for (const half of [0, 1]) {
      const cwd = await emptyFolder('');
      const existing = names.filter((_, index) => index % 2 === half);
      for (const name of existing) {
        await mkdir(path.dirname(path.join(cwd, name)), { recursive: true });
        await writeFile(path.join(cwd, name), `mine: ${name}`);
      }
      expect(await run(INIT, { cwd })).toMatchObject({ code: 0 });
      for (const name of existing) expect(await readFile(path.join(cwd, name), 'utf8')).toBe(`mine: ${name}`);
    }
  });

  it('adds missing files to a site with themes, but no theme', async () => {
    const cwd = await emptyFolder('');
    await cp(path.join(import.meta.dirname, '../themes'), path.join(cwd, 'themes'), { recursive: true });
    const before = await workingTree(path.join(cwd, 'themes'));
    const { code, stdout } = await run(['init'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('keep    themes/theme.schema.json\n');
    expect(await workingTree(path.join(cwd, 'themes'))).toEqual(before);
    expect(Object.keys(await workingTree(cwd))).toContain('.vscode/settings.json');
  });

  it('writes no workflows into a subfolder of a repository, because hosts read them only at the root', async () => {
    const root = await emptyFolder('https://gitlab.example.org/group/site.git');
    const { code, stdout } = await run([...INIT, 'web/themes-of-club', '--ci', 'gitlab'], { cwd: root });
    expect(code).toBe(0);
    expect(stdout).toContain('\n  cd web/themes-of-club\n');
    expect(stdout).toContain('! No CI workflow: this is not the root of a repository.');
    const files = Object.keys(await workingTree(root));
    expect(files.filter((name) => !name.startsWith('web/') || name.includes('.gitlab'))).toEqual([]);
  });

  it('detects the Git host from the remote', async () => {
    const cwd = await emptyFolder('ssh://git@gitlab.com/example/themes.git');
    await run(INIT, { cwd });
    expect(await readFile(path.join(cwd, '.gitlab-ci.yml'), 'utf8')).toContain('image: node:24');
  });

  it.each([
    [['--ci', 'githib'], '--ci: `githib` is none of github, gitlab, none. Did you mean `github`?'],
    [['--host', 'nginx', '--host', 'iis'], '--host: `iis` is none of nginx, '],
    [['--base-url', 'example.org'], '--base-url: It must be an https URL'],
    [['--name', ' x'], '--name: A name is one line'],
    [['--name', 'a\nb'], '--name: A name is one line'],
  ])('rejects %j', async (flags, message) => {
    const cwd = await emptyFolder('');
    const { code, stderr } = await run(['init', ...flags], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(await workingTree(cwd)).toEqual({});
  });

  it('explains why a folder cannot be written, and writes nothing', async () => {
    const cwd = await emptyFolder();
    await writeFile(path.join(cwd, 'themes'), '');
    const { code, stderr } = await run(INIT, { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain('themes is not a folder and a folder is needed there. Move it away.');
    expect(await workingTree(cwd)).toEqual({ themes: expect.any(String) as string });
  });
});
