import type { Diagnostic } from './diagnostic.ts';
import { visible } from './quote.ts';

/** Formats diagnostics for programs: one object with `version`, `diagnostics` and a summary. */
export function formatJson(diagnostics: readonly Diagnostic[], summary: object): string {
  return printedJson({ version: 1, ...summary, diagnostics });
}

/** Formats a value as JSON that is safe to print: the escapes of {@link visible} are valid in JSON too. */
export function printedJson(value: object): string {
  const lines = JSON.stringify(value, null, 2).split('\n');
  return lines.map((line) => `${visible(line)}\n`).join('');
}
