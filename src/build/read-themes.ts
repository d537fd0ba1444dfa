import path from 'node:path';
import { type Diagnostic, Diagnostics } from '../diagnostics/diagnostic.ts';
import { formatText } from '../diagnostics/format-text.ts';
import { showsColours } from '../command-line/colours.ts';
import type { Authored } from './pipeline.ts';

/** The themes folder, checked field by field, with what was found. */
export async function readThemes(themesDir: string): Promise<{ authored: Authored; diagnostics: Diagnostic[] }> {
  const { IncrementalCache } = await import('../io/incremental/incremental-cache.ts');
  const { readAuthored } = await import('./pipeline.ts');
  const diagnostics = new Diagnostics();
  const options = { themesDir, cwd: process.cwd() };
  const authored = await readAuthored(options, new IncrementalCache(), diagnostics.report);
  return { authored, diagnostics: diagnostics.sorted };
}

/**
 * The themes folder for a command that only needs a valid `site.yaml`: themes may have errors.
 * @param consequence - what cannot be done without it, as a sentence
 * @returns nothing if it has errors, which are printed
 */
export async function readValidSite(themesDir: string, consequence: string): Promise<Authored | undefined> {
  const { displayPath } = await import('../io/disk/files.ts');
  const { authored, diagnostics } = await readThemes(themesDir);
  const siteFile = displayPath(path.join(themesDir, 'site.yaml'), process.cwd());
  const errors = diagnostics.filter(
    ({ severity, code, location }) =>
      severity === 'error' && (location.file === siteFile || code === 'theme/folder-missing'),
  );
  if (errors.length === 0) return authored;
  printDiagnostics(errors, () => authored.content.site?.text);
  process.stdout.write(`✘ ${consequence}\n`);
  return undefined;
}

/** Prints diagnostics as text. */
export function printDiagnostics(
  diagnostics: readonly Diagnostic[],
  textOf: (file: string) => string | undefined = () => undefined,
): void {
  process.stdout.write(formatText(diagnostics, textOf, showsColours()));
}
