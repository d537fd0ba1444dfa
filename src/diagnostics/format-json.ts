import type { Diagnostic } from './diagnostic.ts';
import { visible } from './quote.ts';

/** Diagnostics for programs: one object with `version`, `diagnostics` and a summary. */
export function formatJson(diagnostics: readonly Diagnostic[], summary: object): string {
  const lines = JSON.stringify({ version: 1, ...summary, diagnostics }, null, 2).split('\n');
  return lines.map((line) => `${visible(line)}\n`).join(''); // the escapes are those of JSON
}
