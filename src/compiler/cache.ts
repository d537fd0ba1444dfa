import { access, constants, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ContainedFolder, ContainmentError } from '../disk/contained-folder.ts';
import { errorCode, readIfFile, sha256Of, systemReason } from '../disk/files.ts';
import { writableFolder } from '../disk/checkout.ts';
import { makeFolders } from '../disk/stores.ts';
import { temporaryFolder } from '../disk/temporary-folder.ts';
import { prune } from './prune.ts';
import { ThemecastError } from '../diagnostics/themecast-error.ts';

const SHA256 = /^[0-9a-f]{64}$/;

/** A store of thumbnails by their digests. Bytes with another digest are ignored. */
export class Cache {
  readonly #dir: ContainedFolder;
  readonly #temporary: boolean;
  readonly #added = new Set<string>();

  private constructor(folder: string, temporary: boolean) {
    this.#dir = new ContainedFolder(folder);
    this.#temporary = temporary;
  }

  /**
   * @param folder - created if it is missing; without a folder, a temporary one that {@link close} removes
   * @param isOutside - whether it lies outside every checkout; links there belong to the operator, and are followed
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

  /** Prepares another build, in which the folders of the cache are checked again. */
  begin(): void {
    this.#dir.forget();
  }

  /** Returns the bytes with a digest, if they are stored completely. @param limit - maximum size, in bytes */
  read(sha256: string, limit: number): Buffer | undefined {
    try {
      const bytes = SHA256.test(sha256) ? readIfFile(this.#dir.at(nameOf(sha256)), limit) : undefined;
      return bytes && sha256Of(bytes) === sha256 ? bytes : undefined;
    } catch {
      return undefined; // a link on the way
    }
  }

  async add(bytes: Uint8Array): Promise<string> {
    const sha256 = sha256Of(bytes);
    const name = nameOf(sha256);
    if (!this.#added.has(name) || !this.#dir.hasFile(name)) await this.#write(name, bytes);
    this.#added.add(name);
    return sha256;
  }

  /** Whether bytes were added, so that the cache may exceed its limit. */
  get hasGrown(): boolean {
    return this.#added.size > 0 && !this.#temporary;
  }

  /** Removes the least recently used blobs until the others fit. @param used - digests of blobs to retain */
  async prune(used: readonly string[]): Promise<void> {
    await prune(this.#dir, FOLDER, new Set([...this.#added, ...used.map(nameOf)]), MAX_CACHE_BYTES);
  }

  /** Creates a blob. An incomplete blob has another digest, and is replaced. */
  async #create(name: string, content: Uint8Array): Promise<void> {
    try {
      await this.#dir.create(name, content, 0o644, { flush: false });
    } catch (error) {
      if (errorCode(error) === 'EEXIST') return this.#dir.store(name, content, 0o644);
      await this.#dir.remove(name).catch(() => undefined); // do not fill a full disk further
      throw error;
    }
  }

  async #write(name: string, content: Uint8Array): Promise<void> {
    try {
      try {
        await this.#create(name, content);
      } catch (error) {
        if (errorCode(error) !== 'ENOENT') throw error;
        makeFolders(this.#dir.path, 0o755); // the folder may have been removed since
        const folders = [path.posix.dirname(path.posix.dirname(name)), path.posix.dirname(name)];
        for (const folder of folders) await this.#dir.makeFolder(folder, { isPrivate: false });
        await this.#create(name, content);
      }
    } catch (error) {
      throw cannotWrite(this.#dir.path, this.#temporary, error);
    }
  }
}

/** Maximum size of a cache without the blobs of the current build, in bytes: a CI transfers it with every run. */
const MAX_CACHE_BYTES = 1e9;
const FOLDER = 'objects';

function nameOf(sha256: string): string {
  return `${FOLDER}/${sha256.slice(0, 2)}/${sha256}`;
}

function cannotWrite(folder: string, isTemporary: boolean, error: unknown): ThemecastError {
  if (error instanceof ContainmentError) return new ThemecastError('cache', error.message, { cause: error });
  return new ThemecastError(
    'cache',
    isTemporary
      ? `The temporary folder ${folder} cannot be written: ${systemReason(error)}. Make room there, or name another in TMPDIR.`
      : `The cache folder ${folder} cannot be written: ${systemReason(error)}. Name another with \`--cache DIR\`, or build without one: \`--no-cache\`.`,
    { cause: error },
  );
}
