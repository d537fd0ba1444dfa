import { type Arguments, catalogue, type Code, type Entry } from './catalogue.ts';
import { visible } from './quote.ts';

export type { Code };
/** An error stops a build; a warning does not, unless the build is `strict`. */
export type Severity = 'error' | 'warning';

/** A place in a text file. */
export interface Position {
  /** From 1. */
  line: number;
  /** From 1, in UTF-16 code units. */
  column: number;
}

/** The location that a diagnostic points to. */
export interface Location {
  /** Relative to the working directory, with `/`. */
  file: string;
  /** The first character; absent if the diagnostic is about the whole file. */
  start?: Position;
  /** The position after the last character. */
  end?: Position;
}

/** Formats a location: `themes/users.csv:12`. */
export function place({ file, start }: Location): string {
  return start === undefined ? file : `${file}:${start.line}`;
}

/** A problem in an authored file. */
export interface Diagnostic {
  /** Permanent: a removed code never gets another meaning. */
  code: Code;
  severity: Severity;
  /** The problem in one sentence, without the location. */
  message: string;
  /** How to solve it; every error has one. */
  hint?: string;
  location: Location;
}

/** Adds a diagnostic; the code determines the arguments. */
export type Report = <C extends Code>(code: C, location: Location, args: Arguments<C>) => void;

/** Maximum number of errors, and of warnings, that are kept per file. */
const MAX_PER_FILE = 100;

/** Collects diagnostics. Of a file with many, it keeps the first, and adds a diagnostic with the number of all others. */
export class Diagnostics {
  readonly #diagnostics: Diagnostic[] = [];
  /** Diagnostics so far, by severity and file. */
  readonly #counts = new Map<string, number>();
  hasErrors = false;

  readonly report: Report = (code, location, args) => {
    const { severity } = catalogue[code];
    const key = `${severity} ${location.file}`;
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    this.hasErrors ||= severity === 'error';
    if (count <= MAX_PER_FILE) this.#diagnostics.push(diagnosticOf(code, location, args));
  };

  /** Returns a diagnostic for each truncated file and severity, with the number of diagnostics that were dropped. */
  get #more(): Diagnostic[] {
    return [...this.#counts].flatMap(([key, count]) => {
      const [severity = '', file = ''] = key.split(/ (.*)/s);
      if (count <= MAX_PER_FILE) return [];
      const more = diagnosticOf('file/more', { file }, { more: count - MAX_PER_FILE });
      return [{ ...more, severity: severity as Severity }];
    });
  }

  /** Returns the diagnostics by file, line, column and code, so that a report does not depend on the order of the work. */
  get sorted(): Diagnostic[] {
    return [...this.#diagnostics, ...this.#more].toSorted(byPlace);
  }
}

/** Compares by file, line, column, code and message. */
export function byPlace(a: Diagnostic, b: Diagnostic): number {
  return (
    compareText(a.location.file, b.location.file) ||
    (a.location.start?.line ?? 0) - (b.location.start?.line ?? 0) ||
    (a.location.start?.column ?? 0) - (b.location.start?.column ?? 0) ||
    compareText(a.code, b.code) ||
    compareText(a.message, b.message)
  );
}

export function diagnosticOf<C extends Code>(code: C, location: Location, args: Arguments<C>): Diagnostic {
  const { severity, message, hint } = catalogue[code] as Entry<unknown>;
  const action = hint?.(args);
  // Arguments come from files: whatever a message does with them, the result is one line that is safe to print.
  const texts = { message: visible(message(args)), ...(action === undefined ? {} : { hint: visible(action) }) };
  return { code, severity, ...texts, location };
}

/** Compares by UTF-16 unit: the order is the same in every locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
