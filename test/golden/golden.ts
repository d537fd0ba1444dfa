import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Portable } from './portable.ts';

const FOLDER = import.meta.dirname;

/** The folder in which `scripts/golden-diff.js` expects the files behind the hashes. */
const FILES_FOLDER = process.env['THEMECAST_GOLDEN_OUT'];

export const UPDATE_HINT =
  '`npm run golden:diff` shows the text that has changed since the last commit; `npm run golden` accepts it.';

export type Kind = 'trees' | 'cli' | 'api';

/** Returns the path of a golden file. */
export function goldenFile(kind: Kind, name: string): string {
  return path.join(FOLDER, kind, `${name}.txt`);
}

/** Returns the names of the golden files of a kind. */
export async function goldenNames(kind: Kind): Promise<string[]> {
  const files = await readdir(path.join(FOLDER, kind)).catch(() => []);
  return files.map((file) => file.replace(/\.txt$/, ''));
}

/** Writes the files behind the hashes, if requested. */
export async function writeGoldenFiles(kind: Kind, name: string, files: Portable): Promise<void> {
  if (FILES_FOLDER === undefined) return;
  for (const [file, bytes] of files) {
    const target = path.join(FILES_FOLDER, kind, name, file);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, bytes);
  }
}
