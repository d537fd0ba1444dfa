import type { Resources } from '../../../compiler/store/resources.ts';
import { type Change, type Differences, differencesOf, fieldChanges, pairsOf } from '../../changes/differences.ts';
import { type Base, bytesOf, lastCommitOf, openBase } from '../../changes/io/base.ts';
import { readState } from '../../changes/io/read-state.ts';
import { placeOf, type SiteState } from '../../changes/site-state.ts';
import { FORMATS, sniffFormat } from '../../../core/image/format.ts';
import { Queue } from '../../../system/disk/concurrency.ts';
import type { AnyImageField } from '../../../core/theme/fields/fields.ts';
import type { Theme } from '../../../core/theme/resolve.ts';

/** The differences between the last commit and the current themes. */
export interface Comparison extends Differences {
  /** The first digits of the commit. */
  commit: string;
  before: SiteState;
  after: SiteState;
}

/** Reads the themes of the last commit from Git's objects, and compares the current themes with them. */
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

  /** Compares a state with the last commit; undefined if there is none. */
  compare(after: SiteState): Promise<Comparison | undefined> {
    return this.#queue.run(async () => {
      const last = await lastCommitOf(this.#themesDir);
      if (last !== this.#base?.commit) {
        await this.#base?.close();
        this.#before = undefined;
        this.#base = last === undefined ? undefined : await openBase('HEAD', this.#themesDir).catch(() => undefined);
      }
      if (this.#base === undefined) return undefined;
      const reading = { ...this.#resources, baseUrl: undefined };
      // After a read error, the next page tries again.
      this.#before ??= await readState(this.#base.themesDir, reading).catch(() => undefined);
      if (this.#before === undefined) return undefined;
      const { commit = '' } = this.#base;
      const before = this.#before;
      return { ...differencesOf(before, after), commit: commit.slice(0, 7), before, after };
    });
  }

  /** Reads an image of a theme in the last commit; undefined if it is external or invalid. */
  image(theme: Theme, field: AnyImageField): Promise<{ bytes: Buffer; type: string } | undefined> {
    return this.#queue.run(async () => {
      const place = this.#before && placeOf(this.#before, theme.images[field]);
      if (this.#base === undefined || place === undefined || 'url' in place) return undefined;
      const bytes = await bytesOf(place.file, this.#base.themesDir);
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

/** Returns a theme in the last commit, with its changes since; undefined for a theme that is new or has errors. */
export function committedTheme(
  { before, after }: Comparison,
  slug: string,
): { theme: Theme; changes: readonly Change[] } | undefined {
  const [theme, now] = pairsOf(before, after).find(([, current]) => current?.slug === slug) ?? [];
  return now === undefined || theme === undefined
    ? undefined
    : { theme, changes: fieldChanges(before, after, theme, now) };
}
