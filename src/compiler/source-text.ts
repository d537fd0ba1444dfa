import path from 'node:path';
import { readIfFile, isInside } from '../system/disk/files.ts';
import { decodeText } from '../core/source/text.ts';
import type { Diagnostic } from '../core/diagnostics/diagnostic.ts';
import { formatText } from '../core/diagnostics/format-text.ts';

/** Maximum size of a text that is shown with a diagnostic, in bytes: the limit for an SVG. */
const MAX_TEXT_BYTES = 25 * 1024 * 1024;

/**
 * Returns a function that reads files by their names in diagnostics. Files of users are excluded: a code frame would print keys, which are personal
 * data, in the log of a build.
 */
export function sourceText(themesDir: string, cwd: string) {
  const folder = path.resolve(cwd, themesDir);
  return (file: string): string | undefined => {
    const resolved = path.resolve(cwd, file);
    const isSource = /(?:\.yaml|\.svg|\/redirects\.csv)$/.test(file) && isInside(resolved, folder);
    const bytes = isSource ? readIfFile(resolved, MAX_TEXT_BYTES) : undefined;
    if (bytes === undefined || file.endsWith('.svg')) return bytes && new TextDecoder().decode(bytes);
    return decodeText({ file, bytes }, () => undefined);
  };
}

/** Options of {@link formatDiagnostics}: the folders that the diagnostics come from. */
export interface FormatOptions {
  /** Folder of the themes. */
  themesDir: string;
  /** Folder that diagnostics name files relative to. Default: the working directory. */
  cwd?: string | undefined;
}

/** Returns diagnostics as `themecast check --verbose` prints them: the place, the message, the line of the file, and what to do. */
export function formatDiagnostics(diagnostics: readonly Diagnostic[], options: FormatOptions): string {
  return formatText(diagnostics, sourceText(options.themesDir, options.cwd ?? process.cwd()), false);
}
