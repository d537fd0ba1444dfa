import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as api from '../src/index.ts';
import { run as runCommand } from './command-line.ts';
import { installPackage, unpackedPackage } from './docs/package.ts';
import { goldenFile, HINT, writeGoldenFiles } from './golden/golden.ts';

const root = path.join(import.meta.dirname, '..');
const run = promisify(execFile);

/** Imports every public type and value by name, as a program that uses the package would. */
const CONSUMER = `import {
  build, CacheError, check, DigestCollisionError, KeySecretError, LockedError, PublishError, UsersFileError,
} from 'themecast';
import type {
  AssignmentOptions, BuildOptions, BuildResult, CheckOptions, CheckResult, Code, Diagnostic, EdgeHost, ImageSet, Location,
  LogoAlignment, LogoType, Position, PublicationOptions, Severity, ShardOptions, StopSignal, ThemeRecord,
} from 'themecast';
import { createThemeClient, logoFor } from 'themecast/client';
import type { LogoChoice, ThemeClient, ThemeClientOptions, ThemeFetch, ThemeStorage } from 'themecast/client';
import fallback from 'themecast/fixtures/default.json' with { type: 'json' };
import type * as types from 'themecast/types';
import * as written from './theme.js';

const memory = new Map<string, string>();
const storage: ThemeStorage = {
  getItem: (key) => memory.get(key) ?? null,
  setItem: (key, value) => void memory.set(key, value),
  removeItem: (key) => void memory.delete(key),
};
const fetch: ThemeFetch = async (url, init) => ({
  status: url.length + init.redirect.length,
  headers: { get: (name) => init.headers[name] ?? null },
  json: async (): Promise<unknown> => null,
});
const choice: LogoChoice = { mode: 'dark', compact: true };

/** The client of the package and the written one have the same types, and those are the types of the record. */
export function clients(given: types.ThemeRecord, type: LogoType, alignment: LogoAlignment): Promise<ThemeRecord>[] {
  const theme: ThemeRecord = { ...given, ...fallback, light_mode_logo_type: type, logo_alignment: alignment };
  const options: ThemeClientOptions = { baseUrl: 'https://community.example.org', fallback: theme, storage, fetch };
  const client: ThemeClient = written.createThemeClient(options);
  client.subscribe(({ name }) => void name)();
  logoFor(client.last());
  logoFor(theme, choice);
  return [client.current(), createThemeClient({ ...options, storage: null, timeout: 1 }).current()];
}

const signal: StopSignal = { throwIfAborted() {} };
const where: AssignmentOptions & ShardOptions & PublicationOptions = { themesDir: 't', outDir: 'o', edgeOutDir: 'e' };
const options: BuildOptions = { ...where, signal, onProgress: (done, all) => void (done + all) };
const checking: CheckOptions = { themesDir: 't', cacheDir: undefined, strict: true };

export async function main(): Promise<[Code[], EdgeHost[], number]> {
  try {
    const checked: CheckResult = await check(checking);
    const built: BuildResult = await build(options);
    const height: number = checked.themes;
    const place: Location | undefined = checked.diagnostics[0]?.location;
    const start: Position | undefined = place?.start;
    const diagnostic: Diagnostic | undefined = built.diagnostics[0];
    const severity: Severity = diagnostic?.severity ?? 'error';
    const files: number = built.files + built.bytes + built.media;
    const set: ImageSet = { original: '', thumbnail: '' };
    const record: Pick<ThemeRecord, 'id' | 'logo_site'> = { id: height + (start?.line ?? 0), logo_site: set };
    // @ts-expect-error an unknown code
    const wrong: Code = 'no/such-code';
    return [[diagnostic?.code ?? 'field/type', wrong], [...built.hosts], severity === 'error' && record ? files : 0];
  } catch (error) {
    const known = [
      CacheError, DigestCollisionError, KeySecretError, LockedError, PublishError, UsersFileError,
    ].some((kind) => error instanceof kind);
    throw known && error instanceof Error ? new TypeError(error.message) : error;
  }
}
`;

const STRICT = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  resolveJsonModule: true,
  skipLibCheck: false,
  noEmit: true,
};

const COMPILERS = {
  '5.4': 'node_modules/@tsd/typescript/typescript/bin/tsc',
  '7': 'node_modules/typescript/bin/tsc',
};

describe('public types', () => {
  let types: string;
  beforeAll(async () => {
    types = await readFile(path.join(root, 'lib/index.d.ts'), 'utf8');
  });

  it('match the golden file', async () => {
    await writeGoldenFiles('api', 'index', new Map([['index.d.ts', Buffer.from(types)]]));
    await expect(types).toMatchFileSnapshot(goldenFile('api', 'index'), HINT);
  });

  it('have the values that the package exports', () => {
    const values = [...types.matchAll(/^export declare (?:class|function) (\w+)/gm)].map(([, name = '']) => name);
    expect(values.toSorted()).toEqual(Object.keys(api).toSorted());
  });

  it('are documented', () => {
    expect(types.match(/(?<!\*\/\n)^export \w+ .*/gm)).toBe(null);
    const undocumented = [...types.matchAll(/^export interface (\w*(?:Options|Result|File|Theme)) [^]*?^\}/gm)].flatMap(
      ([code, name]) => (code.match(/(?<!\*\/\n)^ {4}\w+\??: .*/gm) ?? []).map((member) => `${name}: ${member.trim()}`),
    );
    expect(undocumented).toEqual([]);
  });
});

describe('build and check', () => {
  it.each(['nonsense', 'http://example.org', 'https://example.org?x=1'])(
    'throw for the baseUrl %s',
    async (baseUrl) => {
      const message = `baseUrl must be an https URL without user name, query or fragment (http only for localhost), not \`${baseUrl}\`.`;
      const options = { themesDir: 'none', outDir: 'none', edgeOutDir: 'none', baseUrl };
      await expect(api.check(options)).rejects.toThrow(new RangeError(message));
      await expect(api.build(options)).rejects.toThrow(new RangeError(message));
    },
  );
});

describe('a program that uses the packed package, without the types of Node.js', () => {
  let folder: string;
  let unpacked: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'themecast-types-'));
    unpacked = unpackedPackage();
    installPackage(unpacked, folder);
    await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(path.join(folder, 'main.ts'), CONSUMER);
    const client = await runCommand(['client'], { cwd: folder });
    await writeFile(path.join(folder, 'theme.ts'), client.stdout);
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await rm(unpacked, { recursive: true, force: true });
  });

  it.each([
    // Each compiler once, and each way of resolving.
    ['5.4', COMPILERS['5.4'], 'nodenext', 'nodenext'],
    ['7', COMPILERS['7'], 'esnext', 'bundler'],
  ] as const)(
    'compiles with TypeScript %s (%s, module %s, moduleResolution %s)',
    async (version, file, module, moduleResolution) => {
      const tsc = [path.join(root, file)];
      expect((await run(process.execPath, [...tsc, '--version'])).stdout).toMatch(new RegExp(`^Version ${version}\\b`));
      const compilerOptions = { ...STRICT, target: 'es2022', lib: ['es2022'], types: [], module, moduleResolution };
      const project = `${version}-${moduleResolution}.json`;
      await writeFile(path.join(folder, project), JSON.stringify({ compilerOptions, files: ['main.ts'] }));
      const args = [...tsc, '-p', project];
      // The compiler reports errors on its standard output.
      const { stdout } = await run(process.execPath, args, { cwd: folder }).catch((error: { stdout: string }) => error);
      expect(stdout).toBe('');
    },
  );
});
