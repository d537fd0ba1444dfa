import type { Arguments, Code } from '../diagnostics/catalogue.ts';
import { type Location, place, type Report } from '../diagnostics/diagnostic.ts';
import { meantTheme } from '../theme/meant-theme.ts';
import { type Chunk, chunkOf, locate, locateRow } from './chunks.ts';
import { rowPlace } from './digest-records.ts';
import {
  MAX_DIAGNOSTICS,
  MAX_UNKNOWN,
  type RowDiagnostic,
  type RowPlace,
  type Scan,
  type UnknownTheme,
} from './scan.ts';
import type { Repetitions } from './dedupe.ts';

type Found = Pick<Scan, 'diagnostics' | 'more' | 'unknown' | 'swapped'>;

interface Pending {
  chunk: number;
  at: RowPlace;
  /** Called only for diagnostics that are shown. */
  emit: (report: Report, location: Location) => void;
}

/** The diagnostics about all user files. However many there are, only what can be shown is retained. */
export class UserDiagnostics {
  readonly #retained: (RowDiagnostic & { chunk: number })[] = [];
  readonly #unknown = new Map<string, UnknownTheme & { chunk: number }>();
  /** By file. */
  readonly #swapped = new Map<string, RowPlace & { chunk: number; times: number }>();
  #more = 0;

  /** Adds the diagnostics of a chunk; chunks come in order. */
  add(chunk: number, file: string, { diagnostics, more, unknown, swapped }: Found): void {
    const retained = diagnostics.slice(0, MAX_DIAGNOSTICS - this.#retained.length);
    this.#retained.push(...retained.map((diagnostic) => ({ ...diagnostic, chunk })));
    this.#more += more + diagnostics.length - retained.length;
    for (const theme of unknown) this.#addUnknown(chunk, theme);
    if (swapped === undefined) return;
    const known = this.#swapped.get(file);
    if (known === undefined) this.#swapped.set(file, { ...swapped, chunk });
    else known.times += swapped.times;
  }

  #addUnknown(chunk: number, unknown: UnknownTheme): void {
    const known = this.#unknown.get(unknown.theme);
    if (known !== undefined) known.users += unknown.users;
    else if (this.#unknown.size < MAX_UNKNOWN) this.#unknown.set(unknown.theme, { ...unknown, chunk });
    else this.#more += unknown.users;
  }

  /**
   * Reports the first {@link MAX_DIAGNOSTICS} in the order of the files, and how many more there are.
   * @param chunks - all that were added
   * @param slugs - of all themes
   * @param ids - of themes
   */
  report(
    chunks: readonly Chunk[],
    duplicates: Repetitions,
    slugs: readonly string[],
    report: Report,
    ids: ReadonlySet<string> = new Set(),
  ): void {
    const isId = ({ chunk, theme }: { chunk: number; theme: string }): boolean =>
      ids.has(theme) && this.#swapped.size === 0 && !chunkOf(chunks, chunk).file.endsWith('.yaml');
    const unknown = [...this.#unknown.values()];
    const found = [
      ...this.#retained.map(({ chunk, code, args, ...at }) => pending(chunk, at, code, args)),
      ...[...this.#swapped.values()].map(({ chunk, times, ...at }) =>
        pending(chunk, at, 'mapping/unknown-theme', {
          suggestion: undefined,
          theme: undefined,
          users: 0,
          swapped: times,
        }),
      ),
      ...unknown.flatMap((one) => (isId(one) ? [] : [this.#pendingUnknown(one, slugs)])),
      ...pendingIds(unknown.filter(isId)),
      ...duplicates.first.map(([row, first]) =>
        pending(row.chunk, rowPlace(row), 'mapping/duplicate-user', { first: place(locateRow(chunks, first)) }),
      ),
    ].toSorted((a, b) => a.chunk - b.chunk || a.at.line - b.at.line || a.at.column - b.at.column);
    const shown = found.slice(0, MAX_DIAGNOSTICS);
    for (const { emit, chunk, at } of shown) emit(report, locate(chunkOf(chunks, chunk), at));
    const last = shown.at(-1);
    const more = found.length - shown.length + duplicates.more + this.#more;
    if (more > 0 && last !== undefined) report('mapping/more', { file: chunkOf(chunks, last.chunk).file }, { more });
  }

  /**
   * One diagnostic per theme. What appears in place of a theme may be a user key: it is named only if it consists of letters and
   * hyphens, is close to a slug or used for several users, and no file swaps the two anywhere.
   */
  #pendingUnknown({ chunk, theme, users, ...at }: UnknownTheme & { chunk: number }, slugs: readonly string[]): Pending {
    const emit = (report: Report, location: Location): void => {
      const { suggestion } = meantTheme(theme, slugs);
      const isWord = /^ *[a-z][a-z-]{0,63} *$/i.test(theme) && this.#swapped.size === 0;
      const isNamed = theme === '' || (isWord && (suggestion !== undefined || users > 1));
      const args = { suggestion, theme: isNamed ? theme : undefined, users, swapped: 0 };
      report('mapping/unknown-theme', location, args);
    };
    return { chunk, at, emit };
  }
}

/** One diagnostic for all rows that name themes by their ids: the column has the wrong name. */
function pendingIds(unknown: readonly (UnknownTheme & { chunk: number })[]): Pending[] {
  const [first] = unknown;
  if (first === undefined) return [];
  const { chunk, theme: id, users: _, ...at } = first;
  return [pending(chunk, at, 'mapping/theme-id', { id, users: unknown.reduce((sum, { users }) => sum + users, 0) })];
}

function pending<C extends Code>(chunk: number, at: RowPlace, code: C, args: Arguments<C>): Pending {
  return { chunk, at, emit: (report, location) => report(code, location, args) };
}
