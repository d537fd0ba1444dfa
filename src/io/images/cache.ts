import { rmSync } from 'node:fs';
import { access, constants, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ContainedFolder, ContainmentError } from '../disk/contained-folder.ts';
import { errorCode, sha256Of, systemReason } from '../disk/files.ts';
import { writableFolder } from '../disk/tracked.ts';
import { makeFolders } from '../disk/stores.ts';
import { temporaryFolder } from '../disk/temporary-folder.ts';
import { CacheError } from './cache-error.ts';
import type { FileHashes } from '../incremental/file-hashes.ts';
import { prune } from './prune.ts';

const SHA256 = /^[0-9a-f]{64}$/;

/** A store of bytes by their hashes: thumbnails, and images without their metadata. Bytes that have another hash do not count. */
export class Cache {
  readonly #dir: ContainedFolder;
  readonly #temporary: boolean;
  readonly #used = new Set<string>();
  #isChanged = false;

  private constructor(folder: string, temporary: boolean) {
    this.#dir = new ContainedFolder(folder);
    this.#temporary = temporary;
  }

  /**
   * @param folder - created if it is missing; without one, a temporary folder that {@link close} removes
   * @param isOutside - whether it lies outside every checkout, where the operator's own links are followed
   */
  static async open(folder: string | undefined, isOutside = false): Promise<Cache> {
    if (folder === undefined) {
      const temporary = await temporaryFolder('themecast-cache-').catch((error: unknown) => {
        throw cannotWrite(tmpdir(), true, error);
      });
      return new Cache(temporary, true);
    }
    const resolved = path.resolve(folder);
    try {
      if (!isOutside) writableFolder(resolved);
      makeFolders(resolved, 0o755);
      await access(resolved, constants.W_OK);
    } catch (error) {
      throw cannotWrite(folder, false, error);
    }
    return new Cache(resolved, false);
  }

  get folder(): string {
    return this.#dir.path;
  }

  async close(): Promise<void> {
    if (this.#temporary) await rm(this.#dir.path, { recursive: true, force: true });
  }

  /** Has the folders of the cache checked again, for another build. */
  begin(): void {
    this.#dir.forget();
  }

  /**
   * Whether a blob is there whole; it counts as used.
   * @param isWanted - whether its bytes are what is expected; only asked if they had to be read
   */
  hasBlob(
    { sha256, bytes }: { sha256: string; bytes: number },
    files: FileHashes,
    isWanted: (bytes: Buffer) => boolean = () => true,
  ): boolean {
    try {
      if (!SHA256.test(sha256)) return false;
      this.#used.delete(nameOf(sha256));
      const found = files.contentOf(this.pathOfBlob(sha256), MAX_BLOB_BYTES);
      if ('problem' in found || found.size !== bytes || found.sha256 !== sha256) return false;
      if (found.isRead && !isWanted(found.bytes())) {
        // Its hash is known from now on, and it would not be read again.
        rmSync(this.pathOfBlob(sha256));
        return false;
      }
      this.#used.add(nameOf(sha256));
      return true;
    } catch {
      return false; // a link on the way
    }
  }

  /** Where the blob with a hash is, if there is one. */
  pathOfBlob(sha256: string): string {
    return this.#dir.at(nameOf(sha256));
  }

  /**
   * Stores bytes under their hash.
   * @param files - takes note of the file
   */
  async addBlob(bytes: Uint8Array, files?: FileHashes): Promise<string> {
    const sha256 = sha256Of(bytes);
    const name = nameOf(sha256);
    if (!this.#used.has(name) || !this.#dir.hasFile(name)) await this.#write(name, bytes);
    this.#used.add(name);
    this.#isChanged = true;
    files?.addWritten(this.#dir.at(name), sha256);
    return sha256;
  }

  /** Whether anything was stored that may make it larger than it is to be. */
  get hasGrown(): boolean {
    return this.#isChanged && !this.#temporary;
  }

  /** Removes what was not used since the cache was opened, the least recently used first, until the rest fits. */
  async prune(): Promise<void> {
    await prune(this.#dir, FOLDER, this.#used, MAX_CACHE_BYTES);
  }

  /** Writes a blob in its place: half of one has another hash, and is replaced. */
  async #create(name: string, content: Uint8Array): Promise<void> {
    try {
      await this.#dir.create(name, content, 0o644, { flush: false });
    } catch (error) {
      if (errorCode(error) === 'EEXIST') return this.#dir.store(name, content, 0o644);
      await this.#dir.remove(name).catch(() => undefined); // a full disk is not to be filled further
      throw error;
    }
  }

  async #write(name: string, content: Uint8Array): Promise<void> {
    try {
      try {
        await this.#create(name, content);
      } catch (error) {
        if (errorCode(error) !== 'ENOENT') throw error;
        makeFolders(this.#dir.path, 0o755); // it may have been removed since
        const folders = [path.posix.dirname(path.posix.dirname(name)), path.posix.dirname(name)];
        for (const folder of folders) await this.#dir.makeFolder(folder, { isPrivate: false });
        await this.#create(name, content);
      }
    } catch (error) {
      throw cannotWrite(this.#dir.path, this.#temporary, error);
    }
  }
}

/** Maximum size of a cache but for what a build uses, in bytes: a CI carries it from run to run. */
const MAX_CACHE_BYTES = 1e9;
/** Maximum size of what is read back, in bytes. */
const MAX_BLOB_BYTES = 256 * 1024 * 1024;
const FOLDER = 'objects';

function nameOf(sha256: string): string {
  return `${FOLDER}/${sha256.slice(0, 2)}/${sha256}`;
}

function cannotWrite(folder: string, isTemporary: boolean, error: unknown): CacheError {
  if (error instanceof ContainmentError) return new CacheError(error.message, { cause: error });
  return new CacheError(
    isTemporary
      ? `The temporary folder ${folder} cannot be written: ${systemReason(error)}. Make room there, or name another in TMPDIR.`
      : `The cache folder ${folder} cannot be written: ${systemReason(error)}. Name another with \`--cache DIR\`, or build without one: \`--no-cache\`.`,
    { cause: error },
  );
}
