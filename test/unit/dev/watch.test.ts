import fs, { writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Hints } from '../../../src/commands/dev/session/hints.ts';
import { takeSnapshot, watch } from '../../../src/commands/dev/session/watch.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'themecast-watch-'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});

test('after a hint of the system, only the theme is examined that has changed', async () => {
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
