import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from '../io/disk/files.ts';
import { identityOf } from '../io/incremental/identity.ts';

/** A fingerprint per path, which differs once a file has changed. */
export type Fingerprints = ReadonlyMap<string, string>;

/** Pause between two checks, in milliseconds. */
const MIN_PAUSE = 50;
const MAX_PAUSE = 2000;
/** Maximum share of the time that checks take, however many files there are. */
const SHARE = 0.3;
/** Milliseconds for which files must be unchanged before they are read: editors write in several steps. */
const STABLE = 15;
/** Milliseconds for which a file may be empty: programs truncate a file before they write it, and a busy machine may pause in between. */
const MAX_EMPTY = 300;
/** Milliseconds after which files are read in any case: some never stop changing, like a log. */
const MAX_WAIT = 2000;

/**
 * The fingerprints of every file, link and folder below a folder, except names that start with a dot. Synchronous, so that nothing
 * that themecast does itself can change files in between.
 * @param others - files elsewhere
 */
export function takeFingerprints(folder: string, others: readonly string[] = []): Map<string, string> {
  const fingerprints = new Map<string, string>();
  for (const file of others) {
    const fingerprint = fingerprintOf(file);
    if (fingerprint !== undefined) fingerprints.set(file, fingerprint);
  }
  const walk = (below: string): void => {
    for (const entry of entriesOf(below)) {
      if (entry.name.startsWith('.')) continue;
      const file = path.join(below, entry.name);
      // A folder is identified by its content; its own time also changes with ignored files.
      const fingerprint = entry.isDirectory() ? '/' : fingerprintOf(file);
      if (fingerprint !== undefined) fingerprints.set(file, fingerprint);
      if (fingerprint === '/') walk(file);
    }
  };
  walk(folder);
  return fingerprints;
}

/**
 * The time of the last status change would do, but some file systems store whole seconds. For a file that cannot be
 * examined, the reason: the build reports it.
 */
function fingerprintOf(file: string): string | undefined {
  try {
    return identityOf(lstatSync(file));
  } catch (error) {
    const code = errorCode(error);
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : code;
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // it is gone, or cannot be read, which the build reports
  }
}

/**
 * Polls files and calls back with the paths of those that have changed. `fs.watch` is not used: on Linux it misses
 * edits after a file was replaced, and it is silent in WSL and in containers with mounted folders.
 * @param look - takes the fingerprints of the files
 * @param known - the fingerprints of what was last read
 * @param signal - stops it
 */
export async function watch(
  look: () => Map<string, string>,
  known: () => Fingerprints,
  onChange: (fingerprints: Fingerprints, changed: readonly string[]) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  let pause = MIN_PAUSE;
  while (!signal.aborted) {
    await delay(pause, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    const started = performance.now();
    const seen = look();
    pause = Math.min(MAX_PAUSE, Math.max(MIN_PAUSE, (performance.now() - started) / SHARE));
    const before = known();
    if (differing(before, seen).length === 0) continue;
    const fingerprints = await untilStable(look, seen, before, signal);
    if (signal.aborted) return;
    await onChange(fingerprints, differing(before, fingerprints));
  }
}

/** The fingerprints once the changed files have been written completely. */
async function untilStable(
  look: () => Fingerprints,
  first: Fingerprints,
  before: Fingerprints,
  signal: AbortSignal,
): Promise<Fingerprints> {
  const started = performance.now();
  for (let seen = first; ;) {
    await delay(STABLE);
    const later = look();
    const waited = performance.now() - started;
    const isEmptied =
      waited < MAX_EMPTY && differing(before, later).some((file) => later.get(file)?.split(' ')[1] === '0');
    if (signal.aborted || waited > MAX_WAIT || (!isEmptied && differing(seen, later).length === 0)) return later;
    seen = later;
  }
}

/** The paths whose fingerprints differ. */
function differing(before: Fingerprints, now: Fingerprints): string[] {
  const changed = [...now.keys()].filter((file) => before.get(file) !== now.get(file));
  return [...changed, ...[...before.keys()].filter((file) => !now.has(file))];
}
