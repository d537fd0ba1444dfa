import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as api from '../src/index.ts';
import { NO_PLATFORMS } from './platforms.ts';
import { skipAll } from './skip.ts';
import { run as runCommand } from './command-line.ts';
import { installPackage, unpackedPackage } from './docs/package.ts';
import { codeBlocks, prose, readPage } from './docs/pages.ts';
import { goldenFile, UPDATE_HINT, writeGoldenFiles } from './golden/golden.ts';

const root = path.join(import.meta.dirname, '..');
const run = promisify(execFile);

/** A program that uses the package and the written client. */
const CONSUMER = `import { build, check, formatDiagnostics, ThemecastError, type BuildOptions, type Code } from 'themecast';
import { createThemeClient, logoFor, type ThemeClient, type ThemeClientOptions, type ThemeFetch } from 'themecast/client';
import fallback from 'themecast/fixtures/default.json' with { type: 'json' };
import type { ThemeRecord } from 'themecast/types';
import * as written from './theme.js';

const fetch: ThemeFetch = async (url, init) => ({
  status: url.length + init.redirect.length,
  headers: { get: (name) => init.headers[name] ?? null },
  json: async (): Promise<unknown> => null,
});

/** The client of the package and the written client both use the types of the record. */
export function clients(theme: ThemeRecord): Promise<ThemeRecord>[] {
  const options: ThemeClientOptions = { baseUrl: 'https://community.example.org', fallback: { ...theme, ...fallback }, fetch };
  const client: ThemeClient = written.createThemeClient(options);
  client.subscribe(({ name }) => void name)();
  logoFor(client.last(), { mode: 'dark', compact: true });
  return [client.current(), createThemeClient({ ...options, storage: null, timeout: 1 }).current()];
}

export async function main(options: BuildOptions): Promise<string | number> {
  const checked = await check(options);
  const built = await build(options);
  // @ts-expect-error a failed build has no files
  void built.files;
  // @ts-expect-error an unknown code
  const wrong: Code = 'no/such-code';
  if (!built.ok) throw new ThemecastError('locked', formatDiagnostics(checked.diagnostics, options) + wrong);
  return built.files;
}
`;

/** Returns the sentences and tables of the page as code, which compiles only if its names exist and all options and codes are listed. */
function sentencesAsCode(page: string): string {
  const words = [...prose(page).matchAll(/`(\w+)(\(\))?`/g)].map(([, word = '', call]) => ({ word, call }));
  const types = words.flatMap(({ word }) => (/^[A-Z]/.test(word) && !(word in globalThis) ? [word] : []));
  const calls = words.flatMap(({ word, call }) => (call === undefined ? [] : [word]));
  const [options, codes] = page.split('\n## Errors\n').map((part) => {
    const rows = [...part.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name = '']) => name);
    return JSON.stringify(Object.fromEntries(rows.map((name) => [name, true])));
  });
  return `import type { BuildOptions, CheckOptions, ErrorCode } from 'themecast';
export type { ${[...new Set(types)].join(', ')} } from 'themecast';
export { ${[...new Set(calls)].join(', ')} } from 'themecast';
export const options: Record<keyof BuildOptions | keyof CheckOptions, true> = ${options};
export const codes: Record<ErrorCode, true> = ${codes};
`;
}

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
  '5.4': 'test/node_modules/@tsd/typescript/typescript/bin/tsc',
  '7': 'node_modules/typescript/bin/tsc',
};

describe('public types', () => {
  let types: string;
  beforeAll(async () => {
    types = await readFile(path.join(root, 'lib/index.d.ts'), 'utf8');
  });

  it('match the golden file', async () => {
    await writeGoldenFiles('api', 'index', new Map([['index.d.ts', Buffer.from(types)]]));
    await expect(types).toMatchFileSnapshot(goldenFile('api', 'index'), UPDATE_HINT);
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
  it.each(['nonsense', 'http://example.org', 'https://example.org?x=1'])('reject the baseUrl %s', async (baseUrl) => {
    const message = `baseUrl must be an https URL without user name, query or fragment (http only for localhost), not \`${baseUrl}\`.`;
    const options = { themesDir: 'none', outDir: 'none', edgeOutDir: 'none', baseUrl };
    await expect(api.check(options)).rejects.toThrow(new RangeError(message));
    await expect(api.build(options)).rejects.toThrow(new RangeError(message));
  });
});

describe('a program with the packed package, without the types of Node.js', () => {
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

  if (NO_PLATFORMS !== undefined) skipAll('compiles with TypeScript 5.4', NO_PLATFORMS);
  it.each([
    // Includes each compiler, and each way of resolving modules.
    ...(NO_PLATFORMS === undefined ? [['5.4', COMPILERS['5.4'], 'nodenext', 'nodenext'] as const] : []),
    ['7', COMPILERS['7'], 'esnext', 'bundler'],
  ] as const)(
    'compiles with TypeScript %s (%s, module %s, moduleResolution %s)',
    async (version, file, module, moduleResolution) => {
      const tsc = [path.join(root, file)];
      expect((await run(process.execPath, [...tsc, '--version'])).stdout).toMatch(new RegExp(`^Version ${version}\\b`));
      const compilerOptions = { ...STRICT, target: 'es2022', lib: ['es2022'], types: [], module, moduleResolution };
      expect(await compileFiles(tsc, compilerOptions, ['main.ts'])).toBe('');
    },
  );

  it('compiles the examples of its page, with all names, options and codes in its sentences', async () => {
    for (const name of ['@types', 'undici-types'])
      await symlink(path.join(root, 'node_modules', name), path.join(folder, 'node_modules', name));
    const page = readPage('docs/api.md');
    const examples = codeBlocks(page, 'ts');
    const files = ['sentences.ts', ...examples.map((_, index) => `example-${index}.ts`)];
    for (const [index, code] of [sentencesAsCode(page), ...examples].entries())
      await writeFile(path.join(folder, files[index] ?? ''), code);
    const compilerOptions = { ...STRICT, target: 'es2022', module: 'nodenext', types: ['node'] };
    expect(await compileFiles([path.join(root, COMPILERS['7'])], compilerOptions, files)).toBe('');
  });

  async function compileFiles(
    tsc: readonly string[],
    compilerOptions: object,
    files: readonly string[],
  ): Promise<string> {
    await writeFile(path.join(folder, 'project.json'), JSON.stringify({ compilerOptions, files }));
    const args = [...tsc, '-p', 'project.json'];
    // The compiler reports errors on its standard output.
    const { stdout } = await run(process.execPath, args, { cwd: folder }).catch((error: { stdout: string }) => error);
    return stdout;
  }
});
