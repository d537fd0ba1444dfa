import type { Code, Location, Report } from '../../diagnostics/diagnostic.ts';
import { sha256Of } from '../disk/files.ts';
import { FileHashes } from './file-hashes.ts';
import { IndexFile, type IndexPlace } from './index-file.ts';

/** A result with what it was made of. */
interface Result {
  /** SHA-256 of its parts, hexadecimal. */
  parts: string;
  value: unknown;
  diagnostics?: readonly Recorded[];
}

type Recorded = readonly [code: Code, location: Location, args: never];

/** Where results are stored, and what they depend on besides their parts. */
export interface StoredResults {
  /** What rests on the contents of files. */
  contents: IndexPlace;
  /** What rests on inodes and times. Default: nowhere, so that every file is read again. */
  state: IndexPlace | undefined;
  /** The version of the program: another one may give other results. */
  program: string;
}

/** Results that depend on files by their times, which are those of one machine. */
const LOCAL = 'local ';

/**
 * Results of earlier builds by what they were made of, so that a build makes again only what has changed. Values are JSON. They are
 * retained in memory for the next build of the same process, and by {@link save} for other processes, in two indexes: what rests on
 * contents may travel, what rests on inodes and times stays on this machine.
 */
export class IncrementalCache {
  /** The hashes of files, read only if they have changed. */
  readonly files: FileHashes;
  readonly #contents: IndexFile;
  readonly #state: IndexFile;
  readonly #program: string;

  /** @param places - without them, nothing is stored */
  constructor(places?: StoredResults) {
    this.#contents = new IndexFile(places?.contents);
    this.#state = new IndexFile(places?.state);
    this.files = new FileHashes(this.#state);
    this.#program = places?.program ?? '';
  }

  /** What was made of what, whatever the program: its keys and values say all that they depend on. */
  get made(): IndexFile {
    return this.#contents;
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
    const result = this.#indexOf(key).get(key) as Result | undefined;
    if (result?.parts === undefined || result.parts !== this.#digest(parts) || !isWhole(result.value as T))
      return undefined;
    for (const [code, location, args] of result.diagnostics ?? []) report(code, location, args);
    return result.value as T;
  }

  /** Retains a value; nothing if one of its parts is `undefined`, or a file could not be read: the next run may be able to. */
  remember(key: string, parts: readonly unknown[], value: unknown, diagnostics: readonly Recorded[] = []): void {
    const digest = this.#digest(parts);
    if (digest === undefined || diagnostics.some(([code]) => code === 'file/unreadable')) return;
    this.#indexOf(key).set(key, {
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
    if (isWhole(made)) this.remember(key, parts, { made }, diagnostics);
    return made;
  }

  /** Stores everything. */
  async save(): Promise<void> {
    await this.files.save();
    await this.#contents.save();
    await this.#state.save();
  }

  /** Removes everything that is stored. @returns whether there was anything */
  async discard(): Promise<boolean> {
    const discarded = await Promise.all([this.#contents.discard(), this.#state.discard()]);
    return discarded.includes(true);
  }

  #indexOf(key: string): IndexFile {
    return key.startsWith(LOCAL) ? this.#state : this.#contents;
  }

  #digest(parts: readonly unknown[]): string | undefined {
    return parts.includes(undefined) ? undefined : sha256Of(JSON.stringify([this.#program, parts]));
  }
}
