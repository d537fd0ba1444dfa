import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { check, type Diagnostic } from '../src/index.ts';
import { run } from './command-line.ts';
import { copyFixture } from './fixture.ts';

let cacheDir = '';
let folder = '';

beforeAll(async () => {
  cacheDir = await mkdtemp(path.join(tmpdir(), 'themecast-cache-'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});
afterAll(() => rm(cacheDir, { recursive: true, force: true }));

async function diagnosticsOf(themesDir: string): Promise<readonly Diagnostic[]> {
  return (await check({ themesDir, cacheDir })).diagnostics;
}

const svg = (attributes: string, content = ''): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}><rect width="90" height="30" fill="#123456"/>${content}</svg>`;

describe('in a checkout', () => {
  const git = (...args: string[]): void =>
    void execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a', '-c', 'protocol.file.allow=always', ...args], {
      cwd: folder,
      stdio: 'pipe',
    });

  const copyThemes = async (): Promise<string> => {
    const copied = await copyFixture('valid', 'none');
    ({ folder } = copied);
    return copied.themesDir;
  };
  const commitAll = (): void => {
    git('init', '--quiet');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'Themes');
  };

  it('reports a theme outside a sparse checkout, and how to check it out', async () => {
    const themesDir = await copyThemes();
    commitAll();
    git('sparse-checkout', 'set', '--no-cone', '/*', '!/themes/meadow/');
    expect(existsSync(path.join(themesDir, 'meadow'))).toBe(false);
    expect(await diagnosticsOf(themesDir)).toMatchObject([
      { code: 'theme/not-checked-out', hint: expect.stringContaining('`git sparse-checkout disable`') as string },
    ]);
    git('sparse-checkout', 'disable');
    expect(await diagnosticsOf(themesDir)).toEqual([]);
  });

  it('suggests the next command in diff, deploy and who', async () => {
    const themesDir = await copyThemes();
    const stderrOf = async (...args: string[]): Promise<string> => (await run(args, { cwd: folder })).stderr;
    await appendFile(path.join(themesDir, 'site.yaml'), 'edge: [nginx]\n');
    expect((await run(['build', '--quiet'], { cwd: folder })).code).toBe(0);
    expect(await stderrOf('deploy')).toContain(
      'Commit the themes (`git init && git add --all && git commit -m Themes`)',
    );
    git('init', '--quiet');
    expect(await stderrOf('deploy', 'apache')).toContain('To deploy to `apache`, add it to `edge` in site.yaml');
    for (const base of [[], ['HEAD~1']])
      expect(await stderrOf('diff', ...base)).toContain('Commit the themes (`git add --all && git commit -m Themes`)');
    commitAll();
    expect(await stderrOf('diff', 'nowhere')).toContain('There is no revision "nowhere"');
    const { stderr } = await run(['diff', 'HEAD'], { cwd: folder, env: { PATH: folder } });
    expect(stderr).toContain('Git is not installed here. Install it');
    expect(await stderrOf('who', 'müller')).toContain('Write the key that requests carry');
  });

  it('reports images that are only in Git LFS', async () => {
    const themesDir = await copyThemes();
    const image = path.join(themesDir, 'meadow/logo.svg');
    const before = await readFile(image);
    const oid = createHash('sha256').update(before).digest('hex');
    await writeFile(image, `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${before.length}\n`);
    commitAll();
    await writeFile(image, svg('viewBox="0 0 90 30"'));
    expect((await run(['diff', 'HEAD'], { cwd: folder })).stdout).toMatch(
      /1 image of \w+@\w{7} is only in Git LFS: run `git lfs install`/,
    );
  });

  it('warns about output that a web server cannot read', async () => {
    ({ folder } = await copyFixture('valid', 'none'));
    const build = 'umask 077; exec "$0" "$1" build';
    const cli = path.join(import.meta.dirname, '../lib/bundle/cli.js');
    const text = execFileSync('sh', ['-c', build, process.execPath, cli], { cwd: folder, encoding: 'utf8' });
    expect(text).toContain('! Only you can read dist/, so a web server cannot: run `chmod -R a+rX dist`');
    execFileSync('chmod', ['-R', 'a+rX', 'dist'], { cwd: folder });
    expect((await run(['build'], { cwd: folder })).stdout).not.toContain('Only you');
  });
});
