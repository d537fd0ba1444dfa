import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Portable } from './portable.ts';

const FOLDER = import.meta.dirname;

/** Where `scripts/golden-diff.js` wants the files themselves. */
const OUT = process.env['THEMECAST_GOLDEN_OUT'];

export const HINT =
  '`npm run golden:diff` shows the text that has changed since the last commit; `npm run golden` accepts it.';

export type Kind = 'trees' | 'cli' | 'api';

/** The golden file of a name. */
export function goldenFile(kind: Kind, name: string): string {
  return path.join(FOLDER, kind, `${name}.txt`);
}

/** The names of the golden files of a kind. */
export async function goldenNames(kind: Kind): Promise<string[]> {
  const files = await readdir(path.join(FOLDER, kind)).catch(() => []);
  return files.map((file) => file.replace(/\.txt$/, ''));
}

/** Writes the files themselves, if requested. */
export async function writeGoldenFiles(kind: Kind, name: string, files: Portable): Promise<void> {
  if (OUT === undefined) return;
  for (const [file, bytes] of files) {
    const target = path.join(OUT, kind, name, file);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, bytes);
  }
}
