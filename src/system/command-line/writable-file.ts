import { accessSync, constants, lstatSync } from 'node:fs';
import path from 'node:path';
import { plantedLink } from '../disk/checkout.ts';
import { UsageError } from './command.ts';

/** Rejects a file that cannot be written, before the work for it is done. */
export function checkWritable(flag: string, file: string): void {
  const folder = path.dirname(file);
  const link = plantedLink(file);
  if (link !== undefined)
    throw new UsageError(
      `${flag}: ${link} is a link, and links are not followed to write. Remove it, or name another file.`,
    );
  // Writing to a named pipe would wait for a reader.
  const isSpecial = lstatSync(file, { throwIfNoEntry: false })?.isFile() === false;
  if (isSpecial) throw new UsageError(`${flag}: \`${file}\` is not a regular file. Name another.`);
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    throw new UsageError(
      `${flag}: \`${file}\` cannot be written: there is no folder \`${folder}\` that you may write to.`,
    );
  }
}
