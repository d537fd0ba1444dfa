import { createHash, randomUUID } from 'node:crypto';
import { lstatSync, readdirSync, statfsSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { errorCode } from '../disk/files.ts';

/**
 * What identifies the bytes of a file without reading them: writing, replacing or renaming it changes one of these. Without the
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

/** The device whose files in a folder have an identity that may be stored; nothing if they have none, and are to be hashed. */
export function identifyingDevice(folder: string): number | undefined {
  if (process.platform !== 'linux' && process.platform !== 'darwin') return undefined;
  try {
    const counts = process.platform === 'darwin' || WITH_CHANGE_TIMES.has(statfsSync(folder).type);
    return counts ? statSync(folder).dev : undefined;
  } catch {
    return undefined; // it is gone, or cannot be entered
  }
}

/** The size in an identity, in bytes. */
export function sizeIn(identity: string): number {
  return Number(identity.split(' ', 2)[1]);
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
export function isSettled({ ctimeMs }: Stats, examined: number): boolean {
  return examined - ctimeMs > (Number.isInteger(ctimeMs / 1000) ? COARSE_TICK : TICK);
}

/** Waits until whatever has been changed before is settled; on file systems with whole seconds it is not, and is read again. */
export async function untilSettled(since: number): Promise<void> {
  // A timer may end early: it counts from when the event loop last looked at the clock.
  while (Date.now() <= since + TICK) await new Promise((resolve) => setTimeout(resolve, since + TICK + 1 - Date.now()));
}

/** What a walk has seen of the themes. */
export interface SeenFiles {
  /** The identity of each file and link by its path, perhaps with those of folders. */
  files: ReadonlyMap<string, string>;
  /** A digest of names and kinds, those of folders too, if it is known. */
  names: string | undefined;
}

/** What identifies everything below a folder. */
export interface TreeIdentity {
  digest: string;
  /** The same of names and kinds alone; nothing if something could not be examined. */
  names: string | undefined;
  /** Whether a change after it was taken gives another one; not if something could not be examined. */
  isSettled: boolean;
}

/**
 * The identity of a folder: names, kinds and identities of all that is in it. Links are not followed. One pass of synchronous calls:
 * measured, promises take five times as long.
 * @param isIgnored - names that make no difference, by the path of their folder below this one
 * @param onEntry - called with each file, link and folder, its identity (of a folder `/`), and whether that may be stored; if that of a file
 * must not be, every digest is another
 */
export function treeIdentity(
  folder: string,
  isIgnored: (name: string, below: string) => boolean = () => false,
  onEntry?: (file: string, identity: string, counts: boolean) => void,
): TreeIdentity {
  const examined = Date.now();
  const hash = createHash('sha256');
  const ofNames = createHash('sha256');
  let settled = true;
  let hasFailed = false;
  const walk = (below: string): void => {
    const here = path.join(folder, below);
    const device = identifyingDevice(here);
    let lines = `/${below}\n`;
    let kinds = `/${below}\0`;
    const folders: string[] = [];
    const names = namesIn(here);
    if (typeof names === 'string') {
      hasFailed = true;
      lines += `!${names}\n`;
      kinds += `!${names}\0`;
    }
    for (const name of typeof names === 'string' ? [] : names) {
      if (isIgnored(name, below)) continue;
      const file = `${here}${path.sep}${name}`;
      const stats = statsOf(file);
      kinds += `${(stats?.mode ?? 0) >> 12} ${name}\0`;
      if (stats === undefined) {
        hasFailed = true;
        lines += `?${name}\n`;
        continue;
      }
      // Of a folder its kind alone: its times change with names that make no difference.
      const isFolder = stats.isDirectory();
      const identity = isFolder ? '/' : identityOf(stats);
      const counts = !isFolder && stats.dev === device;
      lines += `${stats.mode} ${identity} ${name}\n`;
      if (isFolder) folders.push(name);
      else {
        if (!isSettled(stats, examined)) settled = false;
        if (!counts) lines += `${randomUUID()}\n`;
      }
      onEntry?.(file, identity, counts);
    }
    hash.update(lines);
    ofNames.update(kinds);
    for (const name of folders) walk(below === '' ? name : `${below}/${name}`);
  };
  walk('');
  return {
    digest: hash.digest('hex'),
    names: hasFailed ? undefined : ofNames.digest('hex'),
    isSettled: settled && !hasFailed,
  };
}

/** Nothing for what is gone, or in a folder that may be listed but not entered, which is reported when it is read. */
function statsOf(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** The names in a folder, sorted, or the reason why it cannot be listed, which is reported when it is read. */
function namesIn(folder: string): string[] | string {
  try {
    return readdirSync(folder).toSorted();
  } catch (error) {
    return errorCode(error) ?? '';
  }
}
