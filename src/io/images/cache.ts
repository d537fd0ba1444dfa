import { randomUUID } from 'node:crypto';
import { access, constants, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ContainedFolder, ContainmentError } from '../output/contained-folder.ts';
import { errorCode, sha256Of, systemReason } from '../files.ts';
import { linkOnTheWay } from '../output/places.ts';
import { checkoutOf } from '../output/tracked.ts';

const SHA256 = /^[0-9a-f]{64}$/;

/** The cache folder cannot be created or written. */
export class CacheError extends Error {}

/** A content-addressed store of results about images. Nothing in it is trusted unread: see {@link Cache.blob}. */
export class Cache {
  readonly #dir: ContainedFolder;
  readonly #temporary: boolean;

  private constructor(folder: string, temporary: boolean) {
    this.#dir = new ContainedFolder(folder);
    this.#temporary = temporary;
  }

  /** @param folder - created if it is missing; without one, a temporary folder that {@link close} removes */
  static async open(folder: string | undefined): Promise<Cache> {
    if (folder === undefined) {
      const temporary = await mkdtemp(path.join(tmpdir(), 'themecast-')).catch((error: unknown) => {
        throw cannotWrite(tmpdir(), true, error);
      });
      return new Cache(temporary, true);
    }
    const resolved = path.resolve(folder);
    const link = linkOnTheWay(resolved, checkoutOf(resolved) ?? path.dirname(resolved));
    if (link !== undefined)
      throw new CacheError(
        `${link} is a link, and links in a checkout are not followed. Remove it, or name another folder with \`--cache DIR\`.`,
      );
    try {
      await makeFolders(resolved);
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

  /** The entry of a key; nothing if there is none, or it is corrupted. */
  async entry<T>(key: string): Promise<T | undefined> {
    try {
      const bytes = await this.#dir.read(nameOf('notes', key), MAX_ENTRY_BYTES);
      const { sum, value } = JSON.parse(String(bytes)) as { sum: string; value: T };
      return sum === entrySum(key, value) ? (value ?? undefined) : undefined;
    } catch {
      return undefined;
    }
  }

  async setEntry(key: string, value: unknown): Promise<void> {
    await this.#write(nameOf('notes', key), JSON.stringify({ sum: entrySum(key, value), value }));
  }

  /**
   * The path of a blob, if its bytes still have this hash.
   * @param isWanted - whether they are what is expected: an attacker who can write to the cache can also write an entry for other bytes
   */
  async blob(sha256: string, isWanted: (bytes: Buffer) => boolean = () => true): Promise<string | undefined> {
    try {
      if (!SHA256.test(sha256)) return undefined;
      const name = nameOf('objects', sha256);
      const bytes = await this.#dir.read(name, MAX_BLOB_BYTES);
      return bytes !== undefined && sha256Of(bytes) === sha256 && isWanted(bytes) ? this.#dir.at(name) : undefined;
    } catch {
      return undefined;
    }
  }

  /** Where the blob with a hash is, if there is one. */
  pathOfBlob(sha256: string): string {
    return this.#dir.at(nameOf('objects', sha256));
  }

  /** Stores bytes under their hash. */
  async addBlob(bytes: Uint8Array): Promise<{ sha256: string; file: string }> {
    const sha256 = sha256Of(bytes);
    const name = nameOf('objects', sha256);
    await this.#write(name, bytes);
    return { sha256, file: this.#dir.at(name) };
  }

  /** Renamed into place, so that no other build ever reads half a file. */
  async #write(name: string, content: string | Uint8Array): Promise<void> {
    const partial = `${name}.${randomUUID()}`;
    try {
      await makeFolders(this.#dir.path); // it may have been removed since
      const folders = [path.posix.dirname(path.posix.dirname(name)), path.posix.dirname(name)];
      for (const folder of folders) await this.#dir.makeFolder(folder, { isPrivate: false });
      await this.#dir.create(partial, content, 0o644);
      await this.#dir.rename(partial, name);
    } catch (error) {
      await this.#dir.remove(partial).catch(() => undefined); // a full disk is not to be filled further
      throw cannotWrite(this.#dir.path, this.#temporary, error);
    }
  }
}

/** Maximum size of what is read back, in bytes: a cache may come with a checkout, and contain anything. */
const MAX_ENTRY_BYTES = 16 * 1024 * 1024;
const MAX_BLOB_BYTES = 256 * 1024 * 1024;

function nameOf(kind: 'notes' | 'objects', hash: string): string {
  return `${kind}/${hash.slice(0, 2)}/${hash}`;
}

/** Creates a folder and its parents. Not with `recursive`, which fails with ENOENT on a read-only file system. */
async function makeFolders(folder: string): Promise<void> {
  const make = (): Promise<void> =>
    mkdir(folder, 0o755).catch(async (error: unknown) => {
      if (errorCode(error) !== 'EEXIST' || !(await stat(folder)).isDirectory()) throw error;
    });
  await make().catch(async (error: unknown) => {
    if (errorCode(error) !== 'ENOENT' || path.dirname(folder) === folder) throw error;
    await makeFolders(path.dirname(folder));
    await make();
  });
}

function cannotWrite(folder: string, isTemporary: boolean, error: unknown): CacheError {
  if (error instanceof ContainmentError) return new CacheError(error.message, { cause: error });
  return new CacheError(
    isTemporary
      ? `The temporary folder ${folder} cannot be written: ${systemReason(error)}. Make room there, or name another in TMPDIR.`
      : `The cache folder ${folder} cannot be written: ${systemReason(error)}. Name another with \`--cache DIR\`.`,
    { cause: error },
  );
}

/** The key of an entry: everything that it depends on. */
export function cacheKey(parts: object): string {
  return sha256Of(JSON.stringify(parts));
}

function entrySum(key: string, value: unknown): string {
  return sha256Of(key + JSON.stringify(value));
}
