import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, statfsSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Returns the fingerprint of a file: numbers that change when it is written, replaced or renamed, so that its bytes need not be read. The device is
 * left out: its number may change when a machine restarts.
 */
export function statsFingerprint({ ino, size, mtimeMs, ctimeMs }: Stats): string {
  return `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
}

/**
 * Linux file systems (`f_type` of statfs(2)) that set a new ctime with every change, which no program can forge: ext2 to ext4, XFS, Btrfs, F2FS,
 * ZFS and tmpfs. Elsewhere different bytes may have the same fingerprint. An image (SquashFS, EROFS) keeps the times of its creation; overlay,
 * network and FUSE file systems pass on the times of another one.
 */
const WITH_CHANGE_TIMES = new Set([0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x2fc12fc1, 0x01021994]);

/** Returns the device of a folder if the fingerprints of its files are trusted; nothing if the files must be read. */
export function trustedDevice(folder: string): number | undefined {
  if (process.platform !== 'linux' && process.platform !== 'darwin') return undefined;
  try {
    const isTrusted = process.platform === 'darwin' || WITH_CHANGE_TIMES.has(statfsSync(folder).type);
    return isTrusted ? statSync(folder).dev : undefined;
  } catch {
    return undefined; // the folder is missing, or cannot be entered
  }
}

/** Milliseconds within which two changes may get the same time: two ticks of a kernel with CONFIG_HZ=100, the slowest. */
const TICK_MS = 20;
/** The same for times in whole seconds: FAT stores every other second. */
const COARSE_TICK_MS = 2100;

/**
 * Whether a file has been unchanged long enough that its next change gets another time ("racy Git", git/Documentation/technical). False for times
 * in the future.
 * @param examined - when its times were read, in milliseconds since 1970
 */
export function isSettled({ ctimeMs }: Pick<Stats, 'ctimeMs'>, examined: number): boolean {
  return examined - ctimeMs > (Number.isInteger(ctimeMs / 1000) ? COARSE_TICK_MS : TICK_MS);
}

/** Waits until earlier changes are settled. Times in whole seconds are not settled then, and those files are read again. */
export async function untilSettled(since: number): Promise<void> {
  // A timer may end early: it starts when the event loop last read the clock.
  while (Date.now() <= since + TICK_MS)
    await new Promise((resolve) => setTimeout(resolve, since + TICK_MS + 1 - Date.now()));
}

/** Returns the fingerprint of a file if its next change gets another one; nothing otherwise. */
export function settledFingerprint(file: string): string | undefined {
  const examined = Date.now();
  const stats = lstatSync(file, { throwIfNoEntry: false });
  const isTrusted = stats?.isFile() === true && stats.dev === trustedDevice(path.dirname(file));
  return isTrusted && isSettled(stats, examined) ? statsFingerprint(stats) : undefined;
}

/**
 * The fingerprints of a folder and its subfolders, by path (`''` for the folder itself). Each covers the names, kinds and fingerprints of all
 * contents. It is undefined if the next change might not change it, or if something could not be examined.
 */
export type Fingerprints = ReadonlyMap<string, string | undefined>;

interface TakeOptions {
  /** Names to ignore, by the path of their folder. Default: none. */
  isIgnored?: (name: string, below: string) => boolean;
  /** Called with each file and link, and its fingerprint. */
  onFile?: (file: string, fingerprint: string) => void;
  /** Earlier fingerprints, and the folders changed since: other folders are not examined again. */
  since?: { before: Fingerprints; changed: ReadonlySet<string> };
}

/** Takes the fingerprints of a folder. Links are not followed. Synchronous: measured, promises take five times as long. */
export function takeFingerprints(root: string, { isIgnored, onFile, since }: TakeOptions = {}): Fingerprints {
  const examined = Date.now();
  const fingerprints = new Map<string, string | undefined>(since?.before);
  const walk = (below: string): string | undefined => {
    if (since !== undefined && !since.changed.has(below) && since.before.has(below)) return since.before.get(below);
    const folder = below === '' ? root : `${root}${path.sep}${below}`;
    const device = trustedDevice(folder);
    let lines = '';
    let isTrusted = device !== undefined;
    const names = namesIn(folder);
    if (names === undefined) isTrusted = false;
    for (const name of names ?? []) {
      if (isIgnored?.(name, below) === true) continue;
      const file = `${folder}${path.sep}${name}`;
      const stats = statsOf(file);
      if (stats === undefined) isTrusted = false;
      else if (stats.isDirectory()) {
        const inner = walk(below === '' ? name : `${below}/${name}`);
        if (inner === undefined) isTrusted = false;
        // Not the times of a folder: they also change with ignored names.
        lines += `${stats.mode} ${inner} ${name}\0`;
      } else {
        const fileFingerprint = statsFingerprint(stats);
        lines += `${stats.mode} ${fileFingerprint} ${name}\0`;
        if (stats.dev !== device || !isSettled(stats, examined)) isTrusted = false;
        onFile?.(file, fileFingerprint);
      }
    }
    const fingerprint = isTrusted ? createHash('sha256').update(lines).digest('hex').slice(0, 32) : undefined;
    fingerprints.set(below, fingerprint);
    return fingerprint;
  };
  walk('');
  return fingerprints;
}

/** Returns nothing for a missing file, or in a folder that may be listed but not entered, which is reported when it is read. */
function statsOf(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Returns the sorted names in a folder; nothing if it cannot be listed, which is reported when it is read. */
function namesIn(folder: string): string[] | undefined {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return undefined;
  }
}
