import { existsSync } from 'node:fs';
import path from 'node:path';
import { THEME_FILE } from '../theme/themes-folder.ts';
import { type Fingerprints, takeFingerprints } from './fingerprints.ts';

/** The fingerprints of all that a build reads in the themes folder. */
export function themePrints(themesDir: string, onFile?: (file: string, identity: string) => void): Fingerprints {
  return takeFingerprints(themesDir, {
    isIgnored: (name, below) => isIgnored(name, below, themesDir),
    ...(onFile && { onFile }),
  });
}

/** Names that a build leaves out: those with a dot, but for the themes among them, which are errors. */
function isIgnored(name: string, below: string, themesDir: string): boolean {
  return name.startsWith('.') && (below !== '' || !existsSync(path.join(themesDir, name, THEME_FILE)));
}
