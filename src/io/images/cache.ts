import { randomBytes } from 'node:crypto';
import { access, constants, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ContainedFolder, ContainmentError } from '../output/contained-folder.ts';
import { errorCode, sha256Of, systemReason } from '../files.ts';
import { writableFolder } from '../output/tracked.ts';
import { isSealed, sealOf } from '../state-key.ts';
import { CacheError } from './cache-error.ts';
import type { FindKeys } from './cache-keys.ts';
import type { FileHashes } from '../incremental/file-hashes.ts';
import { prune } from './prune.ts';

const SHA256 = /^[0-9a-f]{64}$/;

/**
 * A store of results about images. It may come from anywhere, so nothing in it is believed for being there: an entry is
 * believed if it is sealed with a key of this cache, a blob if it has the hash that it is asked for by.
 */
export class Cache {
  readonly #dir: ContainedFolder;
  readonly #temporary: boolean;
  readonly #findKeys: FindKeys;
  #keys: Promise<readonly string[]> | undefined;
  readonly #used = new Set<string>();
  #rejected = 0;

  private constructor(folder: string, temporary: boolean, findKeys: FindKeys) {
    this.#dir = new ContainedFolder(folder);
    this.#temporary = temporary;
    this.#findKeys = findKeys;
  }

  /**
   * @param folder - created if it is missing; without one, a temporary folder that {@link close} removes
   * @param findKeys - the keys that are believed, of which the first seals; called when the first entry is read or written. A
   *   temporary folder has a key of its own
   */
  static async open(folder: string | undefined, findKeys: FindKeys): Promise<Cache> {
    if (folder === undefined) {
      const key = randomBytes(32).toString('hex');
      const temporary = await mkdtemp(path.join(tmpdir(), 'themecast-')).catch((error: unknown) => {
        throw cannotWrite(tmpdir(), true, error);
      });
      return new Cache(temporary, true, async () => ({ machine: key }));
    }
    const resolved = path.resolve(folder);
    try {
      writableFolder(resolved);
      await makeFolders(resolved);
      await access(resolved, constants.W_OK);
    } catch (error) {
      throw cannotWrite(folder, false, error);
    }
    return new Cache(resolved, false, findKeys);
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

  /** Entries that were found, but are not sealed with a key of this cache, or are corrupted. */
  get rejected(): number {
    return this.#rejected;
  }

  /** The entry of a key; nothing if there is none, or it is not believed. */
  async entry<T>(key: string): Promise<T | undefined> {
    const name = nameOf('notes', key);
    const bytes = await this.#dir.read(name, MAX_ENTRY_BYTES).catch(() => undefined);
    if (bytes === undefined) return undefined;
    const { value, sealedWith } = unsealed(await this.#allKeys(), key, String(bytes));
    if (sealedWith === -1) {
      this.#rejected++;
      return undefined;
    }
    // Sealed with the key of this machine before there was a secret: other machines are to believe it too.
    if (sealedWith > 0) await this.setEntry(key, value).catch(() => undefined);
    this.#markUsed(name);
    return (value ?? undefined) as T | undefined;
  }

  /** Stores the entry of a key, if there is a key to seal it with. */
  async setEntry(key: string, value: unknown): Promise<void> {
    const [sealingKey] = await this.#allKeys();
    if (sealingKey === undefined) return;
    const name = nameOf('notes', key);
    await this.#write(name, JSON.stringify({ seal: sealOf(sealingKey, sealedValues(key, value)), value }));
    this.#used.add(name);
  }

  /**
   * The path of a blob, if its bytes still have this hash.
   * @param isWanted - whether they are what is expected
   */
  async blob(sha256: string, isWanted: (bytes: Buffer) => boolean = () => true): Promise<string | undefined> {
    try {
      if (!SHA256.test(sha256)) return undefined;
      const name = nameOf('objects', sha256);
      const bytes = await this.#dir.read(name, MAX_BLOB_BYTES);
      if (bytes === undefined || sha256Of(bytes) !== sha256 || !isWanted(bytes)) return undefined;
      this.#markUsed(name);
      return this.#dir.at(name);
    } catch {
      return undefined;
    }
  }

  /** Where the blob with a hash is, if there is one. */
  pathOfBlob(sha256: string): string {
    return this.#dir.at(nameOf('objects', sha256));
  }

  /** Whether a blob is there whole; it counts as used. */
  hasBlob(blob: { sha256: string; bytes: number }, files: FileHashes): boolean {
    try {
      const isWhole = SHA256.test(blob.sha256) && files.isSame(this.pathOfBlob(blob.sha256), blob);
      if (isWhole) this.#used.add(nameOf('objects', blob.sha256));
      return isWhole;
    } catch {
      return false; // a link on the way
    }
  }

  /** Stores bytes under their hash. */
  async addBlob(bytes: Uint8Array): Promise<{ sha256: string; file: string }> {
    const sha256 = sha256Of(bytes);
    const name = nameOf('objects', sha256);
    await this.#write(name, bytes);
    this.#used.add(name);
    return { sha256, file: this.#dir.at(name) };
  }

  /** Has {@link prune} leave a blob that is not read. */
  retainBlob(sha256: string): void {
    if (SHA256.test(sha256)) this.#markUsed(nameOf('objects', sha256));
  }

  /**
   * Removes what was not used since the cache was opened, the least recently used first, until the rest fits.
   * @param maxBytes - maximum size of the cache; what was used is never removed, even if that alone is larger
   * @returns the size of the cache, in bytes
   */
  async prune(maxBytes: number): Promise<number> {
    return prune(this.#dir, ['notes', 'objects'], this.#used, maxBytes);
  }

  #allKeys(): Promise<readonly string[]> {
    return (this.#keys ??= this.#findKeys().then(({ shared, machine }) =>
      [shared, machine].filter((key) => key !== undefined),
    ));
  }

  #markUsed(name: string): void {
    this.#used.add(name);
    this.#dir.touch(name, MAX_USE_AGE_MS);
  }

  async #write(name: string, content: string | Uint8Array): Promise<void> {
    try {
      try {
        this.#dir.store(name, content, 0o644);
      } catch (error) {
        if (errorCode(error) !== 'ENOENT') throw error;
        await makeFolders(this.#dir.path); // it may have been removed since
        const folders = [path.posix.dirname(path.posix.dirname(name)), path.posix.dirname(name)];
        for (const folder of folders) await this.#dir.makeFolder(folder, { isPrivate: false });
        this.#dir.store(name, content, 0o644);
      }
    } catch (error) {
      throw cannotWrite(this.#dir.path, this.#temporary, error);
    }
  }
}

/** Maximum size of what is read back, in bytes: a cache may come with a checkout, and contain anything. */
const MAX_ENTRY_BYTES = 16 * 1024 * 1024;
const MAX_BLOB_BYTES = 256 * 1024 * 1024;

/** The time of a file is that of its last use, within a day: repeated builds write nothing. */
const MAX_USE_AGE_MS = 24 * 60 * 60 * 1000;

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

/** The value of an entry, and which of the keys it is sealed with: -1 for none of them. */
function unsealed(keys: readonly string[], key: string, text: string): { value?: unknown; sealedWith: number } {
  try {
    const { seal, value } = JSON.parse(text) as { seal: unknown; value: unknown };
    return { value, sealedWith: keys.findIndex((one) => isSealed(one, sealedValues(key, value), seal)) };
  } catch {
    return { sealedWith: -1 };
  }
}

/** What the seal of an entry covers: an entry under another key is not believed. */
function sealedValues(key: string, value: unknown): readonly unknown[] {
  return ['cache entry', key, value];
}
