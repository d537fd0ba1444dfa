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

/** The files that imports are seeded into: the last one may use the system, if any of the room may. A room that is a file is that file. */
function filesOf({ name, system }: Room): string[] {
  if (name.endsWith('.ts')) return [`src/${name}`];
  return [`src/${name}/seed.ts`, ...(system === 'io' ? [`src/${name}/command.ts`] : [])];
}
const shellOf = (room: Room): string => filesOf(room).at(-1) ?? '';

/** The import of a room, from each file of another. */
const imports = (room: Room, other: Room): Import[] => filesOf(room).map((file) => [file, from(room, other)]);

/** What a file of one room writes to import another. */
function from(room: Room, { name }: Room): string {
  return `${room.name.endsWith('.ts') ? './' : '../'}${name}${name.endsWith('.ts') ? '' : '/seed.ts'}`;
}

/** Every room with every other, from left to right. */
const PAIRS = ROOMS.flatMap((right, at) => ROOMS.slice(0, at).map((left) => [left, right] as const));
const mayImport = (left: Room, right: Room): boolean =>
  !right.alone && !(left.capability && right.capability) && !(left.system === true && right.system === undefined);

const FORBIDDEN: readonly Import[] = [
  ...PAIRS.flatMap(([left, right]) => imports(left, right)),
  ...PAIRS.filter(([left, right]) => !mayImport(left, right)).flatMap(([left, right]) => imports(right, left)),
  ...ROOMS.flatMap(({ name, system, pure = [] }) => [
    ...(system === true ? [] : [`src/${name}/seed.ts`]),
    ...pure.map((folder) => `src/${name}/${folder}/seed.ts`),
  ]).map((file): Import => [file, SYSTEM]),
  ...ROOMS.flatMap((room) =>
    Object.keys(RESTRICTED_PACKAGES)
      .filter((module) => !room.packages?.includes(module))
      .map((module): Import => [shellOf(room), module]),
  ),
  ['src/verify/seed.ts', './io/seed.ts'],
  ['src/verify/seed.ts', '../http/io/seed.ts'],
  ['src/dev/pages/seed.ts', '../../disk/seed.ts'],
  ['src/hosts/deep/seed.ts', '../../disk/seed.ts'],
  ['src/hosts/nginx/seed.ts', '../apache/seed.ts'],
  ['src/image/svg/seed.ts', 'culori'],
  ['src/edge-runtime/seed.ts', 'node:crypto'],
];

describe('boundaries between rooms', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'themecast-lint-'));
    await writeFile(path.join(folder, '.oxlintrc.json'), JSON.stringify(config));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  // All other imports are allowed: `npm run lint` passes on the source.
  it('are enforced by lint for each pair of rooms, and for packages and the system', async () => {
    expect(await rejected(FORBIDDEN)).toEqual(FORBIDDEN.map(String));
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
