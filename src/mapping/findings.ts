import type { Arguments, Code } from '../diagnostics/catalogue.ts';
import type { Location, Report } from '../diagnostics/diagnostic.ts';
import { suggest } from '../diagnostics/suggest.ts';
import { place } from './mapping.ts';
import { rowPlace, type Row } from './records.ts';
import { MOST_FINDINGS, type RowPlace, type Scan, type UnknownTheme } from './row-scanner.ts';
import type { Repetitions } from './settle.ts';

/** A chunk as it was scanned, and where it stood. */
export interface ScannedChunk extends Omit<Scan, 'pairs'> {
  file: string;
  /** Number of its first line. */
  firstLine: number;
}

/** Where a row of a chunk stands. */
export function locate({ file, firstLine }: ScannedChunk, { line, column, length }: RowPlace): Location {
  const number = firstLine + line;
  return { file, start: { line: number, column }, end: { line: number, column: column + length } };
}

/** Where a row stands, by the chunk that it names. */
export function locateRow(chunks: readonly ScannedChunk[], row: Row): Location {
  const chunk = chunks[row.chunk];
  if (chunk === undefined) throw new Error('Bug: a row of no chunk.');
  return locate(chunk, rowPlace(row));
}

interface Located {
  chunk: number;
  at: RowPlace;
  location: Location;
  /** Asked only of findings that are shown. */
  tell: (report: Report, location: Location) => void;
}

/**
 * Reports what was found in all files of users: the first {@link MOST_FINDINGS} in the order in which they stand, and how many more
 * there are.
 * @param slugs - of the themes that there are
 */
export function reportUsers(
  chunks: readonly ScannedChunk[],
  duplicates: Repetitions,
  slugs: readonly string[],
  report: Report,
): void {
  const found = [
    ...chunks.flatMap((chunk, index) =>
      chunk.findings.map((finding) => told(chunk, index, finding, finding.code, finding.args)),
    ),
    ...swapped(chunks),
    ...unknownThemes(chunks, slugs),
    ...duplicates.first.map(([row, first]): Located => {
      const args = { first: place(locateRow(chunks, first)) };
      const chunk = chunks[row.chunk]!;
      return told(chunk, row.chunk, rowPlace(row), 'mapping/duplicate-user', args);
    }),
  ].toSorted((a, b) => a.chunk - b.chunk || a.at.line - b.at.line || a.at.column - b.at.column);
  const shown = found.slice(0, MOST_FINDINGS);
  for (const { tell, location } of shown) tell(report, location);
  const more = found.length - shown.length + duplicates.more + chunks.reduce((sum, chunk) => sum + chunk.more, 0);
  const last = shown.at(-1);
  if (more > 0 && last !== undefined) report('mapping/more', { file: last.location.file }, { more });
}

function told<C extends Code>(chunk: ScannedChunk, index: number, at: RowPlace, code: C, args: Arguments<C>): Located {
  return { chunk: index, at, location: locate(chunk, at), tell: (report, location) => report(code, location, args) };
}

/** One finding a file: its columns are swapped, or a few of its rows. */
function swapped(chunks: readonly ScannedChunk[]): Located[] {
  const files = new Map<string, { chunk: ScannedChunk; index: number; at: RowPlace; times: number }>();
  for (const [index, chunk] of chunks.entries()) {
    if (chunk.swapped === undefined) continue;
    const known = files.get(chunk.file);
    if (known === undefined) files.set(chunk.file, { chunk, index, at: chunk.swapped, times: chunk.swapped.times });
    else known.times += chunk.swapped.times;
  }
  return [...files.values()].map(({ chunk, index, at, times }) => {
    const args = { theme: undefined, suggestion: undefined, users: 0, swapped: times };
    return told(chunk, index, at, 'mapping/unknown-theme', args);
  });
}

/**
 * One finding a theme. What stands in the place of a theme may be a user key: it is named only if it is made of letters and hyphens,
 * is close to a slug or given to several users, and its file swaps the two nowhere.
 */
function unknownThemes(chunks: readonly ScannedChunk[], slugs: readonly string[]): Located[] {
  const swaps = new Set(chunks.flatMap(({ file, swapped: found }) => (found === undefined ? [] : [file])));
  const themes = new Map<string, { chunk: ScannedChunk; index: number; unknown: UnknownTheme; isSwapped: boolean }>();
  for (const [index, chunk] of chunks.entries()) {
    const isSwapped = swaps.has(chunk.file);
    for (const unknown of chunk.unknown) {
      const known = themes.get(unknown.theme);
      if (known === undefined) themes.set(unknown.theme, { chunk, index, unknown: { ...unknown }, isSwapped });
      else {
        known.unknown.users += unknown.users;
        known.isSwapped ||= isSwapped;
      }
    }
  }
  return [...themes.values()].map(({ chunk, index, unknown, isSwapped }) => ({
    chunk: index,
    at: unknown,
    location: locate(chunk, unknown),
    tell: (report, location) => {
      const { theme, users } = unknown;
      const suggestion = suggest(theme, slugs);
      const isNamed =
        theme === '' || (/^ *[a-z][a-z-]* *$/i.test(theme) && !isSwapped && (suggestion !== undefined || users > 1));
      const args = { theme: isNamed ? theme : undefined, suggestion, users, swapped: 0 };
      report('mapping/unknown-theme', location, args);
    },
  }));
}
