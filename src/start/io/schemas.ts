import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { SCHEMA_COMMENT } from '../../theme/json-schema.ts';
import type { SchemaFile } from '../../theme/themes-folder.ts';
import { displayPath, readRegularFile } from '../../disk/files.ts';
import { writableFolder } from '../../git/tracked.ts';
import { UsageError } from '../../command-line/command.ts';
import { asUsageError } from './write-new.ts';

/** Greatest size of a schema, in bytes; they have some 20,000. */
const LIMIT = 1_000_000;

/**
 * Writes the schemas that differ from what is there.
 * @returns the files that were written, as they are displayed
 * @throws {UsageError} if another program's file, or none that can be replaced, has the name of one
 */
export async function writeSchemas(folder: string, schemas: Readonly<Record<SchemaFile, string>>): Promise<string[]> {
  const written: string[] = [];
  try {
    const dir = writableFolder(folder);
    await mkdir(dir.path, { recursive: true });
    for (const [name, text] of Object.entries(schemas)) {
      const existing = await readRegularFile(dir.at(name), LIMIT);
      const isOurs = Buffer.isBuffer(existing) ? existing.includes(SCHEMA_COMMENT) : existing.problem === 'missing';
      const file = path.join(folder, name);
      if (!isOurs)
        throw new UsageError(
          `${file} was not written by themecast. Move it away, or name another folder with \`--out DIR\`.`,
        );
      if (Buffer.isBuffer(existing) && existing.toString() === text) continue;
      await dir.replace(name, text, 0o644);
      written.push(displayPath(file, process.cwd()));
    }
    return written;
  } catch (error) {
    throw asUsageError(error, folder);
  }
}
