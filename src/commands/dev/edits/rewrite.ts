import { randomUUID } from 'node:crypto';
import { accessSync, constants, lstatSync } from 'node:fs';
import { chown } from 'node:fs/promises';
import path from 'node:path';
import { errorCode, readRegularFile, systemReason } from '../../../system/disk/files.ts';
import { type ContainedFolder, ContainmentError } from '../../../system/disk/contained-folder.ts';

/** A file cannot be changed; the message says why. */
export class RewriteError extends Error {}

/**
 * Replaces the bytes of a regular file if they are still the expected ones. A reader gets the old bytes or the new ones, complete; owner and
 * permissions stay.
 * @param name - below the folder; links are not followed
 * @throws {RewriteError}
 */
export async function rewrite(folder: ContainedFolder, name: string, before: Buffer, after: Buffer): Promise<void> {
  const partial = path.posix.join(path.posix.dirname(name), `.${path.posix.basename(name)}.${randomUUID()}`);
  try {
    const file = folder.at(name);
    const stats = lstatSync(file);
    accessSync(file, constants.W_OK);
    await folder.create(partial, after, stats.mode & 0o777);
    await folder.chmod(partial, stats.mode & 0o777);
    const created = lstatSync(folder.at(partial));
    if (created.uid !== stats.uid || created.gid !== stats.gid)
      await chown(folder.at(partial), stats.uid, stats.gid).catch(() => undefined); // only root may change the owner
    const present = await readRegularFile(file, before.length);
    if (!Buffer.isBuffer(present) || !present.equals(before))
      throw new RewriteError('it has changed since it was read');
    await folder.rename(partial, name);
  } catch (error) {
    await folder.remove(partial).catch(() => undefined);
    if (error instanceof RewriteError) throw error;
    if (error instanceof ContainmentError) throw new RewriteError(error.message, { cause: error });
    if (errorCode(error) === undefined) throw error;
    throw new RewriteError(`it cannot be written: ${systemReason(error)}`, { cause: error });
  }
}
