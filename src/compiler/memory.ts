import type { Report } from '../diagnostics/diagnostic.ts';
import { sha256Of } from '../disk/files.ts';
import { IndexFile, type IndexPlace } from './index-file.ts';
import type { CompiledImage, CompiledTheme, Decoding, RecordedDiagnostic, Thumbnail } from './model.ts';

/** Where results are stored, and the version of the program that makes them. */
export interface StoredResults {
  /** The index of results that depend on the contents of files. */
  contents: IndexPlace;
  /** The index of results that depend on inodes and times. Default: none, so that every file is read again. */
  state: IndexPlace | undefined;
  /** The version of the program: results of another version are ignored. */
  program: string;
}

/** A compiled theme with its inputs. */
export interface ThemeEntry {
  /** Digest of everything that the theme was compiled from. */
  id: string;
  /** Digest of the program, the settings, and the names in the folder. */
  key: string;
  /** Every file that was read, by its path in the folder, with its SHA-256. */
  reads: readonly (readonly [file: string, sha256: string])[];
  compiled: CompiledTheme;
}

interface Result {
  inputs: string;
  value: unknown;
  diagnostics?: readonly RecordedDiagnostic[];
}

/**
 * Results of earlier builds, retained for the next build of this process, and by {@link save} for other processes. There are two indexes. Compiled
 * themes depend only on the contents of files, and may be copied to other machines. Results that depend on inodes and times, and the last results
 * of this machine, stay in the user's state folder.
 */
export class Memory {
  readonly #contents: IndexFile;
  readonly #state: IndexFile;
  readonly program: string;
  /** Entries whose form was checked. */
  readonly #checked = new WeakSet<object>();

  /** @param places - without them, nothing is stored */
  constructor(places?: StoredResults) {
    this.#contents = new IndexFile(places?.contents);
    this.#state = new IndexFile(places?.state);
    this.program = places?.program ?? '';
  }

  /** Returns the theme as last compiled, even if its files have changed since. Its form is checked, since another program may have written it. */
  theme(slug: string): ThemeEntry | undefined {
    const entry = this.#contents.get(`theme ${slug}`);
    if (!this.#checked.has(entry as object) && !isEntry(entry, slug)) return undefined;
    this.#checked.add(entry as object);
    return entry as ThemeEntry;
  }

  /** @param fingerprint - covers the folder and the settings; undefined if it is not trusted */
  addTheme(slug: string, entry: ThemeEntry, fingerprint: string | undefined): void {
    if (this.theme(slug) !== entry) this.#contents.set(`theme ${slug}`, entry);
    if (fingerprint !== undefined && !this.isFresh(slug, entry, fingerprint))
      this.#state.set(`theme ${slug}`, `${fingerprint} ${entry.id}`);
  }

  /** Whether an entry is the result for this fingerprint of its folder and the settings. */
  isFresh(slug: string, entry: ThemeEntry, fingerprint: string | undefined): boolean {
    return fingerprint !== undefined && this.#state.get(`theme ${slug}`) === `${fingerprint} ${entry.id}`;
  }

  *themes(): Generator<ThemeEntry> {
    for (const key of this.#contents.keys()) {
      const slug = /^theme (.*)$/.exec(key)?.[1];
      const entry = slug === undefined ? undefined : this.theme(slug);
      if (entry !== undefined) yield entry;
    }
  }

  /** Whether indexes of several machines were read. */
  get isMerged(): boolean {
    return this.#contents.hasShards;
  }

  /** Returns the value stored under a name if its inputs are the same, and reports its diagnostics again. */
  recall(name: string, inputs: readonly unknown[], report: Report = () => undefined): unknown {
    const result = this.#state.get(name) as Result | undefined;
    if (result?.inputs === undefined || result.inputs !== this.#digest(inputs)) return undefined;
    for (const [code, location, args] of result.diagnostics ?? []) report(code, location, args);
    return result.value;
  }

  /** Stores a value. Does nothing if an input is `undefined`, or a file could not be read: the next run may succeed. */
  remember(
    name: string,
    inputs: readonly unknown[],
    value: unknown,
    diagnostics: readonly RecordedDiagnostic[] = [],
  ): void {
    const digest = this.#digest(inputs);
    if (digest === undefined || diagnostics.some(([code]) => code === 'file/unreadable')) return;
    this.#state.set(name, { inputs: digest, value, ...(diagnostics.length > 0 && { diagnostics }) } satisfies Result);
  }

  /**
   * Returns the value stored under a name and reports its diagnostics again, or makes it if its inputs have changed.
   * @param inputs - everything that it depends on besides the program, as JSON; if one of them is `undefined`, it is always made again
   */
  async memoize<T>(
    name: string,
    inputs: readonly unknown[],
    report: Report,
    make: (report: Report) => T | Promise<T>,
  ): Promise<T> {
    const stored = this.recall(name, inputs, report) as { made: T } | undefined;
    if (stored !== undefined) return stored.made;
    const diagnostics: RecordedDiagnostic[] = [];
    const value = await make(recorder(diagnostics, report));
    this.remember(name, inputs, { made: value }, diagnostics);
    return value;
  }

  async save(): Promise<void> {
    await this.#contents.save();
    await this.#state.save();
  }

  /** Removes everything stored. @returns whether there was anything */
  async discard(): Promise<boolean> {
    const discarded = await Promise.all([this.#contents.discard(), this.#state.discard()]);
    return discarded.includes(true);
  }

  #digest(inputs: readonly unknown[]): string | undefined {
    return inputs.includes(undefined) ? undefined : sha256Of(JSON.stringify([this.program, inputs]));
  }
}

/** Returns a report function that also records the diagnostics. */
export function recorder(recorded: RecordedDiagnostic[], report: Report = () => undefined): Report {
  return (code, location, args) => {
    recorded.push([code, location, args as never]);
    report(code, location, args);
  };
}

const SHA256 = /^[0-9a-f]{64}$/;

/** Whether a stored value has the form of an entry, as far as publication depends on it. */
function isEntry(value: unknown, slug: string): value is ThemeEntry {
  const { id, key, reads, compiled } = (value ?? {}) as Partial<ThemeEntry>;
  if (typeof id !== 'string' || typeof key !== 'string' || !Array.isArray(reads) || compiled?.slug !== slug)
    return false;
  const { images, diagnostics, unused } = compiled;
  return (
    Array.isArray(diagnostics) &&
    Array.isArray(unused) &&
    Array.isArray(images) &&
    images.every(
      ({ sha256, decodings }: CompiledImage) =>
        SHA256.test(sha256) &&
        decodings.every(({ thumbnail }: Decoding) => thumbnail === undefined || isThumbnail(thumbnail)),
    )
  );
}

function isThumbnail({ sha256, width = 1, height = 1 }: Thumbnail): boolean {
  return SHA256.test(sha256) && [width, height].every((side) => Number.isSafeInteger(side) && side > 0);
}
