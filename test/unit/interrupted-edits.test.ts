import fs from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ContainedFolder } from '../../src/system/disk/contained-folder.ts';
import { writeNew } from '../../src/commands/start/io/write-new.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'themecast-edits-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Runs an action in which every write from the nth on fails, as on a full disk. */
async function onFullDisk(n: number, action: () => Promise<unknown>): Promise<unknown> {
  const { writeFileSync } = fs;
  let writes = 0;
  fs.writeFileSync = (...args: Parameters<typeof writeFileSync>) => {
    if (++writes >= n) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    return writeFileSync(...args);
  };
  syncBuiltinESMExports();
  try {
    return await action().catch((error: unknown) => error);
  } finally {
    fs.writeFileSync = writeFileSync;
    syncBuiltinESMExports();
  }
}

it('writes a theme after its images, so that a run on a full disk leaves no theme that looks complete', async () => {
  const files = new Map([
    ['themes/harbor/theme.yaml', 'id: 1\n'],
    ['themes/harbor/logo.svg', '<svg/>'],
    ['themes/harbor/icon.svg', '<svg/>'],
  ]);
  expect(await onFullDisk(2, () => writeNew(folder, files))).toMatchObject({
    message: expect.stringContaining('no space'),
  });
  expect(await readdir(path.join(folder, 'themes/harbor'))).not.toContain('theme.yaml');
  await writeNew(folder, files);
  expect((await readdir(path.join(folder, 'themes/harbor'))).toSorted()).toEqual([
    'icon.svg',
    'logo.svg',
    'theme.yaml',
  ]);
});

it('leaves no partial file if a file cannot be replaced', async () => {
  await writeFile(path.join(folder, 'theme.schema.json'), '{}');
  await onFullDisk(1, () => new ContainedFolder(folder).replace('theme.schema.json', '{"a":1}', 0o644));
  expect(await readdir(folder)).toEqual(['theme.schema.json']);
});
