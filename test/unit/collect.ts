import { type Code, type Diagnostic, Diagnostics, type Report } from '../../src/diagnostics/diagnostic.ts';

/** What a function reports. */
export function findings(run: (report: Report) => unknown): Diagnostic[] {
  const diagnostics = new Diagnostics();
  run(diagnostics.report);
  return diagnostics.sorted;
}

/** The findings as `code line:column-column`, short enough to compare. */
export function places(run: (report: Report) => unknown): string[] {
  return findings(run).map(({ code, location: { start, end } }) =>
    start === undefined ? code : `${code} ${start.line}:${start.column}-${end?.column}`,
  );
}

/** A diagnostic written by hand. */
export function diagnostic(parts: Partial<Diagnostic> = {}): Diagnostic {
  return {
    code: 'field/unknown' satisfies Code,
    severity: 'error',
    message: 'Unknown field `lgoo`.',
    hint: 'Did you mean `logo`?',
    location: { file: 'themes/a/theme.yaml', start: { line: 2, column: 1 }, end: { line: 2, column: 5 } },
    ...parts,
  };
}
