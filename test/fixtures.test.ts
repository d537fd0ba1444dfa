import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { catalogue } from '../src/diagnostics/catalogue.ts';
import { sourceText } from '../src/compiler/source-text.ts';
import { build, type BuildResult, check, type Code, type Diagnostic, formatDiagnostics } from '../src/index.ts';
import { run as runCommand } from './command-line.ts';
import { fixtureNames, goldenFile, copyFixture } from './fixture.ts';
import { longCases } from './long-test.ts';

/** Codes about something missing; all others point at existing text. */
const ABOUT_MISSING = new Set<Code>(['field/missing', 'theme/folder-missing', 'theme/site-missing']);

const names = await fixtureNames('invalid');
/** Returns one for each code; `yaml.unquoted-colour-2` is a further one. */
const isFurther = (name: string): boolean => /-\d+$/.test(name);
const invalid = [
  ...names.filter((name) => !isFurther(name)),
  ...longCases(...names.filter(isFurther).map((name) => [name] as const)).flat(),
];
const valid = await fixtureNames('valid');
let cacheDir = '';
let folder = '';

beforeAll(async () => {
  cacheDir = await mkdtemp(path.join(tmpdir(), 'themecast-cache-'));
});

afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

afterAll(async () => {
  await rm(cacheDir, { recursive: true, force: true });
});

describe.each(invalid)('invalid: %s', (name) => {
  it('reports its golden file and publishes nothing', async () => {
    const { build: built, options, outDir, locationsHold } = await run('invalid', name);
    const { diagnostics, ok } = built;
    await expect(formatDiagnostics(diagnostics, options)).toMatchFileSnapshot(goldenFile('invalid', name));

    const code = codeOf(name);
    expect(diagnostics.map((diagnostic) => diagnostic.code)).toContain(code);
    expect(locationsHold).toEqual([]);
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    expect(ok).toBe(errors.length === 0);
    expect(existsSync(outDir)).toBe(ok);
    expect(errors.filter(({ hint }) => hint === undefined)).toEqual([]);
    // Up to the first error, a build and a check are the same calls.
    if (ok || code === 'image/corrupt') expect((await check(options)).diagnostics).toEqual(diagnostics);
  });
});

describe.each(valid)('valid: %s', (name) => {
  it('reports no diagnostic and publishes the list of its golden file', async () => {
    const { build: built, options, outDir } = await run('valid', name);
    expect([...(await check(options)).diagnostics, ...built.diagnostics]).toEqual([]);
    const text = await readFile(path.join(outDir, 'api/v2/theme/index.json'), 'utf8');
    // The hash of a thumbnail is that of its bytes, which another libvips may encode differently.
    const masked = text.replaceAll(/\.[0-9a-f]{16}-thumbnail/g, '.HASH-thumbnail');
    await expect(`${JSON.stringify(JSON.parse(masked), null, 2)}\n`).toMatchFileSnapshot(goldenFile('valid', name));
  });
});

describe('every diagnostic code', () => {
  it('has a fixture', () => {
    // What no folder can show is tested elsewhere: unreadable files below, killed decoders in decoder.test.ts,
    // files beside the themes in containment.test.ts, linked themes in build.test.ts, checkouts of Git in hints.test.ts.
    const elsewhere =
      'file/unreadable image/decoder-ended output/tracked theme/folder-link theme/not-checked-out'.split(' ');
    const shown = new Set([...invalid.map(codeOf), ...elsewhere]);
    const codes = Object.keys(catalogue) as Code[];
    expect(codes.filter((code) => !shown.has(code))).toEqual([]);
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
    ({ folder } = await copyFixture('valid', 'users'));
    // Root can read everything, so an unprivileged user builds, without a cache, which it could not write.
    const unprivileged = process.getuid?.() === 0 ? 65_534 : undefined;
    await chmod(folder, 0o755);
    await mkdir(path.join(folder, 'themes/.closed'), 0);
    await chmod(path.join(folder, 'themes', closed), mode);
    const { code, stdout } = await runCommand(['check', '--no-cache', '--format', 'json'], {
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

/** Returns `yaml.unquoted-colour-2` is the second fixture of `yaml/unquoted-colour`. */
function codeOf(name: string): string {
  return name.replace('.', '/').replace(/-\d+$/, '');
}

/** Builds a fixture with its folder as the working directory. */
async function run(kind: 'valid' | 'invalid', name: string) {
  const copied = await copyFixture(kind, name);
  ({ folder } = copied);
  vi.spyOn(process, 'cwd').mockReturnValue(folder);
  const outDir = path.join(folder, 'dist');
  const options = { themesDir: copied.themesDir, cacheDir };
  const built = await build({ ...options, outDir, edgeOutDir: path.join(folder, 'edge') });
  return { build: built, options, outDir, locationsHold: wrongLocations(built, copied.themesDir) };
}

/** Locations outside the file that they name. */
function wrongLocations({ diagnostics }: BuildResult, themesDir: string): unknown[] {
  const textOf = sourceText(themesDir, folder);
  return diagnostics.flatMap(({ code, location: { file, start, end } }) => {
    const exists = lstatSync(path.join(folder, file), { throwIfNoEntry: false }) !== undefined;
    if (start === undefined || end === undefined) {
      return exists || ABOUT_MISSING.has(code) ? [] : [{ code, file }];
    }
    // The files of users are not among the texts that are shown.
    const text = textOf(file) ?? (exists ? readFileSync(path.join(folder, file), 'utf8') : undefined);
    const lines = text?.split('\n');
    const holds = ({ line, column }: typeof start): boolean => column <= (lines?.[line - 1]?.length ?? -1) + 1;
    const ordered = start.line < end.line || (start.line === end.line && start.column <= end.column);
    return lines === undefined || (holds(start) && holds(end) && ordered) ? [] : [{ code, file, start, end }];
  });
}
