import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { isPublishedFolder } from '../../document/published-names.ts';
import { isEdgeFolder } from '../../hosts/edge-names.ts';
import type { FileFacts } from '../../document/output-file.ts';
import { READERS, readIfFile, sha256Of } from '../../disk/files.ts';
import { listedFiles } from './file-list.ts';
import { foldersOf, foldersOfAll } from './folders.ts';
import { ownFiles } from './ownership.ts';
import { type Listing, listTree, type Tree } from './places.ts';
import type { Staging, StopSignal } from './staging.ts';
import { publishError } from './publish-error.ts';

/** The steps that publish one tree, once its new files are staged. */
export interface Change {
  tree: Tree;
  /** The folder of the staged files. */
  staging: string;
  /** The staged files: those of a phase are before one of the next is moved. */
  phases: readonly (readonly string[])[];
  /** Files to remove, below the folder of the tree, and folders that may be empty then, the innermost first. */
  remove: readonly string[];
  emptied: readonly string[];
  /** Files below the folder of the tree that themecast did not make. */
  foreign: readonly string[];
  /** The hash of the list of files, if it was made. */
  list?: string | undefined;
}

/** A file that is wanted in a tree. */
export type Wanted = Pick<FileFacts, 'path' | 'bytes' | 'sha256'>;

/** A tree as the last publication left it: the hashes of its files, and those in it that themecast did not make. */
export interface LeftTree {
  files: ReadonlyMap<string, string | undefined>;
  foreign: readonly string[];
}

/**
 * Finds out what changes in a tree, and stages each file that is not in its place; nothing else is changed yet.
 * @param contentOf - what is written to a file, only asked for if it is
 * @param left - what is in the tree, if it is as the last publication left it; otherwise all of it is read
 */
export async function changeOf<W extends Wanted>(
  tree: Tree,
  staging: Staging,
  files: Iterable<W>,
  contentOf: (file: W) => Promise<Buffer | Iterable<string>> | Buffer | Iterable<string>,
  left: LeftTree | undefined,
  signal?: StopSignal,
): Promise<Change> {
  const { dir, isPrivate } = tree;
  const listing = left === undefined ? await listTree(dir) : undefined;
  const ours = listing && (await ownFiles(tree, listing, await listedFiles(tree)));
  const named = new Set<string>();
  const needed: string[] = [];
  let list: string | undefined;
  for (const file of files) {
    if (file.path === tree.list.file) list = file.sha256;
    if (named.size % READERS === 0 && (left === undefined || named.size % MANY === 0)) await setImmediate(); // signals arrive meanwhile
    signal?.throwIfAborted();
    named.add(file.path);
    if (listing !== undefined && ours !== undefined) checkFree(dir.path, listing, ours, file.path);
    else if (left !== undefined && !left.files.has(file.path)) checkNotForeign(dir.path, left.foreign, file.path);
    const isThere =
      left === undefined
        ? listing?.has(file.path) === true && isInPlace(tree, file)
        : left.files.get(file.path) === file.sha256;
    if (!isThere) needed.push(file.path);
    else if (isPrivate && left === undefined) await dir.chmod(file.path, 0o600);
    if (!isThere && !staging.files.has(file.path)) await staging.add(file.path, await contentOf(file));
  }
  await staging.keepOnly(named);
  const before = ours ?? new Set(left?.files.keys());
  const remove = [...before].filter((file) => !named.has(file));
  const isOwnFolder = isPrivate ? isEdgeFolder : isPublishedFolder;
  const foreign =
    listing === undefined
      ? (left?.foreign ?? [])
      : [...listing.keys()].filter((name) => listing.get(name) !== 'folder' && ours?.has(name) !== true);
  const used = remove.length === 0 && listing === undefined ? undefined : foldersOfAll([...named, ...foreign]);
  const folders =
    listing === undefined ? foldersOfAll(remove) : [...listing.keys()].filter((name) => listing.get(name) === 'folder');
  const emptied = [...folders].filter((name) => isOwnFolder(name) && used?.has(name) !== true);
  return {
    tree,
    staging: staging.folder,
    phases: [0, 1, 2, 3].map((phase) => needed.filter((file) => phaseOf(tree, file) === phase)),
    remove,
    emptied: emptied.toSorted((a, b) => b.length - a.length),
    foreign,
    list,
  };
}

/** Files between two looks at whether the build is to stop, of a tree that is not read. */
const MANY = 1024;

/** The folders in which a change moves, writes or removes anything. */
export function touchedFolders({ phases, remove, emptied }: Change): Set<string> {
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

/** The order in which files are moved in: media, configs, the list and the rest, and last the list of files. */
function phaseOf({ list }: Tree, file: string): number {
  if (file === list.file) return 3;
  return file.startsWith('media/') ? 0 : file.startsWith('api/v2/theme/config/') ? 1 : 2;
}

/** Throws a {@link ThemecastError} if a file would take the place of something that themecast did not make. */
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

/** Whether a file is there with the very bytes. */
function isInPlace({ dir }: Tree, { path: name, bytes, sha256 }: Wanted): boolean {
  const found = readIfFile(dir.at(name), bytes);
  return found?.length === bytes && sha256Of(found) === sha256;
}
