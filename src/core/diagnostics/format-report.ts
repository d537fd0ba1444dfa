import type { Diagnostic } from './diagnostic.ts';
import { diagnosticBlocks, tally, type TextOf } from './format-text.ts';

/** How diagnostics are printed on a terminal. */
export interface ReportStyle {
  colour: boolean;
  /** Whether every diagnostic is printed, however many there are. */
  verbose: boolean;
  /** A sentence about where to see all diagnostics. Default: the flag. */
  shownBy?: string;
}

/** Maximum number of diagnostics printed without `--verbose`: ten warnings fill a screen. */
const MAX_PRINTED = { warning: 10, error: 30 };

/** Formats diagnostics for people: warnings, then errors, each with a total. */
export function formatReport(diagnostics: readonly Diagnostic[], textOf: TextOf, style: ReportStyle): string {
  const parts = (['warning', 'error'] as const).flatMap((severity) => {
    const all = diagnostics.filter((diagnostic) => diagnostic.severity === severity);
    const printed = style.verbose ? all : all.slice(0, MAX_PRINTED[severity]);
    const more = printed.length === all.length ? '' : `; ${style.shownBy ?? '`--verbose` prints each'}`;
    const blocks = diagnosticBlocks(printed, textOf, style.colour);
    return all.length === 0 ? [] : [`${blocks.join('\n\n')}\n\n${tally(all)}${more}\n`];
  });
  return parts.join('\n');
}
