import path from 'node:path';
import { readIfFile, isInside } from '../io/disk/files.ts';
import { decodeText } from '../source/text.ts';

/** Maximum size of a text that is shown with a diagnostic, in bytes: that of an SVG. */
const LIMIT = 25 * 1024 * 1024;

/**
 * Reads the files that diagnostics point into, by the names that these use. Not those of users: their keys are personal data, and a code
 * frame would show them in the log of a build.
 */
export function sourceText(themesDir: string, cwd: string) {
  const folder = path.resolve(cwd, themesDir);
  return (file: string): string | undefined => {
    const place = path.resolve(cwd, file);
    const isSource = /(?:\.yaml|\.svg|\/redirects\.csv)$/.test(file) && isInside(place, folder);
    const bytes = isSource ? readIfFile(place, LIMIT) : undefined;
    if (bytes === undefined || file.endsWith('.svg')) return bytes && new TextDecoder().decode(bytes);
    return decodeText({ file, bytes }, () => undefined);
  };
}
