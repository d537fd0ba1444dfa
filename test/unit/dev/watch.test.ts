import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { lookAt, NOTHING_SEEN, watch } from '../../../src/dev/watch.ts';

let folder: string;
let writer: Promise<void>;
let rest: AbortController;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'themecast-watch-'));
  rest = new AbortController();
  const log = path.join(folder, 'log');
  await writeFile(log, '');
  writer = (async () => {
    while (!rest.signal.aborted) {
      appendFileSync(log, 'x'); // between any two polls
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
});
afterEach(async () => {
  vi.restoreAllMocks();
  rest.abort();
  await writer;
  await rm(folder, { recursive: true });
});

test('a file that changes all the time does not delay other changes', async () => {
  const stop = new AbortController();
  const before = lookAt(folder);
  const other = path.join(folder, 'theme.yaml');
  await writeFile(other, 'id: 1');
  const seen: string[][] = [];
  await watch(
    () => lookAt(folder),
    () => before,
    async ({ files }) => {
      seen.push([...files.keys()]);
      stop.abort();
    },
    stop.signal,
  );
  expect(seen).toEqual([expect.arrayContaining([other])]);
});

test('stops while a file is being written', async () => {
  const stop = new AbortController();
  const calls: unknown[] = [];
  const known = (): ReturnType<typeof lookAt> => {
    setImmediate(() => stop.abort());
    return NOTHING_SEEN;
  };
  await watch(
    () => lookAt(folder),
    known,
    async (stamps) => void calls.push(stamps),
    stop.signal,
  );
  expect(calls).toEqual([]);
});

test('a file that is truncated and then written is read once it is written', async () => {
  rest.abort();
  await writer;
  const file = path.join(folder, 'theme.yaml');
  await writeFile(file, 'id: 1');
  const before = lookAt(folder);
  await writeFile(file, '');
  // The time for which a file may be empty does not pass, however long the timer takes on a busy machine.
  vi.spyOn(performance, 'now').mockReturnValue(0);
  setTimeout(() => writeFileSync(file, 'id: 2'), 100);
  const stop = new AbortController();
  const texts: string[] = [];
  const read = async (): Promise<void> => {
    texts.push(readFileSync(file, 'utf8'));
    stop.abort();
  };
  await watch(
    () => lookAt(folder),
    () => before,
    read,
    stop.signal,
  );
  expect(texts).toEqual(['id: 2']);
});
