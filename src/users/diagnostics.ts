import type { Arguments, Code } from '../diagnostics/catalogue.ts';
import { type Location, place, type Report } from '../diagnostics/diagnostic.ts';
import { meantBy, type Renamed } from '../theme/renamed.ts';
import { rowPlace, type Row } from './digest-records.ts';
import {
  MOST_FINDINGS,
  MOST_UNKNOWN,
  type RowFinding,
  type RowPlace,
  type Scan,
  type UnknownTheme,
} from './row-scanner.ts';
import type { Repetitions } from './dedupe.ts';

/** Where a chunk stood, and who was in it. */
export interface ScannedChunk extends Pick<Scan, 'lines' | 'counts' | 'first'> {
  file: string;
  /** Number of its first line. */
  firstLine: number;
}

/** Where a row of a chunk stands. */
export function locate(
  { file, firstLine }: Pick<ScannedChunk, 'file' | 'firstLine'>,
  { line, column, length }: RowPlace,
): Location {
  const number = firstLine + line;
  return { file, start: { line: number, column }, end: { line: number, column: column + length } };
}

/** Where a row stands, by the chunk that it names. */
export function locateRow(chunks: readonly ScannedChunk[], row: Row): Location {
  return locate(chunkOf(chunks, row.chunk), rowPlace(row));
}

function chunkOf(chunks: readonly ScannedChunk[], index: number): ScannedChunk {
  const chunk = chunks[index];
  if (chunk === undefined) throw new Error('Bug: a row of no chunk.');
  return chunk;
}

type Found = Pick<Scan, 'findings' | 'more' | 'unknown' | 'swapped'>;

/** Where no theme is named. */
const NO_THEME_MEANT = { suggestion: undefined, isRenamed: false };

interface Told {
  chunk: number;
  at: RowPlace;
  /** Asked only of findings that are shown. */
  tell: (report: Report, location: Location) => void;
}

/** What was found in all files of users. However much it is, only what can be shown is kept. */
export class Findings {
  readonly #kept: (RowFinding & { chunk: number })[] = [];
  readonly #unknown = new Map<string, UnknownTheme & { chunk: number }>();
  /** By file. */
  readonly #swapped = new Map<string, RowPlace & { chunk: number; times: number }>();
  #more = 0;

  /** Adds what was found in a chunk; chunks come in their order. */
  add(chunk: number, file: string, { findings, more, unknown, swapped }: Found): void {
    const kept = findings.slice(0, MOST_FINDINGS - this.#kept.length);
    this.#kept.push(...kept.map((finding) => ({ ...finding, chunk })));
    this.#more += more + findings.length - kept.length;
    for (const theme of unknown) this.#addUnknown(chunk, theme);
    if (swapped === undefined) return;
    const known = this.#swapped.get(file);
    if (known === undefined) this.#swapped.set(file, { ...swapped, chunk });
    else known.times += swapped.times;
  }

  #addUnknown(chunk: number, unknown: UnknownTheme): void {
    const known = this.#unknown.get(unknown.theme);
    if (known !== undefined) known.users += unknown.users;
    else if (this.#unknown.size < MOST_UNKNOWN) this.#unknown.set(unknown.theme, { ...unknown, chunk });
    else this.#more += unknown.users;
  }

  /**
   * Reports the first {@link MOST_FINDINGS} in the order in which they stand, and how many more there are.
   * @param chunks - all that were added
   * @param slugs - of the themes that there are
   * @param renamed - what some of them were called before
   */
  report(
    chunks: readonly ScannedChunk[],
    duplicates: Repetitions,
    slugs: readonly string[],
    report: Report,
    renamed: Renamed = new Map(),
  ): void {
    const found = [
      ...this.#kept.map(({ chunk, code, args, ...at }) => told(chunk, at, code, args)),
      ...[...this.#swapped.values()].map(({ chunk, times, ...at }) =>
        told(chunk, at, 'mapping/unknown-theme', { ...NO_THEME_MEANT, theme: undefined, users: 0, swapped: times }),
      ),
      ...[...this.#unknown.values()].map((unknown) => this.#toldUnknown(unknown, slugs, renamed)),
      ...duplicates.first.map(([row, first]) =>
        told(row.chunk, rowPlace(row), 'mapping/duplicate-user', { first: place(locateRow(chunks, first)) }),
      ),
    ].toSorted((a, b) => a.chunk - b.chunk || a.at.line - b.at.line || a.at.column - b.at.column);
    const shown = found.slice(0, MOST_FINDINGS);
    for (const { tell, chunk, at } of shown) tell(report, locate(chunkOf(chunks, chunk), at));
    const last = shown.at(-1);
    const more = found.length - shown.length + duplicates.more + this.#more;
    if (more > 0 && last !== undefined) report('mapping/more', { file: chunkOf(chunks, last.chunk).file }, { more });
  }

  /**
   * One finding a theme. What stands in the place of a theme may be a user key: it is named only if it is made of letters and
   * hyphens, is close to a slug or given to several users, and no file swaps the two anywhere.
   */
  #toldUnknown(
    { chunk, theme, users, ...at }: UnknownTheme & { chunk: number },
    slugs: readonly string[],
    renamed: Renamed,
  ): Told {
    const tell = (report: Report, location: Location): void => {
      const meant = meantBy(theme, slugs, renamed);
      const isWord = /^ *[a-z][a-z-]{0,63} *$/i.test(theme) && this.#swapped.size === 0;
      const isNamed = theme === '' || (isWord && (meant.suggestion !== undefined || users > 1));
      const args = { ...meant, theme: isNamed ? theme : undefined, users, swapped: 0 };
      report('mapping/unknown-theme', location, args);
    };
    return { chunk, at, tell };
  }
}

function told<C extends Code>(chunk: number, at: RowPlace, code: C, args: Arguments<C>): Told {
  return { chunk, at, tell: (report, location) => report(code, location, args) };
}
