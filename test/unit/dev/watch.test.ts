import fs, { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Hints } from '../../../src/commands/dev/session/hints.ts';
import { takeSnapshot, watch } from '../../../src/commands/dev/session/watch.ts';

let folder: string;
let writer: Promise<void>;
let stopWriter: AbortController;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'themecast-watch-'));
  stopWriter = new AbortController();
  const log = path.join(folder, 'log');
  await writeFile(log, '');
  writer = (async () => {
    while (!stopWriter.signal.aborted) {
      appendFileSync(log, 'x'); // Changes the file between any two polls.
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
});
afterEach(async () => {
  vi.restoreAllMocks();
  stopWriter.abort();
  await writer;
  await rm(folder, { recursive: true });
});

test('a file that keeps changing does not delay other changes', async () => {
  const stop = new AbortController();
  const before = takeSnapshot(folder);
  const themeFile = path.join(folder, 'theme.yaml');
  await writeFile(themeFile, 'id: 1');
  const seenChanges: string[][] = [];
  await watch(
    () => takeSnapshot(folder),
    () => before,
    async ({ files }) => {
      seenChanges.push([...files.keys()]);
      stop.abort();
    },
    stop.signal,
  );
  expect(seenChanges).toEqual([expect.arrayContaining([themeFile])]);
});

test('after a hint of the system, only the theme is examined that has changed', async () => {
  stopWriter.abort();
  await writer;
  for (const name of ['harbor', 'meadow']) await mkdir(path.join(folder, name));
  const before = takeSnapshot(folder);
  const stop = new AbortController();
  const hints = new Hints(folder, () => undefined);
  hints.follow(['harbor', 'meadow']);
  const taken: (string | undefined)[] = [];
  const changes: (readonly string[])[] = [];
  setTimeout(() => writeFileSync(path.join(folder, 'meadow/theme.yaml'), 'id: 1'), 10);
  // A pause of the first poll, in which the hint arrives.
  const wait = vi.spyOn(hints, 'wait').mockImplementationOnce((_, signal) => hints.wait(60_000, signal));
  await watch(
    (only) => {
      taken.push(only);
      return takeSnapshot(folder, [], only === undefined ? undefined : { slug: only, before });
    },
    () => before,
    async (_, changed) => {
      changes.push(changed);
      stop.abort();
    },
    stop.signal,
    hints,
  );
  hints.close();
  expect(wait).toHaveBeenCalled();
  expect(new Set(taken)).toEqual(new Set(['meadow']));
  expect(changes).toEqual([[path.join(folder, 'meadow/theme.yaml')]]);
});

test('if the system watches no more folders, all of them are polled, and the reason is given once', () => {
  const reasons: string[] = [];
  const hints = new Hints(folder, (reason) => reasons.push(reason));
  vi.spyOn(fs, 'watch').mockImplementation(() => {
    throw Object.assign(new Error('ENOSPC: System limit for number of file watchers reached'), { code: 'ENOSPC' });
  });
  syncBuiltinESMExports();
  try {
    hints.follow(['harbor', 'meadow']);
    hints.follow(['harbor']);
  } finally {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  }
  expect([hints.isComplete, reasons]).toEqual([false, ['the system watches no more folders (ENOSPC)']]);
});

test('a file that is truncated and then written is read after the write', async () => {
  stopWriter.abort();
  await writer;
  const file = path.join(folder, 'theme.yaml');
  await writeFile(file, 'id: 1');
  const before = takeSnapshot(folder);
  await writeFile(file, '');
  // Freezes the clock, so that the file may stay empty however late the timer fires on a busy machine.
  vi.spyOn(performance, 'now').mockReturnValue(0);
  setTimeout(() => writeFileSync(file, 'id: 2'), 100);
  const stop = new AbortController();
  const readTexts: string[] = [];
  const read = async (): Promise<void> => {
    readTexts.push(readFileSync(file, 'utf8'));
    stop.abort();
  };
  await watch(
    () => takeSnapshot(folder),
    () => before,
    read,
    stop.signal,
  );
  expect(readTexts).toEqual(['id: 2']);
});
