import type { Code, Location, Report } from '../diagnostics/diagnostic.ts';
import { sha256Of } from './files.ts';
import { FileHashes } from './incremental/file-hashes.ts';
import { IndexFile } from './incremental/index-file.ts';
import type { CacheKeys } from './images/cache-keys.ts';
import type { ContainedFolder } from './output/contained-folder.ts';

/** A result with what it was made of. */
interface Result {
  /** SHA-256 of its parts, hexadecimal. */
  parts: string;
  value: unknown;
  diagnostics?: readonly Recorded[];
}

type Recorded = readonly [code: Code, location: Location, args: never];

/** Where an index is stored, and what its results depend on besides their parts. */
export interface IndexOptions {
  /** The folder of the cache. */
  dir: ContainedFolder;
  /** What it is the index of. */
  id: string;
  keys: CacheKeys;
  /** The version of the program: another one may give other results. */
  program: string;
  /** Whether every file is read again, whatever its times say. Default: false. */
  verifies?: boolean | undefined;
}

/** Results that depend on files by their times, which are those of one machine. */
const LOCAL = 'local ';

/**
 * Results of earlier builds by what they were made of, so that a build makes again only what has changed. Values are JSON. They are
 * retained in memory for the next build of the same process, and by {@link save} in the index of the cache for other processes.
 */
export class IncrementalCache {
  /** The hashes of files, read only if they have changed. */
  readonly files: FileHashes;
  readonly #index: IndexFile;
  readonly #program: string;

  private constructor(index: IndexFile, files: FileHashes, program: string) {
    this.#index = index;
    this.files = files;
    this.#program = program;
  }

  /** Opens the index of a cache; without options, nothing is stored. */
  static async open(options?: IndexOptions): Promise<IncrementalCache> {
    const isPortable = (key: string): boolean => !FileHashes.isKey(key) && !key.startsWith(LOCAL);
    const index = await IndexFile.open(options?.dir, options?.id ?? '', options?.keys ?? {}, isPortable);
    return new IncrementalCache(index, new FileHashes(index, options?.verifies), options?.program ?? '');
  }

  /** The key of a result that only counts on the machine that made it. */
  static local(key: string): string {
    return LOCAL + key;
  }

  /**
   * The value under a key, if it was made of the same parts; its diagnostics are repeated.
   * @param isWhole - whether all that the value names is still there
   */
  recall<T>(
    key: string,
    parts: readonly unknown[],
    report: Report,
    isWhole: (value: T) => boolean = () => true,
  ): T | undefined {
    const result = this.#index.get(key) as Result | undefined;
    if (result === undefined || result.parts !== this.#digest(parts) || !isWhole(result.value as T)) return undefined;
    for (const [code, location, args] of result.diagnostics ?? []) report(code, location, args);
    return result.value as T;
  }

  /** Retains a value; nothing if one of its parts is `undefined`. */
  remember(key: string, parts: readonly unknown[], value: unknown, diagnostics: readonly Recorded[] = []): void {
    const digest = this.#digest(parts);
    if (digest === undefined) return;
    this.#index.set(key, {
      parts: digest,
      value,
      ...(diagnostics.length > 0 && { diagnostics }),
    } satisfies Result);
  }

  /**
   * The value under a key, with the diagnostics that came with it; made again if it was made of other parts.
   * @param parts - everything that it depends on, as JSON; if one of them is `undefined`, it is always made again
   * @param isWhole - whether all that a value names is still there
   */
  async memoize<T>(
    key: string,
    parts: readonly unknown[],
    report: Report,
    make: (report: Report) => T | Promise<T>,
    isWhole: (value: T) => boolean = () => true,
  ): Promise<T> {
    const earlier = this.recall<{ made: T }>(key, parts, report, ({ made }) => isWhole(made));
    if (earlier !== undefined) return earlier.made;
    const diagnostics: Recorded[] = [];
    const made = await make((code, location, args) => {
      diagnostics.push([code, location, args as never]);
      report(code, location, args);
    });
    this.remember(key, parts, { made }, diagnostics);
    return made;
  }

  /** Makes the result again the next time: it may be different then. */
  drop(key: string): void {
    this.#index.delete(key);
  }

  /** Forgets everything. */
  clear(): void {
    this.files.clear();
    this.#index.clear();
  }

  /** Stores everything in the cache. */
  async save(): Promise<void> {
    await this.files.save();
    await this.#index.save();
  }

  #digest(parts: readonly unknown[]): string | undefined {
    return parts.includes(undefined) ? undefined : sha256Of(JSON.stringify([this.#program, parts]));
  }
}
