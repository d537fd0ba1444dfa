import { existsSync } from 'node:fs';
import path from 'node:path';
import { THEME_FILE } from '../theme/themes-folder.ts';
import { type Fingerprints, takeFingerprints } from './fingerprints.ts';

/**
 * Returns the fingerprints of everything that a build reads in the themes folder.
 * @param since - earlier fingerprints, and the only top-level folder that has changed since
 */
export function themeFingerprints(
  themesDir: string,
  onFile?: (file: string, fingerprint: string) => void,
  since?: { before: Fingerprints; folder: string },
): Fingerprints {
  const below = [...(since?.before.keys() ?? [])].filter((name) => name.startsWith(`${since?.folder}/`));
  return takeFingerprints(themesDir, {
    isIgnored: (name, folder) => isIgnored(name, folder, themesDir),
    ...(onFile && { onFile }),
    ...(since && { since: { before: since.before, changed: new Set(['', since.folder, ...below]) } }),
  });
}

/** Whether a build ignores a name: it starts with a dot, and is no theme folder, which is an error. */
function isIgnored(name: string, below: string, themesDir: string): boolean {
  return name.startsWith('.') && (below !== '' || !existsSync(path.join(themesDir, name, THEME_FILE)));
}
