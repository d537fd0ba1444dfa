import { createHash } from 'node:crypto';
import { createReadStream, lstatSync, readFileSync } from 'node:fs';
import { access, chmod, constants, copyFile, link, lstat, mkdir, open, readdir } from 'node:fs/promises';
import { rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { OutputFile, PrivateFile } from '../document/output-file.ts';
import { mapConcurrently } from './concurrency.ts';
import { errorCode, READERS, readRegularFile, sha256Of } from './files.ts';
import { stagedIn, stagingOf, type Tree } from './places.ts';
import { PublishError } from './publish-error.ts';

/** A file as it is to be published. */
export interface Wanted {
  path: string;
  bytes: number;
  sha256: string;
  content: (OutputFile | PrivateFile)['content'];
}

/** What is below a folder, by path with `/`; links are not followed. */
export type Listing = ReadonlyMap<string, 'file' | 'folder' | 'other'>;

export async function listTree(folder: string): Promise<Listing> {
  const found = new Map<string, 'file' | 'folder' | 'other'>();
  const staged = new Set((await stagedIn(folder)).map((id) => path.basename(stagingOf(folder, id))));
  const walk = async (below: string): Promise<void> => {
    const entries = await readdir(path.join(folder, below), { withFileTypes: true }).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return [];
      throw error;
    });
    for (const entry of entries) {
      if (below === '' && staged.has(entry.name)) continue;
      const name = below + entry.name;
      found.set(name, entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'other');
      if (entry.isDirectory()) await walk(`${name}/`);
    }
  };
  await walk('');
  return found;
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
export function checkFree(root: string, listing: Listing, own: ReadonlySet<string>, files: readonly Wanted[]): void {
  const folders = new Set(files.flatMap((file) => foldersOf(file.path)));
  for (const folder of folders) {
    if ((listing.get(folder) ?? 'folder') !== 'folder')
      throw new PublishError(`${path.join(root, folder)} is not a folder, and one is needed there. Move it away.`);
  }
  for (const { path: name } of files) {
    const kind = listing.get(name);
    if (kind === undefined || (kind === 'file' && own.has(name))) continue;
    throw new PublishError(
      `${path.join(root, name)} is not a file that themecast made, and one is to be published there. Move it away.`,
    );
  }
}

/** Where files go, what is published now, and where they wait. */
interface Folders {
  root: string;
  live: string;
  staging: string;
}

/**
 * Writes the files that are not in their places yet below `staging`, so that all that is left to do is to rename them.
 * @returns the paths of those that were written
 */
export async function stage(
  { isPrivate }: Tree,
  { root, live, staging }: Folders,
  files: readonly Wanted[],
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const needed = await mapConcurrently(files, READERS, async (file) => {
    signal?.throwIfAborted();
    const place = path.join(root, file.path);
    if (!(await isSame(place, file))) return [file];
    if (isPrivate) await tighten(place);
    return [];
  });
  const written = needed.flat();
  const paths = written.map((file) => file.path);
  await checkWritable(root, paths, (await stat(path.dirname(staging))).dev);
  await makeFolders(staging, paths, isPrivate);
  await mapConcurrently(written, READERS, async (file) => {
    signal?.throwIfAborted();
    const [old, target] = [path.join(live, file.path), path.join(staging, file.path)];
    // What is published now need not be written once more for a release.
    if (live !== root && (await isSame(old, file))) await linkOrCopy(old, target);
    else await writeWhole(target, await contentOf(file), isPrivate);
    if (isPrivate) await chmod(target, 0o600);
  });
  await syncFolders(staging, paths);
  return paths;
}

/** Links files of the live release into what is staged; those that somebody has removed are left out. */
export async function stageOld({ live, staging }: Folders, files: readonly string[]): Promise<string[]> {
  await makeFolders(staging, files, false);
  const linked = await mapConcurrently(files, READERS, async (file) => {
    try {
      await linkOrCopy(path.join(live, file), path.join(staging, file));
      return [file];
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return [];
      throw error;
    }
  });
  return linked.flat();
}

/** What has to be done once a publication has been decided on. Done again, it changes nothing. */
export interface Plan {
  /** Where the files go, below the folder of the tree: itself, or a release. */
  root: string;
  /** The staged files: those of a phase are in their places before one of the next is moved. */
  phases: readonly (readonly string[])[];
  /** Files that go once all trees are in their places, below the folder of the tree. */
  remove: readonly string[];
}

/** Moves staged files into their places. */
export async function moveIn({ folder, isPrivate }: Tree, staging: string, { root, phases }: Plan): Promise<void> {
  const target = path.join(folder, root);
  for (const phase of phases) {
    await makeFolders(
      folder,
      phase.map((file) => path.posix.join(root, file)),
      isPrivate,
    );
    await mapConcurrently(phase, READERS, async (file) => {
      await rename(path.join(staging, file), path.join(target, file)).catch(async (error: unknown) => {
        if (errorCode(error) !== 'ENOENT') throw error;
        await lstat(path.join(target, file)); // It was moved before the build was killed.
      });
    });
    await syncFolders(target, phase);
  }
}

/** Removes files, and the folders that are empty then. */
export async function removeFiles(folder: string, files: readonly string[]): Promise<void> {
  await mapConcurrently(files, READERS, (file) => rm(path.join(folder, file), { force: true }));
  const emptied = [...new Set(files.flatMap(foldersOf))].toSorted((a, b) => b.length - a.length);
  for (const name of emptied) {
    await rmdir(path.join(folder, name)).catch((error: unknown) => {
      if (!/^(?:ENOTEMPTY|EEXIST|ENOENT)$/.test(errorCode(error) ?? '')) throw error;
    });
  }
}

/** Replaces a file: whoever reads it finds the old one or the new one, whole. Only one process at a time may. */
export async function replaceFile(file: string, text: string, mode: number): Promise<void> {
  const partial = `${file}.new`;
  await writeFile(partial, text, { mode, flush: true });
  await rename(partial, file);
  await syncFolder(path.dirname(file));
}

/** Bytes up to which a file is read in one go and at once: of ten thousands, most of the time would go into waiting. */
const SMALL = 1024 * 1024;

/** Whether a file is there with the very bytes. */
async function isSame(place: string, { bytes, sha256 }: Wanted): Promise<boolean> {
  try {
    const found = lstatSync(place);
    if (!found.isFile() || found.size !== bytes) return false;
    if (bytes <= SMALL) return sha256Of(readFileSync(place)) === sha256;
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(place)) hash.update(chunk as Buffer);
    return hash.digest('hex') === sha256;
  } catch {
    return false; // Then it is written, and that says what is wrong.
  }
}

async function tighten(place: string): Promise<void> {
  const { mode } = await lstat(place);
  if ((mode & 0o777) !== 0o600) await chmod(place, 0o600);
}

/** What a file holds; of a copy, only the bytes that were checked. */
async function contentOf({
  path: name,
  content,
  bytes,
  sha256,
}: Wanted): Promise<string | Uint8Array | Iterable<string>> {
  if ('text' in content) return content.text;
  if ('parts' in content) return content.parts();
  const copied = await readRegularFile(content.copyOf, bytes, path.dirname(content.copyOf));
  if (!Buffer.isBuffer(copied) || sha256Of(copied) !== sha256)
    throw new PublishError(`${name} changed while the build ran. Build again.`);
  return copied;
}

async function writeWhole(
  file: string,
  content: string | Uint8Array | Iterable<string>,
  isPrivate: boolean,
): Promise<void> {
  await writeFile(file, content, { mode: isPrivate ? 0o600 : 0o644, flush: true });
}

/** A second name for the same file where the file system has that; nothing ever writes into a file that is published. */
async function linkOrCopy(old: string, target: string): Promise<void> {
  await link(old, target).catch(async (error: unknown) => {
    if (errorCode(error) === 'ENOENT') throw error;
    await copyFile(old, target);
  });
}

/** Says that a folder is closed, or that nothing can be renamed into it, before anything is moved into another. */
async function checkWritable(root: string, files: readonly string[], device: number): Promise<void> {
  for (const folder of new Set(files.map((file) => path.dirname(path.join(root, file))))) {
    const found = await stat(folder).catch(() => undefined);
    if (found === undefined) continue;
    await access(folder, constants.W_OK);
    if (found.dev !== device)
      throw new PublishError(
        `${folder} is on another file system than the folder around it. Let all of it lie on one.`,
      );
  }
}

/** The folders that files are in, below a root, outermost first. */
function foldersOf(file: string): string[] {
  const parts = file.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** Makes the root and the folders that files need in it. Private ones are closed whatever the umask, and if they were there. */
async function makeFolders(root: string, files: readonly string[], isPrivate: boolean): Promise<void> {
  const folders = ['', ...new Set(files.flatMap(foldersOf))].toSorted((a, b) => a.length - b.length);
  for (const name of folders) await makeFolder(path.join(root, name), isPrivate);
}

/** Makes a folder in one that is there. Not `recursive`: that says ENOENT where a file system is read-only. */
export async function makeFolder(folder: string, isPrivate: boolean): Promise<void> {
  await mkdir(folder, isPrivate ? 0o700 : 0o755).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error;
  });
  if (isPrivate) await chmod(folder, 0o700);
}

/** Has the names of files survive a power cut, as their bytes do. */
async function syncFolders(root: string, files: readonly string[]): Promise<void> {
  const folders = [...new Set(files.map((file) => path.dirname(path.join(root, file))))];
  await mapConcurrently(folders, READERS, syncFolder);
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
