import { existsSync } from 'node:fs';
import path from 'node:path';
import { THEME_FILE } from '../theme/themes-folder.ts';
import { type Fingerprints, takeFingerprints } from './fingerprints.ts';

/**
 * The fingerprints of all that a build reads in the themes folder.
 * @param since - fingerprints taken before, and the folder at the top that alone has changed since
 */
export function themePrints(
  themesDir: string,
  onFile?: (file: string, identity: string) => void,
  since?: { before: Fingerprints; folder: string },
): Fingerprints {
  const below = [...(since?.before.keys() ?? [])].filter((name) => name.startsWith(`${since?.folder}/`));
  return takeFingerprints(themesDir, {
    isIgnored: (name, folder) => isIgnored(name, folder, themesDir),
    ...(onFile && { onFile }),
    ...(since && { since: { before: since.before, changed: new Set(['', since.folder, ...below]) } }),
  });
}

/** Names that a build leaves out: those with a dot, but for the themes among them, which are errors. */
function isIgnored(name: string, below: string, themesDir: string): boolean {
  return name.startsWith('.') && (below !== '' || !existsSync(path.join(themesDir, name, THEME_FILE)));
}
