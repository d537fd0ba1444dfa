import { access, constants, mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ThemecastError } from '../../core/diagnostics/themecast-error.ts';
import { ContainedFolder, ContainmentError } from '../../system/disk/contained-folder.ts';
import { readIfFile, sha256Of, systemReason } from '../../system/disk/files.ts';
import { listTree } from '../../system/disk/list-tree.ts';
import { sealed, unsealed } from '../../system/disk/sealed.ts';
import { temporaryFolder } from '../../system/disk/temporary-folder.ts';

/** Maximum size of the files that the current build does not use, in bytes: a CI transfers them with every run. */
const MAX_UNUSED_BYTES = 1e9;
/** The time of a file is its last use, accurate to a day, so that repeated builds write nothing. */
const DAY_MS = 24 * 60 * 60 * 1000;
/** Maximum size of a result, in bytes: a compiled theme has some 10,000. */
const MAX_RESULT_BYTES = 64 * 1024 * 1024;

/** A thumbnail, named by the SHA-256 of its bytes, or a result as JSON, named by the digest of everything that it was made from. */
type Kind = 'objects' | 'results';
const FILE = /^(?:objects|results)\/([0-9a-f]{2})\/\1[0-9a-f]{62}(\.[0-9a-f-]{36})?$/;

/**
 * The store of everything that is made from contents alone. Whatever does not match its digest is absent, and is replaced. Stores of several
 * machines are merged by copying files.
 */
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
   */
  static async open(folder: string | undefined): Promise<Cache> {
    if (folder === undefined) {
      const temporary = await temporaryFolder('themecast-cache-').catch((error: unknown) => {
        throw cannotWrite(tmpdir(), true, error);
      });
      return new Cache(temporary, true);
    }
    const resolved = path.resolve(folder);
    try {
      await mkdir(resolved, { recursive: true });
      await access(resolved, constants.W_OK);
    } catch (error) {
      throw cannotWrite(folder, false, error);
    }
    return new Cache(resolved, false);
  }

  async close(): Promise<void> {
    if (this.#temporary) await rm(this.#dir.path, { recursive: true, force: true });
  }

  /** Prepares another build, in which the folders of the cache are checked again. */
  begin(): void {
    this.#dir.forget();
  }

  /** Returns the thumbnail with a digest, if it is whole. @param limit - maximum size, in bytes */
  read(sha256: string, limit: number): Buffer | undefined {
    const bytes = this.#read('objects', sha256, limit);
    return bytes && sha256Of(bytes) === sha256 ? bytes : undefined;
  }

  /** Stores a thumbnail. @returns its digest */
  async add(bytes: Uint8Array): Promise<string> {
    const sha256 = sha256Of(bytes);
    const name = nameOf('objects', sha256);
    if (this.#added.has(name) && this.#dir.hasFile(name)) return sha256;
    try {
      await this.#prepare(name);
      if (!this.#dir.tryStore(name, bytes)) this.#dir.store(name, bytes, 0o644); // again, for the error
    } catch (error) {
      throw cannotWrite(this.#dir.path, this.#temporary, error);
    }
    this.#added.add(name);
    return sha256;
  }

  /** Returns the JSON of a result, if it is whole. @param key - the digest of everything that it was made from */
  recall(key: string): string | undefined {
    return unsealed(this.#read('results', key, MAX_RESULT_BYTES));
  }

  /** Stores a result. If that fails, the next run makes it again. */
  async remember(key: string, value: unknown): Promise<void> {
    const name = nameOf('results', key);
    await this.#prepare(name).catch(() => undefined);
    if (this.#dir.tryStore(name, sealed(value))) this.#added.add(name);
  }

  /** Whether thumbnails were added, so that the cache may exceed its limit; results are small. */
  get hasGrown(): boolean {
    return !this.#temporary && [...this.#added].some((name) => name.startsWith('objects'));
  }

  /**
   * Removes the least recently used files until the others fit, and files that were never complete. Files with other names, and links, are left.
   * @param used - the digests of thumbnails and results that the build used: their times are set to now, at most once a day
   */
  async prune(used: Readonly<Record<Kind, Iterable<string>>>): Promise<void> {
    const kept = new Set(this.#added);
    for (const kind of ['objects', 'results'] as const) for (const digest of used[kind]) kept.add(nameOf(kind, digest));
    let bytes = 0;
    const unused: { name: string; bytes: number; modified: number }[] = [];
    for (const [name, kind] of listTree(this.#dir.path, { onError: () => undefined })) {
      const match = kind === 'file' ? FILE.exec(name) : null;
      const stat = match === null ? undefined : this.#dir.fileStat(name);
      if (stat === undefined) continue;
      if (kept.has(name)) this.#dir.touch(name, DAY_MS);
      else if (match?.[2] === undefined) unused.push({ name, ...stat });
      else if (Date.now() - stat.modified > DAY_MS) await this.#dir.remove(name).catch(() => undefined);
      bytes += stat.bytes;
    }
    for (const file of unused.toSorted((a, b) => a.modified - b.modified || (a.name < b.name ? -1 : 1))) {
      if (bytes <= MAX_UNUSED_BYTES) return;
      await this.#dir.remove(file.name).catch(() => undefined);
      bytes -= file.bytes;
    }
  }

  #read(kind: Kind, digest: string, limit: number): Buffer | undefined {
    const name = nameOf(kind, digest);
    try {
      return FILE.test(name) ? readIfFile(this.#dir.at(name), limit) : undefined;
    } catch {
      return undefined; // a link on the way
    }
  }

  /** Makes the folders of a file; the whole cache may have been removed since. */
  async #prepare(name: string): Promise<void> {
    if (this.#dir.hasFolder(path.posix.dirname(name))) return;
    await mkdir(this.#dir.path, { recursive: true });
    for (const folder of [path.posix.dirname(path.posix.dirname(name)), path.posix.dirname(name)])
      await this.#dir.makeFolder(folder, { isPrivate: false });
  }
}

function nameOf(kind: Kind, digest: string): string {
  return `${kind}/${digest.slice(0, 2)}/${digest}`;
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
