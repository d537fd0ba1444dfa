import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FileTable } from '../../../src/system/disk/file-table.ts';
import { sha256Of } from '../../../src/system/disk/files.ts';
import { StateFolder } from '../../../src/system/disk/state-folder.ts';

let folder: string;
let root: string;
let state: StateFolder;
const stateFolder = (): string => path.join(folder, 'state');
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'themecast-table-'));
  root = path.join(folder, 'site');
  for (const name of ['site', 'state']) await mkdir(path.join(folder, name));
  state = new StateFolder(stateFolder());
});
afterEach(() => rm(folder, { recursive: true }));

const at = (name: string): string => path.join(root, name);
const digestOf = (table: FileTable, name: string): string | undefined => {
  const file = table.digest(name, 100);
  return 'problem' in file ? undefined : file.sha256;
};
/** Keeps the digest of a file that has been left alone for long enough. */
async function keep(name: string, text: string): Promise<void> {
  await writeFile(at(name), text);
  await delay(2200);
  const table = new FileTable(root, state);
  digestOf(table, name);
  table.save();
  expect(new FileTable(root, state).known(name)?.sha256).toBe(sha256Of(text));
}

it('keeps the digest of a file only if its times are older than the run by 2.1 s', async () => {
  await writeFile(at('a'), 'one');
  const table = new FileTable(root, state);
  expect(digestOf(table, 'a')).toBe(sha256Of('one'));
  expect(table.known('a')?.sha256).toBe(sha256Of('one'));
  table.save();
  expect(new FileTable(root, state).known('a')).toBeUndefined();
  // A time in the past does not help: the time of the change is new.
  await utimes(at('a'), 1, 1);
  digestOf(table, 'a');
  table.save();
  expect(new FileTable(root, state).known('a')).toBeUndefined();
});

it('reads a file again after every change, even one that keeps size and modification time', async () => {
  await keep('a', 'one');
  const { atime, mtime } = await stat(at('a'));
  await writeFile(at('a'), 'two');
  await utimes(at('a'), atime, mtime);
  expect(digestOf(new FileTable(root, state), 'a')).toBe(sha256Of('two'));
  await keep('b', 'one');
  await writeFile(at('c'), 'two');
  await utimes(at('c'), mtime, mtime);
  await rename(at('c'), at('b'));
  expect(digestOf(new FileTable(root, state), 'b')).toBe(sha256Of('two'));
});

it('knows nothing of links and folders, and hashes files above the limit in parts', async () => {
  await mkdir(at('folder'));
  await writeFile(at('large'), 'x'.repeat(3_000_000));
  const table = new FileTable(root, state);
  expect(table.digest('folder', 100)).toEqual({ problem: 'not-a-file' });
  expect(table.digest('none', 100)).toEqual({ problem: 'missing' });
  const large = table.digest('large', 100);
  expect([large, 'bytes' in large]).toMatchObject([{ sha256: sha256Of('x'.repeat(3_000_000)) }, false]);
});

it('is empty if it is damaged, and forgets removed files', async () => {
  await keep('a', 'one');
  const name = (await readdir(stateFolder())).find((file) => file !== 'now') ?? '';
  const bytes = await readFile(path.join(stateFolder(), name));
  for (const damaged of [bytes.subarray(0, -1), Buffer.from(''), Buffer.concat([Buffer.from('x'), bytes])]) {
    await writeFile(path.join(stateFolder(), name), damaged);
    expect(new FileTable(root, state).known('a')).toBeUndefined();
  }
  await writeFile(path.join(stateFolder(), name), bytes);
  await writeFile(at('b'), 'two');
  await rm(at('a'));
  await delay(2200);
  const table = new FileTable(root, state);
  digestOf(table, 'b');
  table.save();
  expect(await readFile(path.join(stateFolder(), name), 'utf8')).not.toContain('"a"');
});

it('is removed once no run has stored it for 90 days, as that of a removed checkout', async () => {
  await keep('a', 'one');
  const name = (await readdir(stateFolder())).find((file) => file !== 'now') ?? '';
  const days = (number: number): Date => new Date(Date.now() - number * 24 * 60 * 60 * 1000);
  await writeFile(path.join(stateFolder(), 'young'), '');
  await utimes(path.join(stateFolder(), 'young'), days(89), days(89));
  await utimes(path.join(stateFolder(), name), days(91), days(91));
  state.keep('another checkout', []);
  expect(await readdir(stateFolder())).not.toContain(name);
  expect(await readdir(stateFolder())).toContain('young');
});
