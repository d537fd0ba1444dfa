import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { check, type Code, type Diagnostic } from '../src/index.ts';
import { run } from './command-line.ts';
import { copyFixture, fixtureNames, goldenFile } from './fixture.ts';

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

/** A fix that a hint spells out: a replacement for the marked text or for the line, or a new file name. */
type Remedy = { instead: string } | { line: string } | { from: string; to: string };

function parseRemedy({ hint = '' }: Diagnostic): Remedy | undefined {
  const [, from, to] = /^Rename `([^`]+)` to `([^`]+)`\.$/.exec(hint) ?? [];
  if (from !== undefined && to !== undefined) return { from, to };
  const quoted = /(?:in quotes: |straight quotes: |mean )("[^"]*"|'[^']*')\??$/.exec(hint)?.[1];
  if (quoted !== undefined) return { instead: quoted };
  const meant = /^Did you mean `([^`]+)`\?$/.exec(hint)?.[1];
  if (meant !== undefined) return { instead: meant };
  const written = /^Write `([^`…]+)`(?:\.$|, with |: most )/.exec(hint)?.[1];
  if (written === undefined) return undefined;
  return /^[\w-]+: |^- /.test(written) ? { line: written } : { instead: written };
}

/** Applies hints, from the end of each file to its start. @returns the diagnostics whose hints were applied */
async function applyHints(diagnostics: readonly Diagnostic[]): Promise<Diagnostic[]> {
  const followed: Diagnostic[] = [];
  for (const diagnostic of diagnostics.toReversed()) {
    const remedy = parseRemedy(diagnostic);
    const { file, start, end } = diagnostic.location;
    if (remedy === undefined) continue;
    const name = path.join(folder, file);
    if ('from' in remedy) {
      const inside = existsSync(path.join(name, remedy.from)) ? name : path.dirname(name);
      await rename(path.join(inside, remedy.from), path.join(inside, remedy.to));
    } else if (start === undefined || end === undefined) continue;
    else {
      const lines = (await readFile(name, 'utf8')).split('\n');
      const line = lines[start.line - 1] ?? '';
      const indent = /^\s*/.exec(line)?.[0] ?? '';
      // A marked character may be only the start of the value.
      const to = start.line === end.line && end.column - start.column > 1 ? end.column - 1 : line.length;
      const marked = line.slice(start.column - 1, to);
      const replacement =
        'line' in remedy ? indent + remedy.line : line.slice(0, start.column - 1) + remedy.instead + line.slice(to);
      expect([diagnostic.code, diagnostic.hint, 'line' in remedy ? remedy.line : remedy.instead]).not.toEqual([
        diagnostic.code,
        diagnostic.hint,
        'line' in remedy ? line.trim() : marked,
      ]);
      lines.splice(start.line - 1, end.line - start.line + 1, replacement);
      await writeFile(name, lines.join('\n'));
    }
    followed.push(diagnostic);
  }
  return followed;
}

it(
  'every message of a fixture is in its golden file, and following its hint removes the diagnostic',
  { timeout: 120_000 },
  async () => {
    const codes = new Set<Code>();
    for (const name of await fixtureNames('invalid')) {
      const copied = await copyFixture('invalid', name);
      ({ folder } = copied);
      vi.spyOn(process, 'cwd').mockReturnValue(folder);
      const diagnostics = await diagnosticsOf(copied.themesDir);
      const golden = await readFile(goldenFile('invalid', name), 'utf8');
      const isGolden = ({ message, hint = '' }: Diagnostic): boolean =>
        golden.includes(message) && golden.includes(hint);
      expect([name, diagnostics.filter((diagnostic) => !isGolden(diagnostic))]).toEqual([name, []]);
      const followed = await applyHints(diagnostics);
      const remaining = followed.length === 0 ? [] : await diagnosticsOf(copied.themesDir);
      const at = ({ code, message, location: { file, start } }: Diagnostic): string =>
        [code, file, start?.line, message].join(' ');
      const obsolete = new Set(followed.map(at));
      expect([
        name,
        remaining.filter((diagnostic) => obsolete.has(at(diagnostic))).map(({ message, hint }) => [message, hint]),
      ]).toEqual([name, []]);
      for (const { code } of followed) codes.add(code);
      await rm(folder, { recursive: true, force: true });
    }
    expect(codes.size).toBeGreaterThan(20);
  },
);

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

  it('ignores Windows line endings in a comparison, if Git does', async () => {
    const themesDir = await copyThemes();
    const image = path.join(themesDir, 'meadow/logo.svg');
    await writeFile(image, svg('viewBox="0 0 90 30"', '\n'));
    commitAll();
    git('config', 'core.autocrlf', 'true');
    await writeFile(image, svg('viewBox="0 0 90 30"', '\r\n'));
    const { code, stdout } = await run(['diff', 'HEAD'], { cwd: folder });
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('re-encoded')]);
    expect(stdout).not.toContain('logo');
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
