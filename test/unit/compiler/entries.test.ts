import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { listEntries } from '../../../src/compiler/walk/entries.ts';
import { filesOnDisk } from '../../../src/compiler/walk/theme-files.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'themecast-test-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('treats a folder that was deleted after the listing as empty, not as unreadable', () => {
  expect(filesOnDisk(folder, 'deleted')).toMatchObject({ entries: [], unusable: [], unreadable: undefined });
});

it('neither lists nor enters what programs leave behind', async () => {
  for (const name of ['node_modules', '__MACOSX', '$RECYCLE.BIN', '@eaDir', 'lost+found', 'System Volume Information'])
    await mkdir(path.join(folder, name, 'inside'), { recursive: true });
  for (const name of ['Thumbs.db', '.DS_Store', '~$theme.yaml', 'logo.svg~', 'logo.svg'])
    await writeFile(path.join(folder, name), '');
  expect(listEntries(folder, 'below')?.entries).toEqual([{ path: 'logo.svg', depth: 1, kind: 'file' }]);
});

it('refuses by name what is not UTF-8, or contains a line break or a control character', async () => {
  await mkdir(path.join(folder, 'images/odd\tfolder'), { recursive: true });
  await writeFile(path.join(folder, 'images/odd\tfolder/logo.svg'), '');
  await writeFile(path.join(folder, 'two\nlines'), '');
  await writeFile(Buffer.from(`${folder}/caf\xe9`, 'latin1'), '');
  expect(listEntries(folder, 'below')).toEqual({
    entries: [{ path: 'images', depth: 1, kind: 'folder' }],
    unusable: [
      { folder: '', name: 'caf\\u{fffd}' },
      { folder: '', name: 'two\\u{a}lines' },
      { folder: 'images', name: 'odd\\u{9}folder' },
    ],
    unreadable: undefined,
  });
});
