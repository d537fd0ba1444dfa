import { lstatSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { listSources } from '../../../compiler/walk/sources.ts';
import { errorCode } from '../../../system/disk/files.ts';
import { listTree } from '../../../system/disk/list-tree.ts';
import type { Hints } from './hints.ts';

/** Limits the pause between two snapshots. */
const MIN_PAUSE_MS = 50;
const MAX_PAUSE_MS = 2000;
/** Limits the share of time for snapshots, however many files there are: with hints of the system, they only find what it misses. */
const MAX_TIME_SHARE = 0.3;
const MAX_TIME_SHARE_WITH_HINTS = 0.01;
const MIN_PAUSE_WITH_HINTS_MS = 500;
/** Files must be unchanged for this long, because editors write in several steps. */
const STABLE_MS = 15;

/** The folders of the themes, and the times, sizes and inodes of each file and link by its path. */
export interface Snapshot {
  folders: ReadonlySet<string>;
  files: ReadonlyMap<string, string>;
}

export const EMPTY_SNAPSHOT: Snapshot = { folders: new Set(), files: new Map() };

/**
 * Takes a snapshot of every file that a build reads. Synchronous, so that this process cannot change files meanwhile.
 * @param otherFiles - files outside the themes folder
 * @param only - the only theme that may have changed since an earlier snapshot
 */
export function takeSnapshot(
  themesDir: string,
  otherFiles: readonly string[] = [],
  only?: { slug: string; before: Snapshot },
): Snapshot {
  const files = new Map(otherFiles.map((file) => [file, stampOf(file)]));
  const folders = new Set<string>();
  const root = only === undefined ? themesDir : path.join(themesDir, only.slug);
  if (only !== undefined) {
    const isOther = (file: string): boolean => file !== root && !file.startsWith(root + path.sep);
    for (const [file, stamp] of only.before.files) if (isOther(file)) files.set(file, stamp);
    for (const folder of only.before.folders) if (isOther(folder)) folders.add(folder);
    folders.add(root);
  }
  const isHidden = (name: string): boolean => name.startsWith('.');
  const entries =
    only === undefined ? listSources(themesDir) : listTree(root, { isIgnored: isHidden, onError: ignore });
  for (const [name, kind] of entries) {
    const file = path.join(root, name);
    if (kind === 'folder') folders.add(file);
    else files.set(file, stampOf(file));
  }
  return { folders, files };
}

const ignore = (): void => undefined;

/** Returns size, times and inode of a file, or the error code if there is none: the build reports the error. */
function stampOf(file: string): string {
  try {
    const { ino, size, mtimeMs, ctimeMs } = lstatSync(file);
    return `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
  } catch (error) {
    return errorCode(error) ?? '';
  }
}

/**
 * Polls files, and reports the paths of changed files. A hint of the system says in which theme to look at once.
 * @param take - takes a snapshot; with a name, of one theme that alone may have changed
 * @param last - returns the snapshot of the last build
 * @param signal - stops polling
 */
export async function watch(
  take: (only?: string) => Snapshot,
  last: () => Snapshot,
  onChange: (snapshot: Snapshot, changed: readonly string[]) => Promise<void>,
  signal: AbortSignal,
  hints: Hints,
): Promise<void> {
  let pause = MIN_PAUSE_MS;
  while (!signal.aborted) {
    const hinted = await hints.wait(pause, signal);
    if (signal.aborted) return;
    const [only] = hinted.size === 1 && !hinted.has('') ? hinted : [];
    const started = performance.now();
    const snapshot = take(only);
    const took = performance.now() - started;
    if (only === undefined)
      pause = hints.isComplete
        ? Math.max(MIN_PAUSE_WITH_HINTS_MS, took / MAX_TIME_SHARE_WITH_HINTS)
        : Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, took / MAX_TIME_SHARE));
    const before = last();
    if (changedFiles(before, snapshot).length === 0) continue;
    const stable = await untilStable(() => take(only), snapshot, signal);
    if (signal.aborted) return;
    await onChange(stable, changedFiles(before, stable));
  }
}

/** Takes snapshots until the changed files are completely written. */
async function untilStable(take: () => Snapshot, first: Snapshot, signal: AbortSignal): Promise<Snapshot> {
  for (let snapshot = first; ;) {
    await delay(STABLE_MS);
    const later = take();
    if (signal.aborted || changedFiles(snapshot, later).length === 0) return later;
    snapshot = later;
  }
}

/** Returns the paths of changed, added and removed files. */
export function changedFiles({ files: before }: Snapshot, { files: now }: Snapshot): string[] {
  const changed = [...now.keys()].filter((file) => before.get(file) !== now.get(file));
  return [...changed, ...[...before.keys()].filter((file) => !now.has(file))];
}
