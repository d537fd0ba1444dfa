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

type ScanProblems = Pick<Scan, 'diagnostics' | 'more' | 'unknown'>;

interface PendingDiagnostic {
  chunk: number;
  at: RowPlace;
  /** Reports the diagnostic; called only if it is within the limit. */
  emit: (report: Report, location: Location) => void;
}

/** Collects the diagnostics of all users files, but stores only as many as will be reported. */
export class UserDiagnostics {
  readonly #retained: (RowDiagnostic & { chunk: number })[] = [];
  readonly #unknown = new Map<string, UnknownTheme & { chunk: number }>();
  #more = 0;

  /** Adds the diagnostics of a chunk; chunks are added in order. */
  add(chunk: number, { diagnostics, more, unknown }: ScanProblems): void {
    const retained = diagnostics.slice(0, MAX_DIAGNOSTICS - this.#retained.length);
    this.#retained.push(...retained.map((diagnostic) => ({ ...diagnostic, chunk })));
    this.#more += more + diagnostics.length - retained.length;
    for (const theme of unknown) this.#addUnknown(chunk, theme);
  }

  #addUnknown(chunk: number, unknown: UnknownTheme): void {
    const entry = this.#unknown.get(unknown.theme);
    if (entry !== undefined) entry.users += unknown.users;
    else if (this.#unknown.size < MAX_UNKNOWN) this.#unknown.set(unknown.theme, { ...unknown, chunk });
    else this.#more += unknown.users;
  }

  /**
   * Reports the first {@link MAX_DIAGNOSTICS} in the order of the files, and the number of all others.
   * @param chunks - all chunks that were added
   * @param slugs - the slugs of all themes
   */
  report(chunks: readonly Chunk[], duplicates: Repetitions, slugs: readonly string[], report: Report): void {
    const candidates = [
      ...this.#retained.map(({ chunk, code, args, ...at }) => pending(chunk, at, code, args)),
      ...[...this.#unknown.values()].map((unknown) => pendingUnknown(unknown, slugs)),
      ...duplicates.first.map(([row, first]) =>
        pending(row.chunk, rowPlace(row), 'mapping/duplicate-user', { first: place(locateRow(chunks, first)) }),
      ),
    ].toSorted((a, b) => a.chunk - b.chunk || a.at.line - b.at.line || a.at.column - b.at.column);
    const reported = candidates.slice(0, MAX_DIAGNOSTICS);
    for (const { emit, chunk, at } of reported) emit(report, locate(chunkOf(chunks, chunk), at));
    const last = reported.at(-1);
    const more = candidates.length - reported.length + duplicates.more + this.#more;
    if (more > 0 && last !== undefined) report('mapping/more', { file: chunkOf(chunks, last.chunk).file }, { more });
  }
}

/** Returns the diagnostic of an unknown theme, without its name: a key of a user may be in the wrong column. */
function pendingUnknown(
  { chunk, theme, isId, users, ...at }: UnknownTheme & { chunk: number },
  slugs: readonly string[],
): PendingDiagnostic {
  const emit = (report: Report, location: Location): void => {
    const suggestion = isId ? undefined : meantTheme(theme, slugs);
    const name = theme.trim();
    const isNumber = /^\d+$/.test(name);
    const isSpaced = name !== theme && (isId ? isNumber : slugs.includes(name));
    report('mapping/unknown-theme', location, { isEmpty: name === '', isId, isNumber, isSpaced, suggestion, users });
  };
  return { chunk, at, emit };
}

function pending<C extends Code>(chunk: number, at: RowPlace, code: C, args: Arguments<C>): PendingDiagnostic {
  return { chunk, at, emit: (report, location) => report(code, location, args) };
}
