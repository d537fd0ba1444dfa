import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { sampled, longCases } from './long-test.ts';
import { parseCall } from '../src/command-line/parse.ts';
import { command } from '../src/build/build-command.ts';
import type { Diagnostic } from '../src/index.ts';
import { run } from './command-line.ts';
import { copyFixture } from './fixture.ts';
import type { Case } from './hostile/case.ts';
import { files } from './hostile/files.ts';
import { images } from './hostile/images.ts';

let good = '';
let folder = '';

/** Builds in a folder as the command does; returns its output and exit code. */
async function build(root: string): Promise<{ exit: number; diagnostics: Diagnostic[] }> {
  vi.spyOn(process, 'cwd').mockReturnValue(root);
  let printed = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  const at = (name: string): string => path.join(root, name);
  const given = { themes: at('themes'), out: at('dist'), 'edge-out': at('edge'), cache: path.join(good, '.cache') };
  const args = Object.entries({ ...given, format: 'json' }).flatMap(([name, value]) => [`--${name}`, value]);
  try {
    const exit = await command.run(
      parseCall('build', command, args).flags as Parameters<typeof command.run>[0],
      '',
      undefined,
      async () => 0,
    );
    return { exit, diagnostics: (JSON.parse(printed) as { diagnostics: Diagnostic[] }).diagnostics };
  } finally {
    vi.restoreAllMocks();
  }
}

beforeAll(async () => {
  ({ folder: good } = await copyFixture('valid', 'defaults'));
  await rm(path.join(good, 'themes'), { recursive: true });
  await cp(path.join(import.meta.dirname, 'fixtures/base'), path.join(good, 'themes'), { recursive: true });
  expect((await build(good)).exit).toBe(0);
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

afterAll(async () => {
  await rm(good, { recursive: true, force: true });
});

/** Copies a case over the valid folder. */
async function applyCase({ files: written = {}, make }: Case): Promise<void> {
  folder = await mkdtemp(path.join(tmpdir(), 'themecast-hostile-'));
  const themesDir = path.join(folder, 'themes');
  await cp(path.join(good, 'themes'), themesDir, { recursive: true });
  for (const [file, content] of Object.entries(written)) {
    await mkdir(path.dirname(path.join(themesDir, file)), { recursive: true });
    await writeFile(path.join(themesDir, file), content);
  }
  await make?.(themesDir);
}

function placeOf({ location: { file, start } }: Diagnostic): string {
  const name = file.replace(/^themes\/?/, '');
  return start === undefined ? name : `${name}:${start.line}:${start.column}`;
}

// Those of YAML, SVG and users: fixtures.test.ts, and the tests of their rooms.
describe.each(sampled([...images, ...files]))('$about', (hostileCase) => {
  const { code, at = '' } = hostileCase;
  it(code === 'fine' ? 'is published' : `is ${code}`, async () => {
    await applyCase(hostileCase);
    const { exit, diagnostics } = await build(folder);
    const found = diagnostics.filter((diagnostic) => diagnostic.code === code);
    if (code === 'fine') {
      expect(diagnostics).toEqual([]);
      expect(exit).toBe(0);
      return;
    }
    expect(diagnostics.map((diagnostic) => `${diagnostic.code} ${placeOf(diagnostic)}`)).toContainEqual(
      expect.stringContaining(`${code} ${at}`),
    );
    for (const { hint, message } of found) {
      expect(hint).toBeTruthy();
      expect(`${message}${hint}`).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]| at .*:\d+:\d+\)/);
    }
    const isError = found.some(({ severity }) => severity === 'error');
    expect(exit).toBe(isError ? 1 : 0);
    // That an error leaves an earlier output as it is, build.test.ts shows.
    expect(existsSync(path.join(folder, isError ? 'dist' : 'dist/manifest.json'))).toBe(!isError);
  });
});

describe('in a checkout', () => {
  it.each([
    ['file', 'meadow/logo.svg'],
    ['folder', 'meadow'],
    ...longCases<[string, string, string?, number?]>(
      ['file', 'meadow/theme.yaml'],
      ['file', 'users.csv'],
      ['folder', ''],
      ['file', 'meadow/theme.yaml', 'meadow', 0o444],
    ),
  ])('an unreadable %s is named: themes/%s', async (kind, name, closed = name, mode = 0) => {
    await applyCase({ about: '', code: 'file/unreadable', files: { 'users.csv': 'user,theme\nann,meadow\n' } });
    // Root can read everything, so an unprivileged user builds, without a cache, which it could not write.
    const unprivileged = process.getuid?.() === 0 ? 65_534 : undefined;
    await chmod(folder, 0o755);
    await mkdir(path.join(folder, 'themes/.closed'), 0);
    await chmod(path.join(folder, 'themes', closed), mode);
    const { code, stdout } = await run(['check', '--no-cache', '--format', 'json'], {
      cwd: folder,
      ...(unprivileged && { uid: unprivileged }),
    });
    await chmod(path.join(folder, 'themes', closed), 0o700);
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: Diagnostic[] };
    const [found, ...others] = diagnostics.filter((diagnostic) => diagnostic.code === 'file/unreadable');
    expect(found?.location.file).toBe(path.posix.join('themes', name));
    expect(found?.message).toBe(`This ${kind} cannot be read: permission denied.`);
    expect(found?.hint).toContain('chmod');
    expect(others).toEqual([]);
    expect(code).toBe(1);
  });
});
