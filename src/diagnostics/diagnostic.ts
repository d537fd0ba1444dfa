import { type Arguments, catalogue, type Code, type Entry } from './catalogue.ts';

export type { Code };
export type Severity = 'error' | 'warning';

/** A place in a text file; line and column count from 1, columns in UTF-16 units. */
export interface Position {
  line: number;
  column: number;
}

/** Where a diagnostic points; `file` is relative to the working directory, with `/`. A whole file has no `start`. */
export interface Location {
  file: string;
  start?: Position;
  end?: Position;
}

/** One finding in the authored content. */
export interface Diagnostic {
  code: Code;
  severity: Severity;
  message: string;
  hint?: string;
  location: Location;
}

/** Adds a diagnostic; the code decides which arguments its message needs. */
export type Report = <C extends Code>(code: C, location: Location, args: Arguments<C>) => void;

/** Collects what the stages report. */
export class Diagnostics {
  readonly #found: Diagnostic[] = [];

  readonly report: Report = (code, location, args) => {
    const { severity, message, hint } = catalogue[code] as Entry<unknown>;
    const action = hint?.(args);
    this.#found.push({
      code,
      severity,
      message: message(args),
      ...(action === undefined ? {} : { hint: action }),
      location,
    });
  };

  get hasErrors(): boolean {
    return this.#found.some(({ severity }) => severity === 'error');
  }

  /** By file, line, column and code, whatever order they were found in. */
  get sorted(): Diagnostic[] {
    return this.#found.toSorted(
      (a, b) =>
        compareText(a.location.file, b.location.file) ||
        (a.location.start?.line ?? 0) - (b.location.start?.line ?? 0) ||
        (a.location.start?.column ?? 0) - (b.location.start?.column ?? 0) ||
        compareText(a.code, b.code) ||
        compareText(a.message, b.message),
    );
  }
}

/** Order by UTF-16 unit: the same in every locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
