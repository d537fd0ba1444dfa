import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');

/** From left to right, as src/README.md has them: nothing may import from the right of itself. */
const LAYERS = [
  'diagnostics',
  'source',
  'theme',
  'image',
  'document',
  'mapping',
  'edge',
  'gallery',
  'io',
  'dev',
  'commands',
];

const FORBIDDEN: readonly (readonly [file: string, module: string])[] = [
  ...LAYERS.flatMap((layer, index) =>
    LAYERS.slice(index + 1).map((right) => [`src/${layer}/seed.ts`, `../${right}/seed.ts`] as const),
  ),
  ...LAYERS.slice(0, -2).flatMap((layer) =>
    ['api', 'pipeline', 'build'].map((module) => [`src/${layer}/seed.ts`, `../${module}.ts`] as const),
  ),
  ...LAYERS.map((layer) => [`src/${layer}/seed.ts`, '../cli.ts'] as const),
  ...LAYERS.slice(0, LAYERS.indexOf('io')).flatMap((layer) =>
    ['node:fs/promises', 'node:path', 'node:http', 'sharp', 'fast-glob', 'http-server'].map(
      (module) => [`src/${layer}/seed.ts`, module] as const,
    ),
  ),
  ['src/theme/seed.ts', 'yaml'],
  ['src/image/seed.ts', 'saxes'],
  ['src/io/seed.ts', 'saxes'],
  ['src/gallery/seed.ts', 'culori'],
  ['src/image/svg/seed.ts', 'culori'],
  ['src/image/svg/seed.ts', '../../document/seed.ts'],
  ['src/image/svg/seed.ts', 'sharp'],
  ['src/io/seed.ts', 'zod'],
  ['src/commands/seed.ts', 'sharp'],
  ['src/dev/seed.ts', 'http-server'],
  ['src/edge/deep/seed.ts', '../../io/seed.ts'],
];

const ALLOWED: readonly (readonly [file: string, module: string])[] = [
  ['src/io/seed.ts', '../edge/seed.ts'],
  ['src/io/seed.ts', 'sharp'],
  ['src/image/svg/seed.ts', 'saxes'],
  ['src/source/seed.ts', 'yaml'],
  ['src/theme/seed.ts', 'zod'],
  ['src/theme/seed.ts', 'culori'],
  ['src/commands/seed.ts', '../build.ts'],
  ['src/commands/seed.ts', '../pipeline.ts'],
  ['src/dev/seed.ts', '../build.ts'],
  ['src/dev/seed.ts', '../gallery/seed.ts'],
];

describe('the boundaries between folders', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'themecast-lint-'));
    await copyFile(path.join(root, '.oxlintrc.json'), path.join(folder, '.oxlintrc.json'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('are kept by lint: every seeded import from the right is found', async () => {
    expect(await refused(FORBIDDEN)).toEqual(FORBIDDEN.map(String));
  });

  it('leave alone what is allowed', async () => {
    expect(await refused(ALLOWED)).toEqual([]);
  });

  /** Those of the imports that lint refuses, each seeded into a file of its own. */
  async function refused(imports: readonly (readonly [string, string])[]): Promise<string[]> {
    const seeded = await Promise.all(
      imports.map(async ([file, module], index) => {
        const name = file.replace('seed', `seed-${index}`);
        await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
        await writeFile(path.join(folder, name), `import '${module}';\n`);
        return name;
      }),
    );
    const output = await lint();
    await Promise.all(seeded.map((name) => rm(path.join(folder, name))));
    const found = output.diagnostics.filter(({ code }) => code === 'eslint(no-restricted-imports)');
    const files = new Set(found.map(({ filename }) => filename));
    return imports.filter((_, index) => files.has(seeded[index] ?? '')).map(String);
  }

  function lint(): Promise<{ diagnostics: { code: string; filename: string }[] }> {
    const oxlint = path.join(root, 'node_modules/.bin/oxlint');
    return new Promise((resolve) => {
      execFile(oxlint, ['--format', 'json'], { cwd: folder, maxBuffer: 1e8 }, (_, stdout) =>
        resolve(JSON.parse(stdout)),
      );
    });
  }
});
