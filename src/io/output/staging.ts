import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { OutputFile, PrivateFile } from '../../document/output-file.ts';
import { mapConcurrently } from '../concurrency.ts';
import type { ContainedFolder } from '../disk/contained-folder.ts';
import { errorCode, READERS } from '../disk/files.ts';
import { ChangedError, type FileHashes } from '../incremental/file-hashes.ts';
import { foldersOfAll, makeFolders, prepare, syncFolders } from './folders.ts';
import type { Begun } from './history.ts';
import type { Listing, Tree } from './places.ts';
import { PublishError } from './publish-error.ts';

/** What can stop a build, such as an `AbortSignal`. */
export interface StopSignal {
  /** Throws the reason once the build is to stop. */
  throwIfAborted(): void;
}

/** A file as it is to be published. */
export interface Wanted {
  path: string;
  bytes: number;
  sha256: string;
  content: (OutputFile | PrivateFile)['content'];
}

/** What is to be done to publish one tree. */
export interface Change {
  tree: Tree;
  /** The files that are not in their places: those of a phase are before one of the next is moved. */
  phases: readonly (readonly Wanted[])[];
  /** Files that go, below the folder of the tree, and folders that may be empty then. */
  remove: readonly string[];
  emptied: readonly string[];
  /** What has to be known of it while it is under way. */
  begun: Begun;
  /** Files in the output that themecast did not make. */
  foreign: readonly string[];
}

/** A file with its size and hash, which private ones do not have yet. */
export function measured(file: OutputFile | PrivateFile): Wanted {
  if ('sha256' in file) return file;
  const parts = 'parts' in file.content ? file.content.parts() : [file.content.text];
  const hash = createHash('sha256');
  let bytes = 0;
  for (const part of parts) {
    hash.update(part);
    bytes += Buffer.byteLength(part);
  }
  return { ...file, bytes, sha256: hash.digest('hex') };
}

/** Throws a {@link PublishError} if a file would take the place of something that themecast did not make. */
export function checkFree(
  root: string,
  listing: Listing,
  isOwn: (file: string) => boolean,
  files: readonly Wanted[],
): void {
  for (const folder of foldersOfAll(files)) {
    if ((listing.get(folder) ?? 'folder') !== 'folder')
      throw new PublishError(`${path.join(root, folder)} is not a folder, but a folder is needed there. Move it away.`);
  }
  for (const { path: name } of files) {
    const kind = listing.get(name);
    if (kind === undefined || (kind === 'file' && isOwn(name))) continue;
    throw new PublishError(
      `${path.join(root, name)} was not made by themecast, and a file must be published there. Move it away.`,
    );
  }
}

/**
 * Writes files below `staging`, so that all that is left to do is to rename them.
 * @param early - hashes of those of the public tree that are there already, by path
 */
export async function stage(
  tree: Tree,
  staging: string,
  written: readonly Wanted[],
  early: ReadonlyMap<string, string>,
  hashes: FileHashes,
  signal: StopSignal | undefined,
): Promise<void> {
  if (written.length === 0) return;
  const { dir, isPrivate } = tree;
  const paths = written.map((file) => file.path);
  await prepare(tree, staging, paths);
  for (const [index, file] of written.entries()) {
    if (!isPrivate && early.get(file.path) === file.sha256) continue;
    if (index % READERS === 0) await setImmediate(); // signals arrive meanwhile
    signal?.throwIfAborted();
    const target = path.posix.join(staging, file.path);
    await create(dir, target, file, isPrivate ? 0o600 : 0o644, hashes);
    if (isPrivate) await dir.chmod(target, 0o600);
  }
  await flush(dir, staging, paths);
}

/** The files that are not in their places yet. Of private ones that are, the permissions are restored. */
export async function missingFiles(
  { dir, isPrivate }: Tree,
  files: readonly Wanted[],
  listing: Listing,
  hashes: FileHashes,
): Promise<Wanted[]> {
  const missing: Wanted[] = [];
  for (const file of files) {
    if (!listing.has(file.path) || !isSame(dir, file.path, file, hashes)) missing.push(file);
    else if (isPrivate) await dir.chmod(file.path, 0o600);
  }
  return missing;
}

/** Moves staged files into their places, phase by phase; new folders whole, if no other phase has files in them. */
export async function moveIn({ tree: { dir, isPrivate }, phases }: Change, staging: string): Promise<void> {
  for (const phase of phases) {
    const others = foldersOfAll(phases.filter((other) => other !== phase).flat());
    const moved = new Set<string>();
    for (const folder of foldersOfAll(phase)) {
      if (others.has(folder)) continue;
      const isMoved = moved.has(path.posix.dirname(folder)) || (await moveFolder(dir, staging, folder, isPrivate));
      if (isMoved) moved.add(folder);
    }
    const files = phase.flatMap((file) => (moved.has(path.posix.dirname(file.path)) ? [] : [file.path]));
    await makeFolders(dir, '', files, isPrivate);
    await mapConcurrently(files, READERS, (file) => dir.rename(path.posix.join(staging, file), file));
    await syncFolders(dir, '', [...files, ...moved]);
  }
}

/** Moves a staged folder into its place, if nothing is there: renaming replaces no file, no link and no folder that holds anything. */
async function moveFolder(dir: ContainedFolder, staging: string, folder: string, isPrivate: boolean): Promise<boolean> {
  if (lstatSync(dir.at(folder), { throwIfNoEntry: false }) !== undefined) return false;
  await makeFolders(dir, '', [folder], isPrivate);
  return dir.rename(path.posix.join(staging, folder), folder).then(
    () => true,
    (error: unknown) => {
      if (/^(?:ENOTEMPTY|EEXIST|ENOTDIR)$/.test(errorCode(error) ?? '')) return false;
      throw error;
    },
  );
}

/** Removes files, and the folders that are empty then. */
export async function removeFiles({ tree: { dir }, remove, emptied }: Change): Promise<void> {
  await mapConcurrently(remove, READERS, (file) => dir.remove(file));
  for (const name of emptied) {
    await dir.removeFolder(name).catch((error: unknown) => {
      if (!/^(?:ENOTEMPTY|EEXIST|ENOENT)$/.test(errorCode(error) ?? '')) throw error;
    });
  }
}

/** Whether a file is there with the very bytes. */
function isSame(dir: ContainedFolder, name: string, file: Wanted, hashes: FileHashes): boolean {
  try {
    return hashes.isSame(dir.at(name), file);
  } catch {
    return false; // Then it is written, and that says what is wrong.
  }
}

/** Writes a new file; of a copy, only the bytes that were checked. */
async function create(
  dir: ContainedFolder,
  name: string,
  { path: shown, content, ...file }: Wanted,
  mode: number,
  hashes: FileHashes,
): Promise<void> {
  const unflushed = { flush: false };
  if ('text' in content) return dir.create(name, content.text, mode, unflushed);
  if ('parts' in content) return dir.create(name, content.parts(), mode, unflushed);
  // Not a link, even to a file of the cache: its times are those of its last use, and a program that writes to one would write to both.
  const found = hashes.contentOf(content.copyOf, file.bytes);
  try {
    if (!('problem' in found) && found.sha256 === file.sha256)
      return await dir.create(name, found.bytes(), mode, unflushed);
  } catch (error) {
    if (!(error instanceof ChangedError)) throw error;
  }
  throw new PublishError(`${shown} changed while the build ran. Build again.`);
}

/**
 * Has staged files survive a power cut: many by one `sync -f` (coreutils), which flushes their whole file system; a few, or where that
 * program is missing or fails, one by one.
 */
async function flush(dir: ContainedFolder, staging: string, files: readonly string[]): Promise<void> {
  if (files.length >= MANY_FILES && (await isSynced(dir.at(staging)))) return;
  await mapConcurrently(files, READERS, (file) => dir.sync(path.posix.join(staging, file)));
  await syncFolders(dir, staging, files);
}

/** Files from which on one `sync -f` is cheaper: it also flushes what other programs wrote. */
const MANY_FILES = 100;

async function isSynced(folder: string): Promise<boolean> {
  return new Promise((resolve) => {
    execFile('sync', ['-f', folder], (error) => resolve(error === null));
  });
}
