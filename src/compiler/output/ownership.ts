import { MAX_IMAGE_BYTES } from '../../theme/site.ts';
import { publishedMark, START_BYTES } from '../../document/published-names.ts';
import { isEdgeName } from '../../hosts/edge-names.ts';
import { readIfFile, sha256Of } from '../../disk/files.ts';
import type { ListedFiles } from './file-list.ts';
import { listTree, type Listing, type OutputDirectory } from './output-directory.ts';
import { publishError } from './publish-error.ts';

/**
 * Checks that themecast made a folder: its list of files starts as a build writes it. After a killed first build there is no list, but every file
 * is ours. Private folders get their permissions.
 * @throws {ThemecastError} if themecast did not make it
 */
export async function checkOwnership(directory: OutputDirectory): Promise<void> {
  const { dir, list, isPrivate } = directory;
  const start = await dir.readStart(list.file, START_BYTES);
  if (start === undefined || !list.start.test(start)) {
    const listing = await listTree(dir);
    const ours = await ourFiles(directory, listing, new Map());
    const foreign = [...listing].find(([name, kind]) => kind !== 'folder' && !ours.has(name));
    const name = start === undefined ? foreign?.[0] : list.file;
    if (name !== undefined)
      throw publishError(
        `${dir.path} contains files that themecast did not make, like ${name}. Empty it, or name another output folder.`,
      );
  }
  if (isPrivate && (await dir.list()).length > 0) await dir.chmod('', 0o700);
}

/**
 * Returns the files that a build made. Each has a name that builds use. In `dist/`, where other programs may use the same names, it is also in the
 * list of files, starts as a build writes it, or has the digest in its name. So a killed build leaves only files that the next one recognises, and
 * a list that came with a checkout adds no other file.
 */
export async function ourFiles(
  directory: OutputDirectory,
  listing: Listing,
  listedFiles: ListedFiles,
): Promise<ReadonlySet<string>> {
  const ours = new Set<string>();
  for (const [name, kind] of listing)
    if (kind === 'file' && (await isOurs(directory, name, listedFiles))) ours.add(name);
  return ours;
}

async function isOurs({ dir, isPrivate }: OutputDirectory, name: string, listedFiles: ListedFiles): Promise<boolean> {
  if (isPrivate) return isEdgeName(name);
  const mark = publishedMark(name);
  if (mark === undefined) return false;
  if (listedFiles.has(name)) return true;
  if ('start' in mark) return mark.start.test((await dir.readStart(name, START_BYTES)) ?? '');
  const bytes = readIfFile(dir.at(name), MAX_IMAGE_BYTES);
  return bytes !== undefined && sha256Of(bytes).startsWith(mark.digits);
}
