import path from 'node:path';
import { UsageError } from '../system/command-line/command.ts';
import { showsColours } from '../system/command-line/colours.ts';
import { type Diagnostic, Diagnostics, type Report } from '../core/diagnostics/diagnostic.ts';
import { formatText } from '../core/diagnostics/format-text.ts';
import { displayPath } from '../system/disk/files.ts';
import { compileSite, type ThemesOptions } from './compile/compile.ts';
import { linkThemes } from './link/link-themes.ts';
import type { LinkedThemes } from './model.ts';
import { withResources } from './store/resources.ts';
import { sourceText } from './source-text.ts';

/** Reads the texts of all themes in a folder; images are ignored. */
export function readThemes(options: ThemesOptions, report: Report): Promise<LinkedThemes> {
  return withResources({ themesDir: options.themesDir }, async (run) =>
    linkThemes(await compileSite({ ...options, images: false }, run, report), report),
  );
}

/** Reads the themes with their diagnostics. @throws {UsageError} if a file could not be read */
export async function readAllThemes(options: ThemesOptions): Promise<LinkedThemes & { diagnostics: Diagnostic[] }> {
  const diagnostics = new Diagnostics();
  const linked = await readThemes(options, diagnostics.report);
  refuseUnread(diagnostics);
  return { ...linked, diagnostics: diagnostics.sorted };
}

/** Throws if a file could not be read, since it must not be mistaken for a missing one. @throws {UsageError} */
export function refuseUnread({ sorted }: Pick<Diagnostics, 'sorted'>): void {
  const unread = sorted.find(({ code }) => code === 'file/unreadable');
  if (unread !== undefined) throw new UsageError(`${unread.location.file}: ${unread.message} ${unread.hint ?? ''}`);
}

/**
 * Reads the themes for a command that only needs a valid `site.yaml`; themes may have errors.
 * @param consequence - a sentence that says what cannot be done without it
 * @returns nothing if it has errors, which are printed
 */
export async function readValidSite(themesDir: string, consequence: string): Promise<LinkedThemes | undefined> {
  const cwd = process.cwd();
  const { diagnostics, ...linked } = await readAllThemes({ themesDir, cwd });
  const siteFile = displayPath(path.join(themesDir, 'site.yaml'), cwd);
  const errors = diagnostics.filter(
    ({ severity, code, location }) =>
      severity === 'error' && (location.file === siteFile || code === 'theme/folder-missing'),
  );
  if (errors.length === 0) return linked;
  printDiagnostics(errors, sourceText(linked.walk.themesDir, cwd));
  process.stdout.write(`✘ ${consequence}\n`);
  return undefined;
}

export function printDiagnostics(
  diagnostics: readonly Diagnostic[],
  textOf: (file: string) => string | undefined = () => undefined,
): void {
  process.stdout.write(formatText(diagnostics, textOf, showsColours()));
}
