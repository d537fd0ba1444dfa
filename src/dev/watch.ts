import { lstatSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Fingerprints, statsFingerprint } from '../compiler/fingerprints.ts';
import { themeFingerprints } from '../compiler/theme-fingerprints.ts';
import { errorCode } from '../disk/files.ts';

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

/** The themes as they were seen: the fingerprints of folders, and the identity of each file and link by its path. */
export interface Seen {
  prints: Fingerprints;
  files: ReadonlyMap<string, string>;
}

export const NOTHING_SEEN: Seen = { prints: new Map(), files: new Map() };

/**
 * Looks at every file that a build reads. Synchronous, so that nothing that themecast does itself can change files in between.
 * @param others - files elsewhere
 * @param only - the theme that alone has changed since a look before
 */
export function lookAt(themesDir: string, others: readonly string[] = [], only?: { slug: string; before: Seen }): Seen {
  const files = new Map(others.map((file) => [file, fingerprintOf(file)]));
  if (only !== undefined) {
    const folder = path.join(themesDir, only.slug, path.sep);
    for (const [file, identity] of only.before.files) if (!file.startsWith(folder)) files.set(file, identity);
  }
  const add = (file: string, identity: string): void => void files.set(file, identity);
  return {
    prints: themeFingerprints(themesDir, add, only && { before: only.before.prints, folder: only.slug }),
    files,
  };
}

/** Of a file that cannot be examined, the reason: the build reports it. */
function fingerprintOf(file: string): string {
  try {
    return statsFingerprint(lstatSync(file));
  } catch (error) {
    return errorCode(error) ?? '';
  }
}

/**
 * Polls files and calls back with the paths of those that have changed. `fs.watch` is not used: on Linux it misses
 * edits after a file was replaced, and it is silent in WSL and in containers with mounted folders.
 * @param look - looks at the files
 * @param known - what was last read
 * @param signal - stops it
 */
export async function watch(
  look: () => Seen,
  known: () => Seen,
  onChange: (seen: Seen, changed: readonly string[]) => Promise<void>,
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
    const stable = await untilStable(look, seen, before, signal);
    if (signal.aborted) return;
    await onChange(stable, differing(before, stable));
  }
}

/** Looks until the changed files have been written completely. */
async function untilStable(look: () => Seen, first: Seen, before: Seen, signal: AbortSignal): Promise<Seen> {
  const started = performance.now();
  for (let seen = first; ;) {
    await delay(STABLE);
    const later = look();
    const waited = performance.now() - started;
    const isEmptied =
      waited < MAX_EMPTY && differing(before, later).some((file) => later.files.get(file)?.split(' ')[1] === '0');
    if (signal.aborted || waited > MAX_WAIT || (!isEmptied && differing(seen, later).length === 0)) return later;
    seen = later;
  }
}

/** The paths of the files that differ. */
export function differing({ files: before }: Seen, { files: now }: Seen): string[] {
  const changed = [...now.keys()].filter((file) => before.get(file) !== now.get(file));
  return [...changed, ...[...before.keys()].filter((file) => !now.has(file))];
}
