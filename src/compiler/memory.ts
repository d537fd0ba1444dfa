import type { Report } from '../diagnostics/diagnostic.ts';
import { sha256Of } from '../disk/files.ts';
import { IndexFile, type IndexPlace } from './index-file.ts';
import type { CompiledImage, CompiledTheme, Decoding, Recorded, Thumbnail } from './model.ts';

/** Where results are stored, and what they depend on besides their inputs. */
export interface StoredResults {
  /** The index of results that depend on the contents of files. */
  contents: IndexPlace;
  /** The index of results that depend on inodes and times. Default: nowhere, so that every file is read again. */
  state: IndexPlace | undefined;
  /** The version of the program: another one may give other results. */
  program: string;
}

/** A compiled theme with what it was compiled from. */
export interface ThemeEntry {
  /** Identifies the entry by all that it was compiled from. */
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
  diagnostics?: readonly Recorded[];
}

/**
 * Results of earlier builds. They are retained in memory for the next build of the same process, and by {@link save} for other processes, in
 * two indexes: compiled themes, which rest on the contents of files and may travel, and what rests on inodes and times, or is the last of
 * this machine, in the state folder of the user.
 */
export class Memory {
  readonly #contents: IndexFile;
  readonly #state: IndexFile;
  readonly program: string;
  /** The entries whose form was checked. */
  readonly #checked = new WeakSet<object>();

  /** @param places - without them, nothing is stored */
  constructor(places?: StoredResults) {
    this.#contents = new IndexFile(places?.contents);
    this.#state = new IndexFile(places?.state);
    this.program = places?.program ?? '';
  }

  /** The theme as it was last compiled, whatever it is compiled from now. Another program may have written it: its form is checked. */
  theme(slug: string): ThemeEntry | undefined {
    const entry = this.#contents.get(`theme ${slug}`);
    if (!this.#checked.has(entry as object) && !isEntry(entry, slug)) return undefined;
    this.#checked.add(entry as object);
    return entry as ThemeEntry;
  }

  /** @param print - the fingerprint of the folder and the settings that it was compiled from, if it counts */
  addTheme(slug: string, entry: ThemeEntry, print: string | undefined): void {
    if (this.theme(slug) !== entry) this.#contents.set(`theme ${slug}`, entry);
    if (print !== undefined && !this.isOf(slug, entry, print)) this.#state.set(`theme ${slug}`, `${print} ${entry.id}`);
  }

  /** Whether a theme was compiled to this entry when its folder and the settings had this fingerprint. */
  isOf(slug: string, entry: ThemeEntry, print: string | undefined): boolean {
    return print !== undefined && this.#state.get(`theme ${slug}`) === `${print} ${entry.id}`;
  }

  /** Every theme that was ever compiled here. */
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

  /** The value under a name, if it was made of the same inputs; its diagnostics are repeated. */
  recall(name: string, inputs: readonly unknown[], report: Report = () => undefined): unknown {
    const result = this.#state.get(name) as Result | undefined;
    if (result?.inputs === undefined || result.inputs !== this.#digest(inputs)) return undefined;
    for (const [code, location, args] of result.diagnostics ?? []) report(code, location, args);
    return result.value;
  }

  /** Retains a value; nothing if one of its inputs is `undefined`, or a file could not be read: the next run may be able to. */
  remember(name: string, inputs: readonly unknown[], value: unknown, diagnostics: readonly Recorded[] = []): void {
    const digest = this.#digest(inputs);
    if (digest === undefined || diagnostics.some(([code]) => code === 'file/unreadable')) return;
    this.#state.set(name, { inputs: digest, value, ...(diagnostics.length > 0 && { diagnostics }) } satisfies Result);
  }

  /**
   * The value under a name, with the diagnostics that came with it; made again if it was made of other inputs.
   * @param inputs - everything that it depends on besides the program, as JSON; if one of them is `undefined`, it is always made again
   */
  async memoize<T>(
    name: string,
    inputs: readonly unknown[],
    report: Report,
    make: (report: Report) => T | Promise<T>,
  ): Promise<T> {
    const earlier = this.recall(name, inputs, report) as { made: T } | undefined;
    if (earlier !== undefined) return earlier.made;
    const diagnostics: Recorded[] = [];
    const made = await make(recorder(diagnostics, report));
    this.remember(name, inputs, { made }, diagnostics);
    return made;
  }

  /** Stores everything. */
  async save(): Promise<void> {
    await this.#contents.save();
    await this.#state.save();
  }

  /** Removes everything that is stored. @returns whether there was anything */
  async discard(): Promise<boolean> {
    const discarded = await Promise.all([this.#contents.discard(), this.#state.discard()]);
    return discarded.includes(true);
  }

  #digest(inputs: readonly unknown[]): string | undefined {
    return inputs.includes(undefined) ? undefined : sha256Of(JSON.stringify([this.program, inputs]));
  }
}

/** Records what is reported. */
export function recorder(recorded: Recorded[], report: Report = () => undefined): Report {
  return (code, location, args) => {
    recorded.push([code, location, args as never]);
    report(code, location, args);
  };
}

const SHA256 = /^[0-9a-f]{64}$/;

/** Whether a stored value has the form of an entry, as far as anything is published by it. */
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
      ({ sha256, made }: CompiledImage) =>
        SHA256.test(sha256) &&
        made.every(({ thumbnail }: Decoding) => thumbnail === undefined || isThumbnail(thumbnail)),
    )
  );
}

function isThumbnail({ sha256, width = 1, height = 1 }: Thumbnail): boolean {
  return SHA256.test(sha256) && [width, height].every((side) => Number.isSafeInteger(side) && side > 0);
}
