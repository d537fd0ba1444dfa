import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { clientFileProblem, type ClientSources } from '../client-file.ts';
import { readRegularFile } from '../../io/disk/files.ts';
import { checkoutOf, writableFolder } from '../../io/disk/tracked.ts';
import { ownVersion, readPackageFile } from './package-files.ts';
import { asScaffoldError, ScaffoldError } from './write-new.ts';

/** Greatest size of a file that is compared, in bytes; the client has some 12,000. */
const LIMIT = 1_000_000;

/** What the package brings for the client. */
export function readClientSources(): ClientSources {
  const [types, client] = [readPackageFile('src/client/types.ts'), readPackageFile('src/client/client.ts')];
  return { types, client, licence: readPackageFile('LICENSE'), version: ownVersion() };
}

/**
 * The text of a file; nothing if there is none, and an empty text for one that themecast cannot have written.
 * @throws {ScaffoldError} for anything but a regular file, and for links on the way
 */
export async function readClientFile(file: string): Promise<string | undefined> {
  const dir = writableFolder(path.dirname(file));
  try {
    const existing = await readRegularFile(dir.at(path.basename(file)), LIMIT);
    if (Buffer.isBuffer(existing)) return existing.toString();
    if (existing.problem === 'missing') return undefined;
    if (existing.problem === 'too-large') return '';
    if (existing.problem === 'unreadable') throw existing.error;
    throw new ScaffoldError(`${file} is not a regular file. Move it away, or name another with \`--out FILE\`.`);
  } catch (error) {
    throw asScaffoldError(error, file);
  }
}

/** The nearest folder above this one, as a relative path, in which the same relative path is a client; nothing above the checkout. */
export async function sameFileAbove(file: string): Promise<string | undefined> {
  if (path.isAbsolute(file)) return undefined;
  const top = checkoutOf(process.cwd());
  if (top === undefined) return undefined;
  for (let folder = process.cwd(); folder !== top && folder !== path.dirname(folder);) {
    folder = path.dirname(folder);
    const found = await readClientFile(path.join(folder, file)).catch(() => undefined);
    if (found !== undefined && clientFileProblem(found, '') !== 'foreign') return path.relative(process.cwd(), folder);
  }
  return undefined;
}

/**
 * Writes the client.
 * @param force - whether to replace a file that themecast did not write
 * @returns whether the file has changed
 * @throws {ScaffoldError}
 */
export async function writeClientFile(file: string, text: string, force: boolean): Promise<boolean> {
  const found = await readClientFile(file);
  if (found === text) return false;
  const problem = clientFileProblem(found, text);
  if (!force && (problem === 'foreign' || problem === 'edited'))
    throw new ScaffoldError(
      `${file} ${problem === 'edited' ? 'has been edited since' : 'was not written by'} \`themecast client\`${problem === 'edited' ? ' wrote it' : ''}. Name another file with \`--out FILE\`, or replace it with \`--force\`.`,
    );
  const dir = writableFolder(path.dirname(file));
  try {
    await mkdir(dir.path, { recursive: true });
    dir.store(path.basename(file), text, 0o644);
  } catch (error) {
    throw asScaffoldError(error, file);
  }
  return true;
}
