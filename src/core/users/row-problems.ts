import type { Arguments, Code } from '../diagnostics/catalogue.ts';
import { type Location, place, type Report } from '../diagnostics/diagnostic.ts';
import { meantTheme } from '../theme/meant-theme.ts';
import type { RowMistakes } from './rows.ts';

/** Maximum number of diagnostics about rows: further ones repeat the same mistake. */
export const MAX_DIAGNOSTICS = 50;

/** Maximum number of unknown names of themes that are stored. */
const MAX_UNKNOWN = 1000;
/** Maximum length of a stored unknown name, in characters; a slug has at most 64. */
const MAX_UNKNOWN_LENGTH = 100;

/** A theme that does not exist, the place of its first use, and the number of its users. */
interface UnknownTheme {
  location: Location;
  isId: boolean;
  users: number;
}

/** A diagnostic, which is reported only if it is within the limit. */
interface PendingDiagnostic {
  location: Location;
  emit: (report: Report) => void;
}

/** A row that repeats another, and the first such row. */
export type Repetition = readonly [row: Location, first: Location];

/** Collects the mistakes of all users files, but stores only as many as will be reported. */
export class RowProblems implements RowMistakes {
  readonly #retained: PendingDiagnostic[] = [];
  readonly #unknown = new Map<string, UnknownTheme>();
  #more = 0;

  readonly add = <C extends Code>(code: C, location: Location, args: Arguments<C>): void => {
    if (this.#retained.length < MAX_DIAGNOSTICS) this.#retained.push(pending(code, location, args));
    else this.#more++;
  };

  readonly addUnknownTheme = (location: Location, name: string, isId: boolean): void => {
    const theme = name.slice(0, MAX_UNKNOWN_LENGTH);
    const entry = this.#unknown.get(theme);
    if (entry !== undefined) entry.users++;
    else if (this.#unknown.size < MAX_UNKNOWN) this.#unknown.set(theme, { location, isId, users: 1 });
    else this.#more++;
  };

  /**
   * Reports the first {@link MAX_DIAGNOSTICS} in the order of the files, and the number of all others.
   * @param files - the files, in the order in which they were read
   */
  report(
    files: readonly string[],
    duplicates: { first: readonly Repetition[]; more: number },
    slugs: readonly string[],
    report: Report,
  ): void {
    const order = new Map(files.map((file, index) => [file, index]));
    const candidates = [
      ...this.#retained,
      ...[...this.#unknown].map(([theme, unknown]) => pendingUnknown(theme, unknown, slugs)),
      ...duplicates.first.map(([row, first]) => pending('mapping/duplicate-user', row, { first: place(first) })),
    ].toSorted(
      ({ location: a }, { location: b }) =>
        (order.get(a.file) ?? 0) - (order.get(b.file) ?? 0) ||
        (a.start?.line ?? 0) - (b.start?.line ?? 0) ||
        (a.start?.column ?? 0) - (b.start?.column ?? 0),
    );
    const reported = candidates.slice(0, MAX_DIAGNOSTICS);
    for (const { emit } of reported) emit(report);
    const last = reported.at(-1);
    const more = candidates.length - reported.length + duplicates.more + this.#more;
    if (more > 0 && last !== undefined) report('mapping/more', { file: last.location.file }, { more });
  }
}

function isSlugLike(name: string): boolean {
  return /^[\w-]{1,64}$/.test(name);
}

function pending<C extends Code>(code: C, location: Location, args: Arguments<C>): PendingDiagnostic {
  return { location, emit: (report) => report(code, location, args) };
}

/** Returns the diagnostic of an unknown theme. Its name is only in it if several rows have it: a key of a user may be in the wrong column. */
function pendingUnknown(
  theme: string,
  { location, isId, users }: UnknownTheme,
  slugs: readonly string[],
): PendingDiagnostic {
  const emit = (report: Report): void => {
    const suggestion = isId ? undefined : meantTheme(theme, slugs);
    const name = theme.trim();
    const isNumber = /^\d+$/.test(name);
    const isSpaced = name !== theme && (isId ? isNumber : slugs.includes(name));
    report('mapping/unknown-theme', location, {
      isEmpty: name === '',
      isId,
      isNumber,
      isSpaced,
      suggestion,
      users,
      theme: users > 1 && isSlugLike(name) ? name : undefined,
    });
  };
  return { location, emit };
}
