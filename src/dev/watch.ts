import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from '../io/files.ts';

/** What tells whether a file has changed, by path. */
export type Fingerprints = ReadonlyMap<string, string>;

/** Milliseconds between two looks at least, and at most. */
const MIN_PAUSE = 50;
const MAX_PAUSE = 2000;
/** Looks take no more than this part of the time, however many files there are. */
const SHARE = 0.3;
/** Milliseconds for which files must stay as they are before they are read: editors write in several steps. */
const SETTLED = 15;
/** Milliseconds for which a file may be empty: programs that write over one empty it first, and a busy machine may come between. */
const EMPTIED = 300;
/** Milliseconds after which they are read as they are: some never rest, like a log. */
const RESTLESS = 2000;

/**
 * The stamps of every file, link and folder below a folder, but for names that start with a dot. Taken at once, so that nothing
 * changes between two of them because of what themecast does itself.
 */
export function takeFingerprints(folder: string): Map<string, string> {
  const stamps = new Map<string, string>();
  const walk = (below: string): void => {
    for (const entry of entriesOf(below)) {
      if (entry.name.startsWith('.')) continue;
      const file = path.join(below, entry.name);
      // A folder is told by what is in it; its own time changes with files that do not count.
      const stamp = entry.isDirectory() ? '/' : fingerprintOf(file);
      if (stamp !== undefined) stamps.set(file, stamp);
      if (stamp === '/') walk(file);
    }
  };
  walk(folder);
  return stamps;
}

/**
 * The time of the last change of anything about it is enough, but for systems that keep whole seconds. Of a file that cannot be
 * looked at, the reason: the build says it to people.
 */
function fingerprintOf(file: string): string | undefined {
  try {
    const { ino, size, mtimeMs, ctimeMs } = lstatSync(file);
    return `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
  } catch (error) {
    const code = errorCode(error);
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : code;
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // it is gone, or cannot be read, which the build says
  }
}

/**
 * Looks at a folder again and again, and calls back when something is not as it was. `fs.watch` is not used: on Linux it misses
 * edits after a file was replaced, and it is silent in WSL and in containers with mounted folders.
 * @param known - the stamps of what was last read
 * @param signal - ends it
 */
export async function watch(
  folder: string,
  known: () => Fingerprints,
  onChange: (stamps: Fingerprints) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  let pause = MIN_PAUSE;
  while (!signal.aborted) {
    await delay(pause, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    const started = performance.now();
    const stamps = takeFingerprints(folder);
    pause = Math.min(MAX_PAUSE, Math.max(MIN_PAUSE, (performance.now() - started) / SHARE));
    const changed = changes(known(), stamps);
    if (changed.length === 0) continue;
    await settle(changed, stamps, signal);
    if (signal.aborted) return;
    await onChange(stamps);
  }
}

/** Waits until the files that changed have been written. */
async function settle(changed: readonly string[], stamps: Map<string, string>, signal: AbortSignal): Promise<void> {
  const started = performance.now();
  while (!signal.aborted && performance.now() - started < RESTLESS) {
    await delay(SETTLED);
    const later = changed.map((file) => [file, fingerprintOf(file)] as const);
    const isSame = later.every(([file, stamp]) => stamps.get(file) === '/' || stamps.get(file) === stamp);
    const isEmptied =
      performance.now() - started < EMPTIED && later.some(([, stamp]) => stamp !== undefined && isEmpty(stamp));
    for (const [file, stamp] of later) {
      if (stamps.get(file) === '/') continue;
      if (stamp === undefined) stamps.delete(file);
      else stamps.set(file, stamp);
    }
    if (isSame && !isEmptied) return;
  }
}

function isEmpty(stamp: string): boolean {
  return stamp.split(' ')[1] === '0';
}

function changes(before: Fingerprints, now: Fingerprints): string[] {
  const changed = [...now].flatMap(([file, stamp]) => (before.get(file) === stamp ? [] : [file]));
  return changed.length > 0 || before.size === now.size ? changed : [...before.keys()].filter((file) => !now.has(file));
}
