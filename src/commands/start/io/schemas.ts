import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { SCHEMA_COMMENT } from '../../../core/theme/json-schema.ts';
import type { SchemaFile } from '../../../core/theme/themes-folder.ts';
import { displayPath, readRegularFile } from '../../../system/disk/files.ts';
import { writableFolder } from '../../../system/disk/checkout.ts';
import { UsageError } from '../../../system/command-line/command.ts';
import { asUsageError } from './write-new.ts';

/** Limits the size of an existing schema; ours have about 20,000 bytes. */
const MAX_BYTES = 1_000_000;

/**
 * Writes new and changed schemas.
 * @returns the display paths of the written files
 * @throws {UsageError} if a foreign file has the name of a schema
 */
export async function writeSchemaFiles(
  folder: string,
  schemas: Readonly<Record<SchemaFile, string>>,
): Promise<string[]> {
  const written: string[] = [];
  try {
    const dir = writableFolder(folder);
    await mkdir(dir.path, { recursive: true });
    for (const [name, text] of Object.entries(schemas)) {
      const existing = await readRegularFile(dir.at(name), MAX_BYTES);
      const isOurs = Buffer.isBuffer(existing) ? existing.includes(SCHEMA_COMMENT) : existing.problem === 'missing';
      const file = path.join(folder, name);
      if (!isOurs) throw new UsageError(`${file} was not written by themecast: move it away.`);
      if (Buffer.isBuffer(existing) && existing.toString() === text) continue;
      await dir.replace(name, text, 0o644);
      written.push(displayPath(file, process.cwd()));
    }
    return written;
  } catch (error) {
    throw asUsageError(error, folder);
  }
}
