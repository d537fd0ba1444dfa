import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { SCHEMA_COMMENT } from '../../theme/json-schema.ts';
import type { SchemaFile } from '../../theme/themes-folder.ts';
import { displayPath, errorCode, readRegularFile, systemReason } from '../../io/disk/files.ts';
import { ContainmentError } from '../../io/disk/contained-folder.ts';
import { writableFolder } from '../../io/disk/tracked.ts';
import { UsageError } from '../../command-line/command.ts';

/** Greatest size of a schema, in bytes; they have some 20,000. */
const LIMIT = 1_000_000;

/**
 * Writes the schemas that differ from what is there.
 * @returns the files that were written, as they are displayed
 * @throws {UsageError} if another program's file, or none that can be replaced, has the name of one; then nothing is written
 */
export async function writeSchemas(folder: string, schemas: Readonly<Record<SchemaFile, string>>): Promise<string[]> {
  try {
    const dir = writableFolder(folder);
    await mkdir(dir.path, { recursive: true });
    const outdated = [];
    for (const [name, text] of Object.entries(schemas)) {
      const existing = await readRegularFile(dir.at(name), LIMIT);
      const isOurs = Buffer.isBuffer(existing) ? existing.includes(SCHEMA_COMMENT) : existing.problem === 'missing';
      const file = path.join(folder, name);
      if (!isOurs)
        throw new UsageError(
          `${file} was not written by themecast. Move it away, or name another folder with \`--out DIR\`.`,
        );
      if (!Buffer.isBuffer(existing) || existing.toString() !== text) outdated.push({ name, text, file });
    }
    for (const { name, text } of outdated) await dir.replace(name, text, 0o644);
    return outdated.map(({ file }) => displayPath(file, process.cwd()));
  } catch (error) {
    if (error instanceof ContainmentError) throw new UsageError(error.message, { cause: error });
    if (errorCode(error) === undefined) throw error;
    throw new UsageError(`${folder} cannot be written: ${systemReason(error)}.`, { cause: error });
  }
}
