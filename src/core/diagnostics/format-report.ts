import { catalogue } from './catalogue.ts';
import type { Diagnostic, Severity } from './diagnostic.ts';
import { diagnosticBlocks, tally, type TextOf } from './format-text.ts';
import { count, visibleLine } from './quote.ts';

/** How diagnostics are printed on a terminal. */
export interface ReportStyle {
  colour: boolean;
  /** Whether every diagnostic is printed, however many there are. */
  verbose: boolean;
  /** A sentence about where to see all diagnostics. Default: the flag. */
  shownBy?: string;
  /** The folder of the themes, as in the paths of diagnostics. */
  themes: string;
}

/** Maximum number of diagnostics per code, and of names per line, without `--verbose`. */
const MAX_PER_CODE = 5;

/** Maximum number of diagnostics printed in full without `--verbose`: ten warnings fill a screen. */
const MAX_IN_FULL = { warning: 10, error: 30 };

/** Formats diagnostics for people: warnings, then errors, each with a total. If there are many, it prints a line per code. */
export function formatReport(diagnostics: readonly Diagnostic[], textOf: TextOf, style: ReportStyle): string {
  const parts = (['warning', 'error'] as const).map((severity) => {
    const all = diagnostics.filter((diagnostic) => diagnostic.severity === severity);
    if (all.length === 0) return [];
    const [inFull, summarised] = style.verbose ? [all, []] : divided(all, severity);
    const blocks = [...diagnosticBlocks(inFull, textOf, style.colour), codeLines(summarised, style.themes)];
    const more = summarised.length === 0 ? '' : `; ${style.shownBy ?? '`--verbose` prints each'}`;
    return [`${blocks.filter((block) => block !== '').join('\n\n')}\n\n${tally(all)}${more}\n`];
  });
  return parts.flat().join('\n');
}

/** Separates the diagnostics to print in full from all diagnostics of codes with too many. */
function divided(all: readonly Diagnostic[], severity: Severity): [Diagnostic[], Diagnostic[]] {
  if (all.length <= MAX_IN_FULL[severity]) return [[...all], []];
  if (severity === 'warning') return [[], [...all]];
  const counts = new Map<string, number>();
  const inFull = all.filter(({ code }) => {
    counts.set(code, (counts.get(code) ?? 0) + 1);
    return (counts.get(code) ?? 0) <= MAX_PER_CODE;
  });
  return [inFull, all.filter(({ code }) => (counts.get(code) ?? 0) > MAX_PER_CODE)];
}

/** Returns two lines for each code: `image/faint  41 themes: alder, birch, …`, and the meaning of the code. */
function codeLines(diagnostics: readonly Diagnostic[], themes: string): string {
  const codes = [...new Set(diagnostics.map(({ code }) => code))];
  const width = Math.max(0, ...codes.map((code) => code.length));
  return codes
    .map((code) => {
      const files = diagnostics.filter((diagnostic) => diagnostic.code === code).map(({ location }) => location.file);
      const names = [...new Set(files.map((file) => nameOf(file, themes)))];
      const isThemes = files.every((file) => file.startsWith(`${themes}/`) && nameOf(file, themes) !== file);
      const firstNames = names.slice(0, MAX_PER_CODE).join(', ') + (names.length > MAX_PER_CODE ? ', …' : '');
      const line = `${code.padEnd(width)}  ${count(names.length, isThemes ? 'theme' : 'file')}: ${firstNames}`;
      return `${visibleLine(line)}\n${' '.repeat(width)}  ${catalogue[code].about}`;
    })
    .join('\n');
}

/** Returns the theme of a file; outside all themes, the file. */
function nameOf(file: string, themes: string): string {
  const [, theme] = file.startsWith(`${themes}/`) ? (/^([^/]+)\//.exec(file.slice(themes.length + 1)) ?? []) : [];
  return theme ?? file;
}
