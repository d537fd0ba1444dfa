import { type Code, type Diagnostic, Diagnostics, type Report } from '../../src/core/diagnostics/diagnostic.ts';

/** Returns the diagnostics that a function reports. */
export function diagnosticsOf(run: (report: Report) => unknown): Diagnostic[] {
  const diagnostics = new Diagnostics();
  run(diagnostics.report);
  return diagnostics.sorted;
}

/** Returns diagnostics as `code line:column-column`, short enough to compare. */
export function placesOf(run: (report: Report) => unknown): string[] {
  return diagnosticsOf(run).map(({ code, location: { start, end } }) =>
    start === undefined ? code : `${code} ${start.line}:${start.column}-${end?.column}`,
  );
}

/** Returns an example of a diagnostic. */
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
