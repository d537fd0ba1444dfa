import { randomUUID } from 'node:crypto';
import { access, constants, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { errorCode, sha256Of, systemReason } from './files.ts';

const SHA256 = /^[0-9a-f]{64}$/;

/** The folder of the cache cannot be used. */
export class CacheError extends Error {}

/** A content-addressed store of what was worked out about pictures. Nothing in it is believed unread: see {@link Cache.object}. */
export class Cache {
  readonly #folder: string;
  readonly #temporary: boolean;

  private constructor(folder: string, temporary: boolean) {
    this.#folder = folder;
    this.#temporary = temporary;
  }

  /** @param folder - made if need be; without one, a temporary folder that {@link close} removes */
  static async open(folder: string | undefined): Promise<Cache> {
    if (folder === undefined) {
      const temporary = await mkdtemp(path.join(tmpdir(), 'themecast-')).catch((error: unknown) => {
        throw cannotWrite(tmpdir(), true, error);
      });
      return new Cache(temporary, true);
    }
    try {
      await makeFolders(path.resolve(folder));
      await access(folder, constants.W_OK);
    } catch (error) {
      throw cannotWrite(folder, false, error);
    }
    return new Cache(path.resolve(folder), false);
  }

  async close(): Promise<void> {
    if (this.#temporary) await rm(this.#folder, { recursive: true, force: true });
  }

  /** What was noted under a key; nothing if there is no note, or it is damaged. */
  async note<T>(key: string): Promise<T | undefined> {
    try {
      const { sum, value } = JSON.parse(await readFile(this.#path('notes', key), 'utf8')) as { sum: string; value: T };
      return sum === noteSum(key, value) ? (value ?? undefined) : undefined;
    } catch {
      return undefined;
    }
  }

  async setNote(key: string, value: unknown): Promise<void> {
    await this.#write(this.#path('notes', key), JSON.stringify({ sum: noteSum(key, value), value }));
  }

  /**
   * The path of an object, if its bytes still have this hash.
   * @param isWanted - whether they are what is looked for: whoever writes into the cache can write a note of other bytes, too
   */
  async object(sha256: string, isWanted: (bytes: Buffer) => boolean = () => true): Promise<string | undefined> {
    try {
      if (!SHA256.test(sha256)) return undefined;
      const file = this.#path('objects', sha256);
      const bytes = await readFile(file);
      return sha256Of(bytes) === sha256 && isWanted(bytes) ? file : undefined;
    } catch {
      return undefined;
    }
  }

  /** Stores bytes under their hash. */
  async addObject(bytes: Uint8Array): Promise<{ sha256: string; file: string }> {
    const sha256 = sha256Of(bytes);
    const file = this.#path('objects', sha256);
    await this.#write(file, bytes);
    return { sha256, file };
  }

  #path(kind: 'notes' | 'objects', hash: string): string {
    return path.join(this.#folder, kind, hash.slice(0, 2), hash);
  }

  /** Renamed into place, so that no other build ever reads half a file. */
  async #write(file: string, content: string | Uint8Array): Promise<void> {
    const partial = `${file}.${randomUUID()}`;
    try {
      await makeFolders(path.dirname(file));
      await writeFile(partial, content);
      await rename(partial, file);
    } catch (error) {
      await rm(partial, { force: true }).catch(() => undefined); // a full disk is not to be filled further
      throw cannotWrite(this.#folder, this.#temporary, error);
    }
  }
}

/** Makes a folder and those around it. Not with `recursive`, which says ENOENT where a file system is read-only. */
async function makeFolders(folder: string): Promise<void> {
  const make = (): Promise<void> =>
    mkdir(folder).catch(async (error: unknown) => {
      if (errorCode(error) !== 'EEXIST' || !(await stat(folder)).isDirectory()) throw error;
    });
  await make().catch(async (error: unknown) => {
    if (errorCode(error) !== 'ENOENT' || path.dirname(folder) === folder) throw error;
    await makeFolders(path.dirname(folder));
    await make();
  });
}

function cannotWrite(folder: string, isTemporary: boolean, error: unknown): CacheError {
  return new CacheError(
    isTemporary
      ? `The temporary folder ${folder} cannot be written: ${systemReason(error)}. Make room there, or name another in TMPDIR.`
      : `The cache folder ${folder} cannot be written: ${systemReason(error)}. Name another with \`--cache DIR\`.`,
    { cause: error },
  );
}

/** The key of a note: everything that it depends on. */
export function cacheKey(parts: object): string {
  return sha256Of(JSON.stringify(parts));
}

function noteSum(key: string, value: unknown): string {
  return sha256Of(key + JSON.stringify(value));
}
