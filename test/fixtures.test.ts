import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { catalogue } from '../src/core/diagnostics/catalogue.ts';
import { sourceText } from '../src/compiler/source-text.ts';
import { build, type BuildResult, check, type Code, type Diagnostic, formatDiagnostics } from '../src/index.ts';
import { run as runCommand } from './command-line.ts';
import { fixtureNames, goldenFile, copyFixture } from './fixture.ts';
import { longCases } from './long-test.ts';

/** Codes about missing things; all other codes point at existing text. */
const ABSENCE_CODES = new Set<Code>(['field/missing', 'theme/folder-missing', 'theme/site-missing']);

const names = await fixtureNames('invalid');
/** Returns whether a fixture is an additional fixture for its code, such as `yaml.unquoted-colour-2`. */
const isAdditional = (name: string): boolean => /-\d+$/.test(name);
const invalid = [
  ...names.filter((name) => !isAdditional(name)),
  ...longCases(...names.filter(isAdditional).map((name) => [name] as const)).flat(),
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
  it('reports the diagnostics of its golden file and publishes nothing', async () => {
    const { build: buildAgain, options, outDir, locationsHold } = await buildFixture('invalid', name);
    const { diagnostics, ok } = buildAgain;
    await expect(formatDiagnostics(diagnostics, options)).toMatchFileSnapshot(goldenFile('invalid', name));

    const code = codeOf(name);
    expect(diagnostics.map((diagnostic) => diagnostic.code)).toContain(code);
    expect(locationsHold).toEqual([]);
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    expect(ok).toBe(errors.length === 0);
    expect(existsSync(outDir)).toBe(ok);
    expect(errors.filter(({ hint }) => hint === undefined)).toEqual([]);
    // Up to the first error, `build` and `check` do the same.
    if (ok || code === 'image/corrupt') expect((await check(options)).diagnostics).toEqual(diagnostics);
  });
});

describe.each(valid)('valid: %s', (name) => {
  it('reports no diagnostic and publishes the list of its golden file', async () => {
    const { build: buildAgain, options, outDir } = await buildFixture('valid', name);
    expect([...(await check(options)).diagnostics, ...buildAgain.diagnostics]).toEqual([]);
    const text = await readFile(path.join(outDir, 'api/v2/theme/index.json'), 'utf8');
    // Thumbnail names depend on the bytes, which another libvips may encode differently.
    const portableText = text.replaceAll(/\.[0-9a-f]{16}-thumbnail/g, '.HASH-thumbnail');
    await expect(`${JSON.stringify(JSON.parse(portableText), null, 2)}\n`).toMatchFileSnapshot(
      goldenFile('valid', name),
    );
  });
});

describe('every diagnostic code', () => {
  it('has a fixture', () => {
    // Other files test the codes that no folder can cause: killed decoders in decoder.test.ts, files beside the themes in
    // containment.test.ts, linked themes in build.test.ts, checkouts of Git in hints.test.ts, and unreadable files below.
    const testedElsewhere =
      'file/unreadable image/decoder-ended output/tracked theme/folder-link theme/not-checked-out'.split(' ');
    const coveredCodes = new Set([...invalid.map(codeOf), ...testedElsewhere]);
    const codes = Object.keys(catalogue) as Code[];
    expect(codes.filter((code) => !coveredCodes.has(code))).toEqual([]);
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
  ])('reports the unreadable %s themes/%s', async (kind, name, unreadable = name, mode = 0) => {
    ({ folder } = await copyFixture('valid', 'users'));
    // Root can read everything, so an unprivileged user runs the build, without a cache because it could not write one.
    const unprivileged = process.getuid?.() === 0 ? 65_534 : undefined;
    await chmod(folder, 0o755);
    await mkdir(path.join(folder, 'themes/.closed'), 0);
    await chmod(path.join(folder, 'themes', unreadable), mode);
    const { code, stdout } = await runCommand(['check', '--no-cache', '--format', 'json'], {
      cwd: folder,
      ...(unprivileged && { uid: unprivileged }),
    });
    await chmod(path.join(folder, 'themes', unreadable), 0o700);
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: Diagnostic[] };
    const [unreadableFile, ...otherDiagnostics] = diagnostics.filter(
      (diagnostic) => diagnostic.code === 'file/unreadable',
    );
    expect(unreadableFile?.location.file).toBe(path.posix.join('themes', name));
    expect(unreadableFile?.message).toBe(`This ${kind} cannot be read: permission denied.`);
    expect(unreadableFile?.hint).toContain('chmod');
    expect(otherDiagnostics).toEqual([]);
    expect(code).toBe(1);
  });
});

/** Returns the code that a fixture is for: `yaml/unquoted-colour` for `yaml.unquoted-colour-2`. */
function codeOf(name: string): string {
  return name.replace('.', '/').replace(/-\d+$/, '');
}

/** Builds a fixture with its folder as the working directory. */
async function buildFixture(kind: 'valid' | 'invalid', name: string) {
  const fixture = await copyFixture(kind, name);
  ({ folder } = fixture);
  vi.spyOn(process, 'cwd').mockReturnValue(folder);
  const outDir = path.join(folder, 'dist');
  const options = { themesDir: fixture.themesDir, cacheDir };
  const buildResult = await build({ ...options, outDir, edgeOutDir: path.join(folder, 'edge') });
  return { build: buildResult, options, outDir, locationsHold: wrongLocations(buildResult, fixture.themesDir) };
}

/** Returns locations that do not exist in their file. */
function wrongLocations({ diagnostics }: BuildResult, themesDir: string): unknown[] {
  const textOf = sourceText(themesDir, folder);
  return diagnostics.flatMap(({ code, location: { file, start, end } }) => {
    const exists = lstatSync(path.join(folder, file), { throwIfNoEntry: false }) !== undefined;
    if (start === undefined || end === undefined) {
      return exists || ABSENCE_CODES.has(code) ? [] : [{ code, file }];
    }
    // Files with users are not among the texts that diagnostics show.
    const text = textOf(file) ?? (exists ? readFileSync(path.join(folder, file), 'utf8') : undefined);
    const lines = text?.split('\n');
    const isInFile = ({ line, column }: typeof start): boolean => column <= (lines?.[line - 1]?.length ?? -1) + 1;
    const ordered = start.line < end.line || (start.line === end.line && start.column <= end.column);
    return lines === undefined || (isInFile(start) && isInFile(end) && ordered) ? [] : [{ code, file, start, end }];
  });
}
