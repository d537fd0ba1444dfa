import { createHash } from 'node:crypto';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { isPublishedFolder } from '../../document/published-names.ts';
import { isEdgeFolder } from '../../hosts/edge-names.ts';
import { type OutputFile, partsOf, type PrivateFile } from '../../document/output-file.ts';
import { READERS, readIfFile, sha256Of } from '../disk/files.ts';
import { ChangedError, type FileHashes } from '../incremental/file-hashes.ts';
import { type ListedFiles, listedFiles } from './file-list.ts';
import { foldersOf, foldersOfAll } from './folders.ts';
import { ownFiles } from './ownership.ts';
import { type Listing, listTree, type Tree } from './places.ts';
import { PublishError } from './publish-error.ts';
import type { Staging, StopSignal } from './staging.ts';

/** What is to be done to publish one tree, once its new files are staged. */
export interface Change {
  tree: Tree;
  /** The folder of the staged files. */
  staging: string;
  /** The staged files: those of a phase are before one of the next is moved. */
  phases: readonly (readonly string[])[];
  /** Files to remove, below the folder of the tree, and folders that may be empty then, the innermost first. */
  remove: readonly string[];
  emptied: readonly string[];
  /** Files in the output that themecast did not make. */
  foreign: readonly string[];
}

/**
 * Finds out what changes in a tree, and stages each file that is not in its place; nothing else is changed yet.
 * @param isIntact - whether the tree is as the last build left it, so that its list says what is in it
 * @param hashes - hashes of files that are copied
 */
export async function changeOf(
  tree: Tree,
  staging: Staging,
  files: Iterable<OutputFile | PrivateFile>,
  { isIntact, hashes }: { isIntact: boolean; hashes: FileHashes },
  signal?: StopSignal,
): Promise<Change> {
  const { dir, isPrivate } = tree;
  const listing = await listTree(dir);
  const listed = await listedFiles(tree);
  const ours = await ownFiles(tree, listing, listed);

  const named = new Set<string>();
  const needed: string[] = [];
  for (const file of files) {
    if (named.size % READERS === 0) await setImmediate(); // signals arrive meanwhile
    signal?.throwIfAborted();
    checkFree(dir.path, listing, ours, file.path);
    named.add(file.path);
    const isThere = listing.has(file.path) && isInPlace(tree, file, isIntact ? listed : undefined);
    if (!isThere) needed.push(file.path);
    else if (isPrivate) await dir.chmod(file.path, 0o600);
    if (!isThere && !staging.files.has(file.path)) await staging.add(file.path, contentOf(file, hashes));
  }

  await staging.keepOnly(named);
  const remove = [...ours].filter((file) => !named.has(file));
  const isOwnFolder = isPrivate ? isEdgeFolder : isPublishedFolder;
  const foreign = [...listing.keys()].filter((name) => listing.get(name) !== 'folder' && !ours.has(name));
  const used = foldersOfAll([...named, ...foreign]);
  const emptied = [...listing.keys()].filter(
    (name) => listing.get(name) === 'folder' && isOwnFolder(name) && !used.has(name),
  );
  return {
    tree,
    staging: staging.folder,
    phases: [0, 1, 2, 3].map((phase) => needed.filter((file) => phaseOf(tree, file) === phase)),
    remove,
    emptied: emptied.toSorted((a, b) => b.length - a.length),
    foreign: foreign.map((name) => path.join(dir.path, name)),
  };
}

/** The order in which files are moved in: media, configs, the list and the rest, and last the list of files. */
function phaseOf({ list }: Tree, file: string): number {
  if (file === list.file) return 3;
  return file.startsWith('media/') ? 0 : file.startsWith('api/v2/theme/config/') ? 1 : 2;
}

/** Throws a {@link PublishError} if a file would take the place of something that themecast did not make. */
function checkFree(root: string, listing: Listing, ours: ReadonlySet<string>, file: string): void {
  const occupied = foldersOf(file).find((folder) => (listing.get(folder) ?? 'folder') !== 'folder');
  if (occupied !== undefined)
    throw new PublishError(`${path.join(root, occupied)} is not a folder, but a folder is needed there. Move it away.`);
  const kind = listing.get(file);
  if (kind === undefined || (kind === 'file' && ours.has(file))) return;
  throw new PublishError(
    `${path.join(root, file)} was not made by themecast, and a file must be published there. Move it away.`,
  );
}

/**
 * Whether a file is there with the very bytes.
 * @param listed - the hashes of the files of a tree that is intact; others are read
 */
function isInPlace({ dir }: Tree, file: OutputFile | PrivateFile, listed: ListedFiles | undefined): boolean {
  const { bytes, sha256 } = 'sha256' in file ? file : measured(file);
  const known = listed?.get(file.path);
  if (known !== undefined) return known === sha256;
  const found = readIfFile(dir.at(file.path), bytes);
  return found?.length === bytes && sha256Of(found) === sha256;
}

/** Size and hash of a private file. */
function measured(file: PrivateFile): { bytes: number; sha256: string } {
  const hash = createHash('sha256');
  let bytes = 0;
  for (const part of partsOf(file)) {
    hash.update(part);
    bytes += Buffer.byteLength(part);
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** What is written; of a copy, only the bytes that were checked. */
function contentOf(file: OutputFile | PrivateFile, hashes: FileHashes): Buffer | Iterable<string> {
  const { path: shown, content } = file;
  if (!('copyOf' in content)) return partsOf(file);
  const { bytes, sha256 } = file as OutputFile;
  // Not a link, even to a file of the cache: its times are those of its last use, and a program that writes to one would write to both.
  const found = hashes.contentOf(content.copyOf, bytes);
  try {
    if (!('problem' in found) && found.sha256 === sha256) return found.bytes();
  } catch (error) {
    if (!(error instanceof ChangedError)) throw error;
  }
  throw new PublishError(`${shown} changed while the build ran. Build again.`);
}
