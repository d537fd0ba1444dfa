import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import config from '../oxlint.config.js';
import { IO_FOLDERS, RESTRICTED_PACKAGES, ROOMS } from '../scripts/layers.js';

const root = path.resolve(import.meta.dirname, '..');

const FILES = new Set(ROOMS.map(({ name }) => name).filter((name) => name.endsWith('.ts')));
const SYSTEM_MODULES = ['node:fs/promises', 'node:path', 'node:http'];

interface LintDiagnostic {
  code: string;
  filename: string;
  labels: { span: { line: number } }[];
}

type Import = readonly [file: string, module: string];

const CAPABILITIES = ROOMS.filter(({ capability }) => capability).map(({ name }) => name);

/** The files of a room that use the system, and those that do not. */
const SHELL: readonly string[] = ROOMS.flatMap(({ name, system }) => {
  if (system === 'io') return [`src/${name}/io/deep/seed.ts`, `src/${name}/command.ts`];
  return system === true ? [seedIn(name)] : [];
});
const CORE: readonly string[] = ROOMS.flatMap(({ name, system, pure = [] }) => [
  ...(system === true ? [] : [seedIn(name)]),
  ...pure.map((folder) => `src/${name}/${folder}/seed.ts`),
]);

const FORBIDDEN: readonly Import[] = [
  ...ROOMS.flatMap(({ name: left }, index) =>
    ROOMS.slice(index + 1).map(({ name: right }): Import => [seedIn(left), from(left, right)]),
  ),
  ...CAPABILITIES.flatMap((one) =>
    CAPABILITIES.filter((other) => other !== one).flatMap((other): Import[] => [
      [seedIn(one), from(one, other)],
      [`src/${one}/command.ts`, from(one, other)],
    ]),
  ),
  ...CORE.flatMap((file) => SYSTEM_MODULES.map((module): Import => [file, module])),
  ['src/verify/seed.ts', './io/seed.ts'],
  ['src/verify/seed.ts', '../http/io/seed.ts'],
  ['src/verify/seed.ts', '../build/seed.ts'],
  ['src/dev/pages/seed.ts', '../../io/seed.ts'],
  ...ROOMS.flatMap(({ name, packages = [] }) =>
    Object.keys(RESTRICTED_PACKAGES)
      .filter((module) => !packages.includes(module))
      .map((module): Import => [seedIn(name), module]),
  ),
  ...IO_FOLDERS.flatMap((left, place) =>
    IO_FOLDERS.slice(place + 1).map((right): Import => [`src/io/${left}/seed.ts`, `../${right}/seed.ts`]),
  ),
  ['src/hosts/deep/seed.ts', '../../io/seed.ts'],
  ['src/hosts/nginx/seed.ts', '../apache/seed.ts'],
  ['src/hosts/cloudflare/seed.ts', '../static/seed.ts'],
  ['src/image/svg/seed.ts', 'culori'],
  ['src/image/svg/seed.ts', '../../document/seed.ts'],
  ...ROOMS.filter(({ alone }) => alone).flatMap(({ name }): Import[] => [
    [seedIn(name), 'node:crypto'],
    [seedIn(name), '../diagnostics/seed.ts'],
  ]),
  ['src/edge-runtime/seed.ts', '../client/seed.ts'],
];

const ALLOWED: readonly Import[] = [
  ...ROOMS.flatMap(({ name: right, alone, capability }, index) =>
    alone || FILES.has(right)
      ? []
      : ROOMS.slice(0, index)
          .filter((left) => !(capability && left.capability))
          .map(({ name: left }): Import => [shellOf(right), from(right, left)]),
  ),
  ...SHELL.flatMap((file) => SYSTEM_MODULES.map((module): Import => [file, module])),
  ...ROOMS.flatMap(({ name, packages = [] }) => packages.map((module): Import => [seedIn(name), module])),
  ['src/image/svg/seed.ts', 'saxes'],
  ['src/hosts/nginx/seed.ts', '../contract.ts'],
  ['src/hosts/nginx/seed.ts', './syntax.ts'],
  ['src/verify/seed.ts', '../http/seed.ts'],
  ['src/commands.ts', './verify/command.ts'],
];

/** A file of a room that may use the system, if any of it may. */
function shellOf(room: string): string {
  return ROOMS.find(({ name }) => name === room)?.system === 'io' ? `src/${room}/command.ts` : seedIn(room);
}

/** The file that imports are seeded into; a room that is a file is that file. */
function seedIn(room: string): string {
  return FILES.has(room) ? `src/${room}` : `src/${room}/seed.ts`;
}

function from(room: string, other: string): string {
  const up = FILES.has(room) ? './' : '../';
  return FILES.has(other) ? `${up}${other}` : `${up}${other}/seed.ts`;
}

describe('boundaries between rooms', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'themecast-lint-'));
    await writeFile(path.join(folder, '.oxlintrc.json'), JSON.stringify(config));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('reports every seeded import from a room to the right', async () => {
    expect(await rejected(FORBIDDEN)).toEqual(FORBIDDEN.map(String));
  });

  it('allows imports from rooms to the left', async () => {
    expect(await rejected(ALLOWED)).toEqual([]);
  });

  /** Returns the imports that lint rejects. All imports of one file are seeded into it, one per line. */
  async function rejected(imports: readonly Import[]): Promise<string[]> {
    const files = new Map<string, string[]>();
    for (const [file, module] of imports) files.set(file, [...(files.get(file) ?? []), module]);
    for (const [file, modules] of files) {
      await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
      await writeFile(path.join(folder, file), modules.map((module) => `import '${module}';\n`).join(''));
    }
    const { diagnostics } = await lint();
    await rm(path.join(folder, 'src'), { recursive: true });
    const found = new Set(
      diagnostics
        .filter(({ code }) => code === 'eslint(no-restricted-imports)')
        .flatMap(({ filename, labels }) =>
          labels.map(({ span }) => [filename, files.get(filename)?.[span.line - 1]].join()),
        ),
    );
    return imports.map(String).filter((one) => found.has(one));
  }

  function lint(): Promise<{ diagnostics: LintDiagnostic[] }> {
    const oxlint = path.join(root, 'node_modules/.bin/oxlint');
    return new Promise((resolve) => {
      execFile(oxlint, ['--format', 'json'], { cwd: folder, maxBuffer: 1e8 }, (_, stdout) =>
        resolve(JSON.parse(stdout)),
      );
    });
  }
});
