import path from 'node:path';
import { type Diagnostic, Diagnostics } from '../diagnostics/diagnostic.ts';
import { UsageError } from '../command-line/command.ts';
import { formatText } from '../diagnostics/format-text.ts';
import { showsColours } from '../command-line/colours.ts';
import { readBytes } from '../io/disk/files.ts';
import { nextId } from '../theme/next-id.ts';
import { TEXT_LIMIT } from '../theme/themes-folder.ts';
import type { Authored } from './pipeline.ts';

/** The themes folder, checked field by field, with what was found. */
export async function readThemes(themesDir: string): Promise<{ authored: Authored; diagnostics: Diagnostic[] }> {
  const { IncrementalCache } = await import('../io/incremental/incremental-cache.ts');
  const { readAuthored } = await import('./pipeline.ts');
  const diagnostics = new Diagnostics();
  const options = { themesDir, cwd: process.cwd() };
  const authored = await readAuthored(options, new IncrementalCache(), diagnostics.report);
  refuseUnread(diagnostics);
  return { authored, diagnostics: diagnostics.sorted };
}

/** @throws {UsageError} if a file could not be read: nothing may rest on that it is missing */
export function refuseUnread({ sorted }: Pick<Diagnostics, 'sorted'>): void {
  const unread = sorted.find(({ code }) => code === 'file/unreadable');
  if (unread !== undefined) throw new UsageError(`${unread.location.file}: ${unread.message} ${unread.hint ?? ''}`);
}

/** The next free id. Themes that cannot be parsed have ids, too. */
export function freeId({ content, sources }: Authored): number {
  const texts = content.themes.map(({ path: file }) => {
    const read = readBytes(file, TEXT_LIMIT);
    if ('problem' in read && read.problem === 'unreadable') throw read.error;
    return 'problem' in read ? '' : read.bytes.toString();
  });
  return nextId(texts, sources);
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
