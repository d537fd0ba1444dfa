import { chmod, cp, lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { catalogue } from '../src/diagnostics/catalogue.ts';
import type { Diagnostic } from '../src/diagnostics/diagnostic.ts';
import { planFixes, writeFixes } from '../src/fix/io/fix.ts';
import { run } from './command-line.ts';
import { copyFixture, fixtureNames, goldenFile } from './fixture.ts';

const BASE = path.join(import.meta.dirname, 'fixtures/base');

let folder = '';
let cacheDir = '';

beforeAll(async () => {
  cacheDir = await mkdtemp(path.join(tmpdir(), 'themecast-fix-cache-'));
});
afterAll(() => rm(cacheDir, { recursive: true, force: true }));
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A repository with the themes of the fixtures, and these files over them. */
async function makeSite(files: Readonly<Record<string, string>>): Promise<void> {
  folder = await mkdtemp(path.join(tmpdir(), 'themecast-fix-'));
  await cp(BASE, path.join(folder, 'themes'), { recursive: true });
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }
}

const read = (file: string): Promise<string> => readFile(path.join(folder, file), 'utf8');
const fix = (...flags: string[]) => run(['fix', '--no-cache', ...flags], { cwd: folder });

/** Every file below a folder, with its bytes. */
async function contents(): Promise<Map<string, string>> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map(({ parentPath, name }) => path.join(parentPath, name));
  return new Map(await Promise.all(files.map(async (file) => [file, await readFile(file, 'latin1')] as const)));
}

const THEME = `# The meadow.
extends: harbor # the parent

id: 2
nmae: 'Meadow'   # “its name”
logo: "Logo.svg"

logo_height: 48px
palette_preview: [hsl(1, 2%, 3%), navy, teal, white, gray, red, black, gold, "#0b5fff"]
`;
const FIXED = THEME.replace('nmae', 'name').replace('48px', '48').replace('hsl(1, 2%, 3%)', '"hsl(1, 2%, 3%)"');

describe('themecast fix', () => {
  it('shows each fix as a diff, writes nothing, and ends with 1', async () => {
    await makeSite({ 'themes/meadow/theme.yaml': THEME });
    const before = await contents();
    const { code, stdout } = await fix();
    expect(stdout).toBe(`themes/meadow/theme.yaml:5  [field/unknown]
-nmae
+name

themes/meadow/theme.yaml:8  [field/unit]
-48px
+48

themes/meadow/theme.yaml:9  [yaml/unquoted-function]
-hsl(1, 2%, 3%)
+"hsl(1, 2%, 3%)"

Nothing was written.

Next: \`themecast fix --write\` writes 1 file.
`);
    expect(code).toBe(1);
    expect(await contents()).toEqual(before);
  });

  it('writes all with --write, and says what is left until nothing is', async () => {
    await makeSite({ 'themes/meadow/theme.yaml': THEME });
    const first = await fix('--write');
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(await read('themes/meadow/theme.yaml')).toBe(FIXED);
    expect(first.stdout).toMatch(/✔ 1 file written\n\nNext: `themecast check` lists what is left.\n$/);
    expect(await fix('--write')).toMatchObject({ code: 0 });
    expect(await read('themes/meadow/theme.yaml')).toBe(FIXED.replace('Logo', 'logo'));
    expect(await fix()).toMatchObject({ code: 0, stdout: '✔ There is nothing to fix\n' });
    expect(await run(['check', '--no-cache'], { cwd: folder })).toMatchObject({ code: 0 });
  });

  it('keeps a byte order mark, CRLF, and the permissions of the file', async () => {
    const windows = `\ufeff${THEME.replaceAll('\n', '\r\n')}`;
    await makeSite({ 'themes/meadow/theme.yaml': windows });
    const file = path.join(folder, 'themes/meadow/theme.yaml');
    await chmod(file, 0o660);
    expect(await fix('--write')).toMatchObject({ code: 0 });
    expect(await read('themes/meadow/theme.yaml')).toBe(`\ufeff${FIXED.replaceAll('\n', '\r\n')}`);
    expect((await stat(file)).mode & 0o777).toBe(0o660);
    expect(await readdir(path.dirname(file))).toEqual(['logo.svg', 'theme.yaml']);
  });

  it('leaves to its user what has no certain fix', async () => {
    await makeSite({ 'themes/meadow/theme.yaml': 'extends: harbor\nid: 2\nname: Meadow\nlogo: logo.svg\nfoo: 1\n' });
    expect(await fix('--write')).toMatchObject({
      code: 0,
      stdout: '✔ There is nothing that can be fixed without you: `themecast check` lists 1 problem.\n',
    });
  });

  it('is announced by check, in text and in JSON', async () => {
    await makeSite({ 'themes/meadow/theme.yaml': `${FIXED.replace('name', 'nmae')}foo: 1\n` });
    // The second time from the cache.
    for (let time = 0; time < 2; time++) {
      const { stdout } = await run(['check'], { cwd: folder });
      expect(stdout).toContain('    = Did you mean `name`?  [fixable]\n');
      expect(stdout).toContain('\n2 errors in 1 file\n1 of them can be fixed: `themecast fix`\n');
    }
    const { stdout } = await run(['check', '--format', 'json'], { cwd: folder });
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: Diagnostic[] };
    expect(diagnostics.map((one) => one.fix)).toEqual([{ replacement: 'name' }, undefined]);
  });
});

it('changes no file of users, and shows none of its lines', async () => {
  const users = {
    'themes/users.csv': 'user;theme\nann;medow\n',
    'themes/users.yaml': 'usera:\n  meadow: [cy\u200b]\n',
  };
  await makeSite(users);
  const { code, stdout } = await fix('--write');
  expect([code, stdout]).toEqual([
    0,
    '✔ There is nothing that can be fixed without you: `themecast check` lists 2 problems.\n',
  ]);
  for (const [file, text] of Object.entries(users)) expect([file, await read(file)]).toEqual([file, text]);
  expect((await run(['check', '--no-cache'], { cwd: folder })).stdout).not.toContain('fixable');
});

describe('a file that must not be changed', () => {
  const plan = () => planFixes({ themesDir: path.join(folder, 'themes'), cwd: folder });

  it('is left alone if it has changed since it was checked', async () => {
    await makeSite({ 'themes/meadow/theme.yaml': THEME });
    const { files } = await plan();
    const later = `${THEME}# more\n`;
    await writeFile(path.join(folder, 'themes/meadow/theme.yaml'), later);
    const refused = await writeFixes(path.join(folder, 'themes'), files);
    expect(refused).toEqual([{ file: 'themes/meadow/theme.yaml', reason: 'it has changed since it was checked' }]);
    expect(await read('themes/meadow/theme.yaml')).toBe(later);
    expect(await readdir(path.join(folder, 'themes/meadow'))).toEqual(['logo.svg', 'theme.yaml']);
  });

  it('is left alone if it became a link meanwhile, or its folder did', async () => {
    await makeSite({ 'themes/meadow/theme.yaml': THEME, 'outside/theme.yaml': THEME });
    const { files } = await plan();
    const theme = path.join(folder, 'themes/meadow/theme.yaml');
    await rm(theme);
    await symlink('../../outside/theme.yaml', theme);
    expect(await writeFixes(path.join(folder, 'themes'), files)).toHaveLength(1);
    expect((await lstat(theme)).isSymbolicLink()).toBe(true);
    await rm(path.dirname(theme), { recursive: true });
    await symlink('../outside', path.dirname(theme));
    expect(await writeFixes(path.join(folder, 'themes'), files)).toHaveLength(1);
    expect(await read('outside/theme.yaml')).toBe(THEME);
  });
});

describe('the fixes of the invalid fixtures', () => {
  const fixable = new Set<string>();

  /** The diagnostics that start where one does, once others before it in the same line are fixed. */
  const atPlace = (all: readonly Diagnostic[], { location: { file, start } }: Diagnostic, shift = 0): Diagnostic[] =>
    all.filter(
      ({ location: at }) =>
        at.file === file && at.start?.line === start?.line && at.start?.column === (start?.column ?? 0) + shift,
    );

  /** By how many characters the fixes before one in the same line move it. */
  const shiftOf = (fixed: readonly Diagnostic[], { location: { file, start } }: Diagnostic): number =>
    fixed.reduce((sum, { fix: earlier, location: at }) => {
      const isBefore =
        at.file === file && at.start?.line === start?.line && (at.start?.column ?? 0) < (start?.column ?? 0);
      const width = (at.end?.column ?? 0) - (at.start?.column ?? 0);
      return isBefore ? sum + (earlier?.replacement.length ?? 0) - width : sum;
    }, 0);

  it('remove their diagnostics, and bring no error to their places', { timeout: 240_000 }, async () => {
    const wrong: unknown[] = [];
    for (const name of await fixtureNames('invalid')) {
      if (!(await readFile(goldenFile('invalid', name), 'utf8')).includes('[fixable]')) continue;
      const copied = await copyFixture('invalid', name);
      ({ folder } = copied);
      const options = { themesDir: copied.themesDir, cwd: folder, cacheDir };
      const before = await planFixes(options);
      const fixed = before.diagnostics.filter((one) => one.fix !== undefined);
      for (const { code } of fixed) fixable.add(code);
      if (fixed.length > 0) {
        expect(before.refused).toEqual([]);
        expect(await writeFixes(copied.themesDir, before.files)).toEqual([]);
        const after = await planFixes(options);
        for (const one of fixed) {
          const earlier = new Set(atPlace(before.diagnostics, one).map(({ message }) => message));
          const now = atPlace(after.diagnostics, one, shiftOf(fixed, one));
          const isLeft = now.some(({ message }) => message === one.message);
          const added = now.filter(({ severity, message }) => severity === 'error' && !earlier.has(message));
          if (isLeft || added.length > 0)
            wrong.push([name, one.code, one.message, added.map(({ code, message }) => `${code} ${message}`)]);
        }
      }
      await rm(folder, { recursive: true, force: true });
    }
    expect(wrong).toEqual([]);
  });

  it('are of every code that has fixes', () => {
    const declared = Object.entries(catalogue).flatMap(([code, entry]) => ('fix' in entry ? [code] : []));
    expect(declared.filter((code) => !fixable.has(code))).toEqual([]);
  });
});
