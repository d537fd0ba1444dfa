import type { Resources } from '../compiler/resources.ts';
import { type Change, type Differences, differencesOf, fieldChanges, pairsOf } from '../changes/differences.ts';
import { type Base, bytesAt, openLastCommit } from '../changes/io/base.ts';
import { readBase } from '../changes/io/read-state.ts';
import { placeOf, type SiteState } from '../changes/site-state.ts';
import { FORMATS, sniffFormat } from '../image/format.ts';
import { Queue } from '../disk/concurrency.ts';
import type { AnyImageField } from '../theme/fields.ts';
import type { Theme } from '../theme/resolve.ts';

/** What is shown beside the last commit. */
export interface Comparison extends Differences {
  /** The first digits of the commit. */
  commit: string;
  before: SiteState;
  after: SiteState;
}

/** The themes of the last commit, read from Git's objects. */
export class LastCommit {
  readonly #themesDir: string;
  readonly #resources: Resources;
  readonly #queue = new Queue();
  #base: Base | undefined;
  #before: SiteState | undefined;

  constructor(themesDir: string, resources: Resources) {
    this.#themesDir = themesDir;
    this.#resources = resources;
  }

  /** How a state differs from that of the last commit; nothing where there is none. */
  compare(after: SiteState): Promise<Comparison | undefined> {
    return this.#queue.run(async () => {
      const base = await openLastCommit(this.#themesDir);
      if (base?.commit !== this.#base?.commit) {
        await this.#base?.close();
        [this.#base, this.#before] = [base, undefined];
      }
      if (this.#base === undefined) return undefined;
      const reading = { ...this.#resources, baseUrl: undefined };
      // After a read error, the next page tries again.
      this.#before ??= await readBase(this.#base, this.#themesDir, reading).catch(() => undefined);
      if (this.#before === undefined) return undefined;
      const { commit = '' } = this.#base;
      const before = this.#before;
      return { ...differencesOf(before, after), commit: commit.slice(0, 7), before, after };
    });
  }

  /** An image of a theme as it was; nothing if it is elsewhere, or was no valid one. */
  image(theme: Theme, field: AnyImageField): Promise<{ bytes: Buffer; type: string } | undefined> {
    return this.#queue.run(async () => {
      const place = this.#before && placeOf(this.#before, theme.images[field]);
      if (this.#base === undefined || place === undefined || 'url' in place) return undefined;
      const bytes = await bytesAt(this.#base, place.file);
      const sniffed = bytes && sniffFormat(bytes);
      return bytes !== undefined && sniffed !== undefined && 'format' in sniffed
        ? { bytes, type: FORMATS[sniffed.format].mediaType }
        : undefined;
    });
  }

  async close(): Promise<void> {
    await this.#queue.run(async () => this.#base?.close());
  }
}

/** A theme as it was, and in which fields it differs; nothing for one that is new or has errors. */
export function earlier(
  { before, after }: Comparison,
  slug: string,
): { theme: Theme; changes: readonly Change[] } | undefined {
  const [theme, now] = pairsOf(before, after).find(([, one]) => one?.slug === slug) ?? [];
  return now === undefined || theme === undefined
    ? undefined
    : { theme, changes: fieldChanges(before, after, theme, now) };
}
