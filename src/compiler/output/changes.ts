import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { isPublishedFolder } from '../../document/published-names.ts';
import { isEdgeFolder } from '../../hosts/edge-names.ts';
import type { FileFacts } from '../../document/output-file.ts';
import { MAX_CONCURRENT_READS, readIfFile, sha256Of } from '../../disk/files.ts';
import { listedFiles } from './file-list.ts';
import { foldersOf, foldersOfAll } from './folders.ts';
import { ourFiles } from './ownership.ts';
import { type Listing, listTree, type OutputDirectory } from './output-directory.ts';
import type { Staging, StopSignal } from './staging.ts';
import { publishError } from './publish-error.ts';

/** The steps that publish one output directory, once its new files are staged. */
export interface Change {
  directory: OutputDirectory;
  staging: string;
  /** The staged files by phase: a phase is moved only after the phase before it. */
  phases: readonly (readonly string[])[];
  /** Files to remove from the directory, and folders that may be empty then, innermost first. */
  remove: readonly string[];
  emptiedFolders: readonly string[];
  foreign: readonly string[];
  /** The digest of the list of files, if the list was made. */
  listDigest?: string | undefined;
}

export type FileToPublish = Pick<FileFacts, 'path' | 'bytes' | 'sha256'>;

/** An output directory after the last publication: the digests of its files, and its foreign files. */
export interface DirectoryState {
  files: ReadonlyMap<string, string | undefined>;
  foreign: readonly string[];
}

/**
 * Determines the changes to an output directory, and stages each file that is new or different. Nothing else changes yet.
 * @param contentOf - returns the content of a file; called only for staged files
 * @param previous - the state after the last publication, if nothing has changed since; otherwise the directory is read
 */
export async function changeOf<W extends FileToPublish>(
  directory: OutputDirectory,
  staging: Staging,
  files: Iterable<W>,
  contentOf: (file: W) => Promise<Buffer | Iterable<string>> | Buffer | Iterable<string>,
  previous: DirectoryState | undefined,
  signal?: StopSignal,
): Promise<Change> {
  const { dir, isPrivate } = directory;
  const listing = previous === undefined ? await listTree(dir) : undefined;
  const ours = listing && (await ourFiles(directory, listing, await listedFiles(directory)));
  const nextFiles = new Set<string>();
  const needed: string[] = [];
  let list: string | undefined;
  for (const file of files) {
    if (file.path === directory.list.file) list = file.sha256;
    if (
      nextFiles.size % MAX_CONCURRENT_READS === 0 &&
      (previous === undefined || nextFiles.size % FILES_PER_STOP_CHECK === 0)
    )
      await setImmediate(); // lets signals arrive
    signal?.throwIfAborted();
    nextFiles.add(file.path);
    if (listing !== undefined && ours !== undefined) checkFree(dir.path, listing, ours, file.path);
    else if (previous !== undefined && !previous.files.has(file.path))
      checkNotForeign(dir.path, previous.foreign, file.path);
    const isCurrent =
      previous === undefined
        ? listing?.has(file.path) === true && isInPlace(directory, file)
        : previous.files.get(file.path) === file.sha256;
    if (!isCurrent) needed.push(file.path);
    else if (isPrivate && previous === undefined) await dir.chmod(file.path, 0o600);
    if (!isCurrent && !staging.files.has(file.path)) await staging.add(file.path, await contentOf(file));
  }
  await staging.retainOnly(nextFiles);
  const oursBefore = ours ?? new Set(previous?.files.keys());
  const remove = [...oursBefore].filter((file) => !nextFiles.has(file));
  const isOurFolder = isPrivate ? isEdgeFolder : isPublishedFolder;
  const foreign =
    listing === undefined
      ? (previous?.foreign ?? [])
      : [...listing.keys()].filter((name) => listing.get(name) !== 'folder' && ours?.has(name) !== true);
  const usedFolders =
    remove.length === 0 && listing === undefined ? undefined : foldersOfAll([...nextFiles, ...foreign]);
  const folders =
    listing === undefined ? foldersOfAll(remove) : [...listing.keys()].filter((name) => listing.get(name) === 'folder');
  const emptiedFolders = [...folders].filter((name) => isOurFolder(name) && usedFolders?.has(name) !== true);
  return {
    directory: directory,
    staging: staging.folder,
    phases: [0, 1, 2, 3].map((phase) => needed.filter((file) => phaseOf(directory, file) === phase)),
    remove,
    emptiedFolders: emptiedFolders.toSorted((a, b) => b.length - a.length),
    foreign,
    listDigest: list,
  };
}

/** Files between two checks whether to stop the build, for a directory that is not read. */
const FILES_PER_STOP_CHECK = 1024;

/** Returns the folders in which a change moves, writes or removes files. */
export function touchedFolders({ phases, remove, emptiedFolders: emptied }: Change): Set<string> {
  return new Set([
    '',
    ...foldersOfAll([...phases.flat(), ...remove, ...emptied.map((folder) => `${folder}/.`)]),
    ...emptied,
  ]);
}

function checkNotForeign(root: string, foreign: readonly string[], file: string): void {
  if (foreign.length === 0) return;
  const listing = new Map(foreign.map((name) => [name, 'other' as const]));
  checkFree(root, listing, new Set(), file);
}

/** Returns the phase in which a file is moved: media, configs, other documents, and last the list of files. */
function phaseOf({ list }: OutputDirectory, file: string): number {
  if (file === list.file) return 3;
  return file.startsWith('media/') ? 0 : file.startsWith('api/v2/theme/config/') ? 1 : 2;
}

/** Throws a {@link ThemecastError} if a file would replace a foreign file. */
function checkFree(root: string, listing: Listing, ours: ReadonlySet<string>, file: string): void {
  const occupied = foldersOf(file).find((folder) => (listing.get(folder) ?? 'folder') !== 'folder');
  if (occupied !== undefined)
    throw publishError(`${path.join(root, occupied)} is not a folder, but a folder is needed there. Move it away.`);
  const kind = listing.get(file);
  if (kind === undefined || (kind === 'file' && ours.has(file))) return;
  throw publishError(
    `${path.join(root, file)} was not made by themecast, and a file must be published there. Move it away.`,
  );
}

/** Whether a file exists with exactly the expected bytes. */
function isInPlace({ dir }: OutputDirectory, { path: name, bytes, sha256 }: FileToPublish): boolean {
  const content = readIfFile(dir.at(name), bytes);
  return content?.length === bytes && sha256Of(content) === sha256;
}
