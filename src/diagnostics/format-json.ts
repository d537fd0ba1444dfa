import type { Diagnostic } from './diagnostic.ts';

/** Diagnostics for programs: one object with `version`, `diagnostics` and a summary. */
export function formatJson(diagnostics: readonly Diagnostic[], summary: object): string {
  return `${JSON.stringify({ version: 1, ...summary, diagnostics }, null, 2)}\n`;
}
