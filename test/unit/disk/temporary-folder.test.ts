import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../../src/system/disk/temporary-folder.ts';

const LIB = path.resolve(import.meta.dirname, '../../../lib/system/disk/temporary-folder.js');
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'themecast-temporary-'));
  vi.stubEnv('TMPDIR', folder);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

it.each(['SIGKILL', 'SIGTERM', 'SIGHUP', 'SIGINT'] as const)(
  'removes the folders of a process that ended by %s',
  async (signal) => {
    const script = `import { temporaryFolder } from ${JSON.stringify(LIB)};
import { writeFileSync } from 'node:fs';
writeFileSync((await temporaryFolder('themecast-diff-')) + '/users.csv', 'tom');
process.kill(process.pid, '${signal}');
await new Promise((resolve) => setTimeout(resolve, 60_000));`;
    expect(spawnSync(process.execPath, ['--input-type=module', '-e', script]).signal).toBe(signal);
    const [abandoned = ''] = await readdir(folder);
    expect(await readdir(path.join(folder, abandoned))).toEqual(['.lock', 'users.csv']);
    const nextFolder = await temporaryFolder('themecast-diff-');
    expect(await readdir(folder)).toEqual([path.basename(nextFolder)]);
  },
);

it('keeps the folders of running processes and of other users', async () => {
  const firstFolder = await temporaryFolder('themecast-diff-');
  const outside = path.join(folder, 'outside');
  await mkdir(outside);
  await writeFile(path.join(outside, 'file'), '');
  await mkdir(path.join(folder, 'themecast-diff-unlocked'));
  await symlink(outside, path.join(folder, 'themecast-diff-link'));
  const nextFolder = await temporaryFolder('themecast-diff-');
  const names = [firstFolder, nextFolder].map((file) => path.basename(file));
  expect(new Set(await readdir(folder))).toEqual(
    new Set([...names, 'outside', 'themecast-diff-link', 'themecast-diff-unlocked']),
  );
  expect(await readdir(outside)).toEqual(['file']);
});
