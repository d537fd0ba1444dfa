import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import config from '../oxlint.config.js';
import { RESTRICTED_PACKAGES, type Room, ROOMS } from '../scripts/layers.js';

const root = path.resolve(import.meta.dirname, '..');

interface LintDiagnostic {
  code: string;
  filename: string;
  labels: { span: { line: number } }[];
}

type Import = readonly [file: string, module: string];

const SYSTEM = 'node:fs/promises';

/** Returns the files that imports are inserted into. The last file may use the system if any file of the room may. */
function filesOf({ name, system }: Room): string[] {
  if (name.endsWith('.ts')) return [`src/${name}`];
  return [`src/${name}/seed.ts`, ...(system === 'io' ? [`src/${name}/command.ts`] : [])];
}
const systemFileOf = (room: Room): string => filesOf(room).at(-1) ?? '';

/** Returns imports of a room from each file of another. */
const importsOf = (importer: Room, imported: Room): Import[] =>
  filesOf(importer).map((file) => [file, specifierOf(importer, imported)]);

/** Returns the import specifier that a file of one room uses for another. */
function specifierOf(room: Room, { name }: Room): string {
  const target = path.posix.relative(
    room.name.endsWith('.ts') ? '' : room.name,
    `${name}${name.endsWith('.ts') ? '' : '/seed.ts'}`,
  );
  return target.startsWith('.') ? target : `./${target}`;
}

/** Every pair of rooms, from left to right. */
const PAIRS = ROOMS.flatMap((right, index) => ROOMS.slice(0, index).map((left) => [left, right] as const));
const mayImport = (left: Room, right: Room): boolean =>
  !right.alone && !(left.capability && right.capability) && !(left.system === true && right.system === undefined);

const FORBIDDEN: readonly Import[] = [
  ...PAIRS.flatMap(([left, right]) => importsOf(left, right)),
  ...PAIRS.filter(([left, right]) => !mayImport(left, right)).flatMap(([left, right]) => importsOf(right, left)),
  ...ROOMS.flatMap(({ name, system, pure = [] }) => [
    ...(system === true ? [] : [`src/${name}/seed.ts`]),
    ...pure.map((folder) => `src/${name}/${folder}/seed.ts`),
  ]).map((file): Import => [file, SYSTEM]),
  ...ROOMS.flatMap((room) =>
    Object.keys(RESTRICTED_PACKAGES)
      .filter((module) => !room.packages?.includes(module))
      .map((module): Import => [systemFileOf(room), module]),
  ),
  ['src/commands/verify/seed.ts', './io/seed.ts'],
  ['src/commands/verify/seed.ts', '../../system/http/io/seed.ts'],
  ['src/commands/dev/pages/seed.ts', '../../../system/disk/seed.ts'],
  ['src/hosts/deep/seed.ts', '../../system/disk/seed.ts'],
  ['src/hosts/nginx/seed.ts', '../apache/seed.ts'],
  ['src/core/image/svg/seed.ts', 'culori'],
  ['src/core/edge-runtime/seed.ts', 'node:crypto'],
];

describe('boundaries between rooms', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'themecast-lint-'));
    await writeFile(path.join(folder, '.oxlintrc.json'), JSON.stringify(config));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  // `npm run lint` passes on the source, so all other imports are allowed.
  it('are enforced by lint for each pair of rooms, for packages and for the system', async () => {
    expect(await findRejected(FORBIDDEN)).toEqual(FORBIDDEN.map(String));
  });

  /** Returns the imports that lint rejects. All imports of a file are inserted into it, one per line. */
  async function findRejected(imports: readonly Import[]): Promise<string[]> {
    const files = new Map<string, string[]>();
    for (const [file, module] of imports) files.set(file, [...(files.get(file) ?? []), module]);
    for (const [file, modules] of files) {
      await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
      await writeFile(path.join(folder, file), modules.map((module) => `import '${module}';\n`).join(''));
    }
    const { diagnostics } = await lint();
    await rm(path.join(folder, 'src'), { recursive: true });
    const rejectedImports = new Set(
      diagnostics
        .filter(({ code }) => code === 'eslint(no-restricted-imports)')
        .flatMap(({ filename, labels }) =>
          labels.map(({ span }) => [filename, files.get(filename)?.[span.line - 1]].join()),
        ),
    );
    return imports.map(String).filter((specifier) => rejectedImports.has(specifier));
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
