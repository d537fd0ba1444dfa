import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { SchemaFile } from '../../../core/theme/themes-folder.ts';
import { displayPath } from '../../../system/disk/files.ts';
import { writableFolder } from '../../../system/disk/checkout.ts';
import { asUsageError } from './write-new.ts';

/** Limits the size of an existing schema; ours have about 20,000 bytes. */
const MAX_BYTES = 1_000_000;

/** Writes new and changed schemas. @returns the display paths of the written files */
export async function writeSchemaFiles(
  folder: string,
  schemas: Readonly<Record<SchemaFile, string>>,
): Promise<string[]> {
  const written: string[] = [];
  try {
    const dir = writableFolder(folder);
    await mkdir(dir.path, { recursive: true });
    for (const [name, text] of Object.entries(schemas)) {
      if ((await dir.read(name, MAX_BYTES))?.toString() === text) continue;
      await dir.replace(name, text, 0o644);
      written.push(displayPath(path.join(folder, name), process.cwd()));
    }
    return written;
  } catch (error) {
    throw asUsageError(error, folder);
  }
}
