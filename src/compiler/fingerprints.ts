import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, statfsSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Identifies the bytes of a file without reading them: writing, replacing or renaming it changes one of these numbers. Without the
 * device, whose number differs from one start of a machine to the next.
 */
export function identityOf({ ino, size, mtimeMs, ctimeMs }: Stats): string {
  return `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
}

/**
 * File systems of Linux (`f_type` of statfs(2)) that give a file another ctime with every change, which no program can set: ext2 to ext4,
 * XFS, Btrfs, F2FS, ZFS and tmpfs. Elsewhere other bytes may have the same identity: the times of an image (SquashFS, EROFS) are those
 * that it was made with, and an overlay, a network or a FUSE file system passes on what another one says.
 */
const WITH_CHANGE_TIMES = new Set([0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x2fc12fc1, 0x01021994]);

/** The device whose files in a folder have an identity that may be stored; nothing if they have none, and are to be read. */
export function identifyingDevice(folder: string): number | undefined {
  if (process.platform !== 'linux' && process.platform !== 'darwin') return undefined;
  try {
    const counts = process.platform === 'darwin' || WITH_CHANGE_TIMES.has(statfsSync(folder).type);
    return counts ? statSync(folder).dev : undefined;
  } catch {
    return undefined; // it is gone, or cannot be entered
  }
}

/** Milliseconds within which a file system may give two changes the same time: two ticks of a kernel with CONFIG_HZ=100, the slowest. */
const TICK = 20;
/** The same where times have whole seconds: FAT stores every other one. */
const COARSE_TICK = 2100;

/**
 * Whether a file has been left alone long enough that its next change gets another time ("racy Git", git/Documentation/technical).
 * Not so for times to come.
 * @param examined - when its times were read, in milliseconds since 1970
 */
export function isSettled({ ctimeMs }: Pick<Stats, 'ctimeMs'>, examined: number): boolean {
  return examined - ctimeMs > (Number.isInteger(ctimeMs / 1000) ? COARSE_TICK : TICK);
}

/** Waits until whatever has been changed before is settled; on file systems with whole seconds it is not, and is read again. */
export async function untilSettled(since: number): Promise<void> {
  // A timer may end early: it counts from when the event loop last looked at the clock.
  while (Date.now() <= since + TICK) await new Promise((resolve) => setTimeout(resolve, since + TICK + 1 - Date.now()));
}

/** The identity of a file, if its next change gives it another one; nothing for anything else. */
export function settledIdentity(file: string): string | undefined {
  const examined = Date.now();
  const stats = lstatSync(file, { throwIfNoEntry: false });
  const counts = stats?.isFile() === true && stats.dev === identifyingDevice(path.dirname(file));
  return counts && isSettled(stats, examined) ? identityOf(stats) : undefined;
}

/**
 * The fingerprints of a folder and of all folders below it, by path (`''` for itself): names, kinds and identities of all that is in them.
 * Nothing for one whose next change might not give it another, or in which something could not be examined.
 */
export type Fingerprints = ReadonlyMap<string, string | undefined>;

interface TakeOptions {
  /** Names that make no difference, by the path of their folder. Default: none. */
  isIgnored?: (name: string, below: string) => boolean;
  /** Called with each file and link, and its identity. */
  onFile?: (file: string, identity: string) => void;
  /** Fingerprints that were taken before, and the folders that have changed since: the others are not examined again. */
  since?: { before: Fingerprints; changed: ReadonlySet<string> };
}

/**
 * Takes the fingerprints of a folder. Links are not followed. One pass of synchronous calls: measured, promises take five times as long.
 */
export function takeFingerprints(root: string, { isIgnored, onFile, since }: TakeOptions = {}): Fingerprints {
  const examined = Date.now();
  const prints = new Map<string, string | undefined>(since?.before);
  const walk = (below: string): string | undefined => {
    if (since !== undefined && !since.changed.has(below) && since.before.has(below)) return since.before.get(below);
    const here = below === '' ? root : `${root}${path.sep}${below}`;
    const device = identifyingDevice(here);
    let lines = '';
    let isWhole = device !== undefined;
    const names = namesIn(here);
    if (names === undefined) isWhole = false;
    for (const name of names ?? []) {
      if (isIgnored?.(name, below) === true) continue;
      const file = `${here}${path.sep}${name}`;
      const stats = statsOf(file);
      if (stats === undefined) isWhole = false;
      else if (stats.isDirectory()) {
        const print = walk(below === '' ? name : `${below}/${name}`);
        if (print === undefined) isWhole = false;
        // Of a folder not its times: they change with names that make no difference.
        lines += `${stats.mode} ${print} ${name}\0`;
      } else {
        const identity = identityOf(stats);
        lines += `${stats.mode} ${identity} ${name}\0`;
        if (stats.dev !== device || !isSettled(stats, examined)) isWhole = false;
        onFile?.(file, identity);
      }
    }
    const print = isWhole ? createHash('sha256').update(lines).digest('hex').slice(0, 32) : undefined;
    prints.set(below, print);
    return print;
  };
  walk('');
  return prints;
}

/** Nothing for what is gone, or in a folder that may be listed but not entered, which is reported when it is read. */
function statsOf(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** The names in a folder, sorted; nothing if it cannot be listed, which is reported when it is read. */
function namesIn(folder: string): string[] | undefined {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return undefined;
  }
}
