import type { Diagnostic } from './diagnostic.ts';
import { painter } from './paint.ts';
import { count, masked, visibleLine } from './quote.ts';

/** Returns the text of a file for code frames; undefined without text. */
export type TextOf = (file: string) => string | undefined;

/** Maximum width of a source line in a code frame, in characters. */
const FRAME_WIDTH = 120;

/** Formats diagnostics for people: location, message, code frame and hint, then a total. */
export function formatText(diagnostics: readonly Diagnostic[], textOf: TextOf, colour: boolean): string {
  if (diagnostics.length === 0) return '';
  return `${diagnosticBlocks(diagnostics, textOf, colour).join('\n\n')}\n\n${tally(diagnostics)}\n`;
}

/** Formats each diagnostic with its location, message, code frame and hint. */
export function diagnosticBlocks(diagnostics: readonly Diagnostic[], textOf: TextOf, colour: boolean): string[] {
  const paint = painter(colour);
  const split = new Map<string, string[]>();
  const linesOf = (file: string): string[] => {
    const lines = split.get(file) ?? textOf(file)?.split(/\r?\n/) ?? [];
    split.set(file, lines);
    return lines;
  };
  return diagnostics.map(({ code, severity, message, hint, location }) => {
    const place = placeText(location);
    const word = paint(severity === 'error' ? 'red' : 'yellow', severity);
    return [
      `${paint('bold', place)}  ${word}  ${message}  ${paint('dim', `[${code}]`)}`,
      ...frame(location, linesOf(location.file)).map((line) => paint('dim', line)),
      ...(hint === undefined ? [] : [`    = ${hint}`]),
    ].join('\n');
  });
}

/** Formats a location for the start of a diagnostic: `themes/meadow/theme.yaml:3:1`. */
function placeText({ file, start }: Diagnostic['location']): string {
  const name = visibleLine(file);
  return start === undefined ? name : `${name}:${start.line}:${start.column}`;
}

/** Returns a total: `2 errors, 1 warning in 2 files`. */
export function tally(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  const warnings = diagnostics.length - errors;
  const parts = [
    ...(errors > 0 ? [count(errors, 'error')] : []),
    ...(warnings > 0 ? [count(warnings, 'warning')] : []),
  ];
  const files = new Set(diagnostics.map(({ location }) => location.file)).size;
  return `${parts.join(', ')} in ${count(files, 'file')}`;
}

/** Returns the line of a diagnostic between its neighbours, with the faulty part underlined. */
function frame({ start, end }: Diagnostic['location'], lines: readonly string[]): string[] {
  if (start === undefined || lines.length === 0) return [];
  const width = String(start.line + 1).length;
  // A line may be a whole file, so the frame shows the part around the location.
  const skipped = start.column > FRAME_WIDTH ? start.column - FRAME_WIDTH / 2 : 0;
  const show = (line: number, mark: string): string[] => {
    const source = lines[line - 1];
    if (source === undefined || (source === '' && line === lines.length)) return [];
    const part = masked(source.slice(skipped, skipped + FRAME_WIDTH));
    return [`  ${mark} ${String(line).padStart(width)} │ ${part}`.trimEnd()];
  };
  const lineLength = lines[start.line - 1]?.length ?? 0;
  const until = end !== undefined && end.line === start.line ? end.column : lineLength + 1;
  const visibleEnd = Math.min(until, skipped + FRAME_WIDTH + 1);
  const underline = '^'.repeat(Math.max(1, visibleEnd - start.column));
  return [
    ...show(start.line - 1, ' '),
    ...show(start.line, '>'),
    `    ${' '.repeat(width)} │ ${' '.repeat(start.column - 1 - skipped)}${underline}`,
    ...show(start.line + 1, ' '),
  ];
}
