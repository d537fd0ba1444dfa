import { lstatSync, readdirSync, type Stats } from 'node:fs';
import path from 'node:path';
import { type FileProblem, problemOf, readBytes, sha256Of } from '../disk/files.ts';
import { identifyingDevice, identityOf, isSettled, type SeenFiles, sizeIn, untilSettled } from './identity.ts';
import type { IndexFile } from './index-file.ts';

/** The content of a regular file. */
export interface FileContent {
  sha256: string;
  /** Size in bytes. */
  size: number;
  /** Whether it was read to hash it. */
  isRead: boolean;
  /** Its bytes. Throws a {@link ChangedError} if they are no longer those of the hash. */
  bytes(): Buffer;
}

/** A file was written while it was being read. */
export class ChangedError extends Error {}

/** Identity and hash of each file of a folder that has been read. */
type Folder = Record<string, readonly [identity: string, sha256: string]>;

interface KnownFolder {
  known: Folder;
  /** See {@link identifyingDevice}. */
  device: number | undefined;
  isChanged: boolean;
}

const KEY = 'files ';

/**
 * The hashes of files. A file with the identity that it had when it was last read is not opened: only its owner can give another
 * content the same times, and the index with them is in the state folder of that user.
 */
export class FileHashes {
  readonly #index: IndexFile;
  readonly #folders = new Map<string, KnownFolder>();
  /** What was seen a moment ago. */
  #seen: SeenFiles = { files: new Map(), names: undefined };
  /** Files that this build has written, with what they had then; not yet settled. */
  readonly #written = new Map<string, readonly [identity: string, sha256: string]>();
  #lastWrite = 0;

  constructor(index: IndexFile) {
    this.#index = index;
  }

  /** Takes over what a walk that comes before a build has seen: those files are not examined again. */
  begin(seen: SeenFiles): void {
    this.#seen = seen;
  }

  /** The digest of names and kinds that was seen then. */
  get names(): string | undefined {
    return this.#seen.names;
  }

  /**
   * The content of a file. Folders on the way may be links: the caller sees to that.
   * @param limit - maximum size, in bytes
   */
  contentOf(file: string, limit: number): FileContent | FileProblem {
    const seen = this.#seen.files.get(file);
    const known = seen === undefined ? undefined : this.#find(file, seen);
    if (seen !== undefined && known !== undefined && sizeIn(seen) <= limit)
      return contentAgain(file, limit, known, seen);
    return this.#examine(file, limit);
  }

  /** The content of a file as it is now, whatever was seen before. */
  #examine(file: string, limit: number): FileContent | FileProblem {
    const examined = Date.now();
    let stats;
    try {
      stats = lstatSync(file);
    } catch (error) {
      return problemOf(error);
    }
    if (!stats.isFile()) return { problem: 'not-a-file' };
    if (stats.size > limit) return { problem: 'too-large', bytes: stats.size };
    const identity = identityOf(stats);
    const known = this.#find(file, identity, stats);
    if (known !== undefined) return contentAgain(file, limit, known, identity);
    const read = readBytes(file, limit);
    if ('problem' in read) return read;
    const { bytes } = read;
    const sha256 = sha256Of(bytes);
    if (identityOf(read.stats) === identityOf(stats)) this.#add(file, stats, examined, sha256);
    return { sha256, size: bytes.length, isRead: true, bytes: () => bytes };
  }

  /** The identity of a file, if its next change gives it another one. */
  identityOf(file: string): string | undefined {
    const stats = lstatSync(file, { throwIfNoEntry: false });
    const counts = stats?.isFile() === true && stats.dev === this.#folderOf(file).device;
    return counts && isSettled(stats, Date.now()) ? identityOf(stats) : undefined;
  }

  /** Takes note of a file that this build has just written. */
  addWritten(file: string, sha256: string): void {
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (stats?.isFile() === true) this.#written.set(file, [identityOf(stats), sha256]);
    this.#lastWrite = Date.now();
  }

  /** Stores what is known of files in the index. */
  async save(): Promise<void> {
    if (this.#written.size > 0) await untilSettled(this.#lastWrite);
    const examined = Date.now();
    for (const [file, [identity, sha256]] of this.#written) {
      const stats = lstatSync(file, { throwIfNoEntry: false });
      if (stats !== undefined && identityOf(stats) === identity) this.#add(file, stats, examined, sha256);
    }
    this.#written.clear();
    this.#store();
  }

  #store(): void {
    for (const [folder, { known, isChanged }] of this.#folders) {
      if (!isChanged) continue;
      // Of files that are gone, nothing is retained.
      const names = this.#index.get(KEY + folder) === undefined ? undefined : new Set(namesIn(folder));
      const present = Object.entries(known).filter(([name]) => names?.has(name) !== false);
      this.#index.set(KEY + folder, Object.fromEntries(present));
    }
  }

  #folderOf(file: string): KnownFolder {
    const name = path.dirname(file);
    let folder = this.#folders.get(name);
    if (folder === undefined) {
      const known = Object.assign(Object.create(null) as Folder, this.#index.get(KEY + name) as Folder | undefined);
      folder = { known, device: identifyingDevice(name), isChanged: false };
      this.#folders.set(name, folder);
    }
    return folder;
  }

  #find(file: string, identity: string, stats?: Stats): string | undefined {
    const { known, device } = this.#folderOf(file);
    if (device === undefined || (stats !== undefined && stats.dev !== device)) return undefined;
    const found = this.#written.get(file) ?? known[path.basename(file)];
    return found?.[0] === identity ? found[1] : undefined;
  }

  #add(file: string, stats: Stats, examined: number, sha256: string): void {
    const folder = this.#folderOf(file);
    if (stats.dev !== folder.device || !isSettled(stats, examined)) return;
    folder.known[path.basename(file)] = [identityOf(stats), sha256];
    folder.isChanged = true;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The content of a file that has the identity with which it was read before. */
function contentAgain(file: string, limit: number, sha256: string, identity: string): FileContent {
  const bytes = (): Buffer => bytesAgain(file, limit, sha256, identity);
  return { sha256, size: sizeIn(identity), isRead: false, bytes };
}

/** The bytes of a file whose identity is known; hashed only if it has changed meanwhile. */
function bytesAgain(file: string, limit: number, sha256: string, identity: string): Buffer {
  const read = readBytes(file, limit);
  if (!('problem' in read) && (identityOf(read.stats) === identity || sha256Of(read.bytes) === sha256))
    return read.bytes;
  throw new ChangedError(`${file} changed while it was being read. Run the command again.`);
}
