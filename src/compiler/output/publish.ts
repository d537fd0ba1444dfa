import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { accessSync, constants, existsSync, lstatSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Report } from '../../core/diagnostics/diagnostic.ts';
import { checkoutAround } from '../../system/disk/checkout.ts';
import { mapConcurrently } from '../../system/disk/concurrency.ts';
import { ContainedFolder } from '../../system/disk/contained-folder.ts';
import { FileTable } from '../../system/disk/file-table.ts';
import { errorCode, MAX_CONCURRENT_READS, sha256Of } from '../../system/disk/files.ts';
import { type Kind, listTree } from '../../system/disk/list-tree.ts';
import { takeLock } from '../../system/disk/lock.ts';
import { type FileFacts, factsOf, partsOf, type PrivateFile } from '../../core/document/output-file.ts';
import { MANIFEST_FILE } from '../../core/document/manifest-file.ts';
import { PRIVATE_LIST } from '../../hosts/private-list.ts';
import { originalPath, thumbnailPath } from '../../core/image/name.ts';
import type { Thumbnail } from '../model.ts';
import type { Stage } from '../tools.ts';
import { listedFiles, UNFINISHED, unionOf, usersOf } from './lists.ts';
import { checkDirectories, fileBeside, isOwnName, OWN_NAME } from './output-directory.ts';
import { publishError, wrapError, wrapHalfwayError } from './publish-error.ts';
import { type PublicationOptions, trackedOutput } from './tracked-output.ts';

/** A request to stop a build, such as an `AbortSignal`. */
export interface StopSignal {
  /** Throws the reason if the build has to stop. */
  throwIfAborted(): void;
}

export type FileToPublish = Pick<FileFacts, 'path' | 'bytes' | 'sha256'>;

/** The bytes of a file, or its text part by part. */
export type Content = Buffer | Iterable<string>;

export interface NewPublication<F extends FileToPublish> {
  /** The files of the public output, each made on request; `manifest.json` last. */
  files: Iterable<F>;
  /** Returns the content of a file; called only if the file has to be written. */
  contentOf: (file: F) => Content | Promise<Content>;
  /** Returns the files of the edge directory, once the digest of `manifest.json` is known. */
  privateFiles: (manifest: string) => readonly FileToPublish[];
  privateContentOf: (path: string) => Promise<Content>;
  /** Number of users and groups mapped in the edge directory. */
  users: number;
  /** Called before the first file is moved. */
  onMove?: () => void;
  /** Stops the publication, until the first file is moved. */
  signal?: StopSignal | undefined;
}

/** The themes and figures of the published site. */
export interface PublishedSite {
  themes: readonly string[];
  users: number;
}

/** The output after a publication, as plain data by which the next build recognises it. */
export interface OutputState {
  /** Digest of the names and digests of all files, those of foreign files excepted. */
  digest: string;
  /** Files that themecast did not make, of the public output and of the edge directory. */
  foreign: readonly [readonly string[], readonly string[]];
}

/** An output directory: `dist`, or the edge directory. */
interface Output {
  dir: ContainedFolder;
  /** The file that lists the others. */
  list: string;
  isPrivate: boolean;
  /** Whether the directory did not exist. */
  isNew: boolean;
  /** Its entries at the beginning, and the digests of its files. */
  tree: ReadonlyMap<string, Kind>;
  table: FileTable;
  /** The files staged for it, and the folders made for them. */
  staged: Set<string>;
  stagedFolders: Set<string>;
}

/** What the publication of a directory moves and removes. */
interface Change {
  output: Output;
  next: ReadonlyMap<string, string>;
  moved: readonly string[];
  removed: readonly string[];
  /** Folders that are empty then, innermost first. */
  emptied: readonly string[];
  foreign: readonly string[];
}

/** Files between two moments in which a signal can arrive. */
const FILES_PER_PAUSE = 64;
/** From this number of files, one `sync -f` is cheaper, although it also flushes files of other programs. */
const MANY_FILES = 100;

/**
 * The output of a build, locked from `open` to `close` so that there are never two writers. A publication stages every new file in a hidden folder
 * inside each output directory; nothing else changes until all are there. Then a list of everything that is ours before and after is written, and
 * files are renamed into place: images, the documents that refer to them, the list of themes, the edge directory. Old files are removed, and
 * `manifest.json` is replaced last. Whenever a build is killed, each document is complete, and the next build knows every file.
 */
export class Publication {
  readonly #folders: readonly [string, string];
  readonly #locks: (() => Promise<void>)[] = [];
  readonly #staging = OWN_NAME + randomUUID();
  #outputs: readonly [Output, Output] | undefined;
  #ours: readonly [ReadonlySet<string>, ReadonlySet<string>] | undefined;
  #hasChanged = false;

  private constructor(folders: readonly [string, string]) {
    this.#folders = folders;
  }

  /**
   * Locks the output, and removes what a killed build has staged.
   * @param sources - folders that the build reads: the themes, and the cache if there is one
   * @param report - receives problems of the existing output that do not stop the build
   * @throws {ThemecastError | ContainmentError}
   */
  static async open(
    { outDir, edgeOutDir }: PublicationOptions,
    { sources, cwd }: { sources: readonly string[]; cwd: string },
    report: Report,
  ): Promise<Publication> {
    const folders = [path.resolve(outDir), path.resolve(edgeOutDir)] as const;
    const themes = path.resolve(sources[0] ?? outDir);
    await checkDirectories(folders, sources, checkoutAround(themes));
    await trackedOutput({ outDir, edgeOutDir }, themes, cwd, report);
    const publication = new Publication(folders);
    try {
      for (const folder of folders) await publication.#lock(folder).catch(failsIn(folder));
    } catch (error) {
      await publication.close();
      throw error;
    }
    return publication;
  }

  /** Lists the entries of both directories. @param state - the folder that keeps the digests of their files. Default: they are read each time */
  list(state: ContainedFolder | undefined): void {
    const outputOf = (folder: string, list: string, isPrivate: boolean): Output => {
      try {
        return {
          dir: new ContainedFolder(folder),
          list,
          isPrivate,
          isNew: !existsSync(folder),
          tree: listTree(folder, { isIgnored: (name, below) => below === '' && isOwnName(name) }),
          table: new FileTable(folder, state),
          staged: new Set(),
          stagedFolders: new Set(),
        };
      } catch (error) {
        throw wrapError(error, folder);
      }
    };
    const [out, edge] = this.#folders;
    this.#outputs = [outputOf(out, MANIFEST_FILE, false), outputOf(edge, PRIVATE_LIST, true)];
  }

  /**
   * Checks that themecast made both directories, and removes what a killed build has staged.
   * @throws {ThemecastError} if a directory has files, and no list of them
   */
  async begin(): Promise<void> {
    const [out, edge] = this.#both;
    const unfinished = await unionOf(edge.dir).catch(failsIn(edge.dir.path));
    const oursIn = async ({ dir, list, tree, isPrivate }: Output, more: readonly string[]): Promise<Set<string>> => {
      const listed = await listedFiles(dir, list);
      const ours = new Set([...(listed ?? []), ...more]);
      const foreign = [...tree].find(([name, kind]) => kind !== 'folder' && !ours.has(name))?.[0];
      if (listed === undefined && foreign !== undefined)
        throw publishError(
          `${dir.path} contains files that themecast did not make, like ${foreign}. Empty it, or name another output folder.`,
        );
      if (isPrivate && tree.size > 0) await dir.chmod('', 0o700);
      return new Set([...ours].filter((name) => tree.get(name) === 'file'));
    };
    this.#ours = [
      await oursIn(out, unfinished?.out ?? []).catch(failsIn(out.dir.path)),
      await oursIn(edge, unfinished?.edge ?? []).catch(failsIn(edge.dir.path)),
    ];
    await this.#clear();
  }

  async close(): Promise<void> {
    for (const { dir, isNew } of this.#hasChanged ? [] : (this.#outputs ?? [])) {
      // If that fails, the next build removes them.
      await dir.removeTree(this.#staging).catch(() => undefined);
      if (isNew) await dir.removeFolder('').catch(() => undefined);
    }
    // A lock that cannot be removed belongs to a process that is about to end.
    for (const release of this.#locks.splice(0)) await release().catch(() => undefined);
  }

  /**
   * Returns the functions that stage images before all checks are done, while their bytes are in memory. In existing folders, most files are in
   * place from an earlier build.
   * @param read - returns the bytes of a thumbnail
   * @param isWanted - whether there is no error yet
   */
  stage(read: (thumbnail: Thumbnail) => Buffer | undefined, isWanted: () => boolean): Stage {
    const [out] = this.#both;
    const wants = (slug: string): boolean => isWanted() && !out.tree.has(`media/${slug}`);
    const add = async (file: string, bytes: Uint8Array): Promise<void> => {
      if (!out.staged.has(file)) await this.#add(out, file, bytes).catch(failsIn(out.dir.path));
    };
    return {
      wants,
      original: async (slug, { path: name, format, sha256 }, bytes) => {
        if (wants(slug)) await add(originalPath(slug, name, format, sha256), bytes);
      },
      thumbnail: async (slug, name, thumbnail) => {
        const bytes = wants(slug) ? read(thumbnail) : undefined;
        const { format, sha256, marker } = thumbnail;
        if (bytes !== undefined) await add(thumbnailPath(slug, name, format, sha256, marker), bytes);
      },
    };
  }

  /** Returns the site that is published now; nothing if there is none. */
  async published(): Promise<PublishedSite | undefined> {
    const [out, edge] = this.#both;
    const files = await listedFiles(out.dir, out.list);
    if (files === undefined) return undefined;
    const names = files.flatMap((file) => /^api\/v2\/theme\/config\/(.+)\.json$/.exec(file)?.[1] ?? []);
    return { themes: names.filter((name) => name !== 'index' && name !== 'options'), users: await usersOf(edge.dir) };
  }

  /** Returns whether both output directories are as the publication left them that returned this state. */
  isUnchanged({ digest, foreign }: OutputState): boolean {
    const rows = this.#both.map((output, at) => {
      const others = new Set(foreign[at]);
      const isPublic = (name: string): boolean => ((output.table.stats(name)?.mode ?? 0) & 0o077) !== 0;
      return rowsOf(output.tree, (name) => {
        if (others.has(name)) return '';
        if (output.isPrivate && isPublic(name)) return undefined;
        const file = output.table.digest(name);
        return 'problem' in file ? undefined : file.sha256;
      });
    });
    for (const { table } of this.#both) table.save();
    return !rows.includes(undefined) && sha256Of(JSON.stringify(rows)) === digest;
  }

  /** Publishes both output directories. @returns foreign files, which were left alone; and the new state of the output */
  async publish<F extends FileToPublish>({
    files,
    contentOf,
    privateFiles: privateFilesOf,
    privateContentOf,
    users,
    onMove,
    signal,
  }: NewPublication<F>): Promise<{ foreign: string[]; state: OutputState }> {
    const [out, edge] = this.#both;
    const inPublic = await this.#stageChanges(out, files, contentOf, signal).catch(failsIn(out.dir.path));
    const privateFiles = privateFilesOf(inPublic.next.get(out.list) ?? '');
    const paths = privateFiles.map((file) => file.path);
    const list: PrivateFile = {
      path: PRIVATE_LIST,
      content: { text: `${JSON.stringify({ version: 1, users, files: paths })}\n` },
    };
    const inEdge = await this.#stageChanges(
      edge,
      [...privateFiles, factsOf(list)],
      ({ path: name }) => (name === list.path ? partsOf(list) : privateContentOf(name)),
      signal,
    ).catch(failsIn(edge.dir.path));
    for (const { table } of this.#both) table.save();
    const changes = [inPublic, inEdge] as const;
    if (changes.some(({ moved, removed, emptied }) => moved.length + removed.length + emptied.length > 0)) {
      onMove?.();
      await this.#move(changes, signal);
    }
    const rows = changes.map(({ next, foreign }) =>
      [...next, ...foreign.map((name) => [name, ''] as const)].toSorted(byName),
    );
    return {
      foreign: changes.flatMap(({ output, foreign }) => foreign.map((name) => path.join(output.dir.path, name))),
      state: { digest: sha256Of(JSON.stringify(rows)), foreign: [inPublic.foreign, inEdge.foreign] },
    };
  }

  get #both(): readonly [Output, Output] {
    if (this.#outputs === undefined) throw new Error('Bug: the output was not listed.');
    return this.#outputs;
  }

  // 1. Stage

  /** Stages each file that is new or different. Nothing else changes yet. */
  async #stageChanges<F extends FileToPublish>(
    output: Output,
    files: Iterable<F>,
    contentOf: (file: F) => Content | Promise<Content>,
    signal: StopSignal | undefined,
  ): Promise<Change> {
    const { dir, tree, table, staged, isPrivate } = output;
    const ours = this.#ours?.[isPrivate ? 1 : 0] ?? new Set();
    const next = new Map<string, string>();
    const moved: string[] = [];
    for (const file of files) {
      if (next.size % FILES_PER_PAUSE === 0) await setImmediate(); // lets signals arrive
      signal?.throwIfAborted();
      next.set(file.path, file.sha256);
      checkFree(dir.path, tree, ours, file.path);
      const there = tree.has(file.path) ? table.digest(file.path) : undefined;
      const isCurrent = there !== undefined && 'sha256' in there && there.sha256 === file.sha256;
      if (isCurrent && isPrivate) await dir.chmod(file.path, 0o600);
      if (isCurrent) continue;
      moved.push(file.path);
      if (!staged.has(file.path)) await this.#add(output, file.path, await contentOf(file));
    }
    // Not published after all: a new folder is moved with everything in it.
    for (const file of staged) if (!next.has(file)) await dir.remove(path.posix.join(this.#staging, file));
    for (const file of staged) if (!next.has(file)) staged.delete(file);
    const removed = [...ours].filter((file) => !next.has(file));
    const foreign = [...tree].flatMap(([name, kind]) => (kind === 'folder' || ours.has(name) ? [] : [name]));
    const used = foldersOfAll([...next.keys(), ...foreign]);
    const emptied = [...foldersOfAll(removed)].filter((folder) => !used.has(folder));
    return { output, next, moved, removed, emptied: emptied.toReversed(), foreign };
  }

  async #add({ dir, isPrivate, staged, stagedFolders }: Output, file: string, content: Content | Uint8Array) {
    const name = path.posix.join(this.#staging, file);
    staged.add(file);
    if (stagedFolders.size === 0) await dir.makeFolder('', { isPrivate });
    for (const folder of ['', ...foldersOf(file)]) {
      if (stagedFolders.has(folder)) continue;
      checkTarget(dir, folder);
      await dir.makeFolder(path.posix.join(this.#staging, folder), { isPrivate: isPrivate || folder === '' });
      stagedFolders.add(folder);
    }
    await dir.create(name, content, isPrivate ? 0o600 : 0o644, { flush: false });
    if (isPrivate) await dir.chmod(name, 0o600);
  }

  // 2. Move, 3. remove

  async #move(changes: readonly [Change, Change], signal: StopSignal | undefined): Promise<void> {
    const [inPublic, inEdge] = changes;
    const { dir: edge } = inEdge.output;
    for (const { output } of changes) await this.#flush(output).catch(failsIn(output.dir.path));
    signal?.throwIfAborted();
    this.#hasChanged = true;
    const union = changes.map(({ next, removed }) => [...next.keys(), ...removed]);
    const places = ['media/', 'api/v2/theme/config/', ''];
    const phaseOf = (file: string): number => places.findIndex((place) => file.startsWith(place));
    const documents = inPublic.moved.filter((file) => file !== MANIFEST_FILE);
    try {
      await edge.makeFolder('', { isPrivate: true });
      await edge.replace(UNFINISHED, JSON.stringify({ out: union[0], edge: union[1] }), 0o600);
      for (const phase of places.keys())
        await this.#moveIn(
          inPublic.output,
          documents.filter((file) => phaseOf(file) === phase),
          inPublic.moved,
        );
      await this.#moveIn(inEdge.output, inEdge.moved, inEdge.moved);
      for (const change of changes) await removeFiles(change);
      await this.#moveIn(
        inPublic.output,
        inPublic.moved.filter((file) => file === MANIFEST_FILE),
        inPublic.moved,
      );
      await edge.remove(UNFINISHED);
    } catch (error) {
      throw wrapHalfwayError(error);
    }
    await this.#clear();
  }

  /** Moves staged files into place. A new folder is moved as a whole, unless files of another phase belong there. */
  async #moveIn({ dir, isPrivate }: Output, files: readonly string[], all: readonly string[]): Promise<void> {
    const phase = new Set(files);
    const otherFolders = foldersOfAll(all.filter((file) => !phase.has(file)));
    const movedFolders = new Set<string>();
    for (const folder of foldersOfAll(files)) {
      if (otherFolders.has(folder)) continue;
      const isMoved = movedFolders.has(path.posix.dirname(folder)) || (await this.#moveFolder(dir, folder, isPrivate));
      if (isMoved) movedFolders.add(folder);
    }
    const others = files.filter((file) => !movedFolders.has(path.posix.dirname(file)));
    for (const folder of ['', ...foldersOfAll(others)]) await dir.makeFolder(folder, { isPrivate });
    await mapConcurrently(others, MAX_CONCURRENT_READS, (file) =>
      dir.rename(path.posix.join(this.#staging, file), file),
    );
    await syncFolders(dir, [...others, ...movedFolders]);
  }

  /** Moves a staged folder into place unless its name exists. Renaming never replaces a file, a link, or a folder with contents. */
  async #moveFolder(dir: ContainedFolder, folder: string, isPrivate: boolean): Promise<boolean> {
    if (lstatSync(dir.at(folder), { throwIfNoEntry: false }) !== undefined) return false;
    for (const parent of ['', ...foldersOf(folder)]) await dir.makeFolder(parent, { isPrivate });
    return dir.rename(path.posix.join(this.#staging, folder), folder).then(
      () => true,
      (error: unknown) => {
        if (/^(?:ENOTEMPTY|EEXIST|ENOTDIR)$/.test(errorCode(error) ?? '')) return false;
        throw error;
      },
    );
  }

  /** Flushes the staged files, so that they survive a power cut: many by one `sync -f` (coreutils), which flushes the whole file system. */
  async #flush({ dir, staged }: Output): Promise<void> {
    if (staged.size >= MANY_FILES && (await isSynced(dir.at(this.#staging)))) return;
    const names = [...staged].map((file) => path.posix.join(this.#staging, file));
    await mapConcurrently(names, MAX_CONCURRENT_READS, (name) => dir.sync(name));
    await syncFolders(dir, names);
  }

  async #lock(folder: string): Promise<void> {
    await mkdir(path.dirname(folder), { recursive: true });
    this.#locks.push(await takeLock(fileBeside(folder, 'lock'), folder));
  }

  /** Removes staged files. If that fails, the next build removes them at its start. */
  async #clear(): Promise<void> {
    for (const { dir } of this.#both)
      for (const { name } of await dir.list().catch(() => []))
        if (isOwnName(name) && name !== UNFINISHED) await dir.removeTree(name).catch(() => undefined);
  }
}

/** Removes files, images last so that no document refers to a missing image; then the folders that are empty. */
async function removeFiles({ output: { dir }, removed, emptied }: Change): Promise<void> {
  for (const areImages of [false, true]) {
    const files = removed.filter((file) => file.startsWith('media/') === areImages);
    await mapConcurrently(files, MAX_CONCURRENT_READS, (file) => dir.remove(file));
  }
  for (const name of emptied) {
    await dir.removeFolder(name).catch((error: unknown) => {
      if (!/^(?:ENOTEMPTY|EEXIST|ENOENT)$/.test(errorCode(error) ?? '')) throw error;
    });
  }
}

/** Throws a {@link ThemecastError} if a file would replace a foreign file. */
function checkFree(root: string, tree: Output['tree'], ours: ReadonlySet<string>, file: string): void {
  const occupied = foldersOf(file).find((folder) => (tree.get(folder) ?? 'folder') !== 'folder');
  if (occupied !== undefined)
    throw publishError(`${path.join(root, occupied)} is not a folder, but a folder is needed there. Move it away.`);
  if (!tree.has(file) || ours.has(file)) return;
  throw publishError(
    `${path.join(root, file)} was not made by themecast, and a file must be published there. Move it away.`,
  );
}

/** Throws before anything is moved if a folder is read-only, or on another file system. */
function checkTarget(dir: ContainedFolder, folder: string): void {
  const target = dir.at(folder);
  const stats = statSync(target, { throwIfNoEntry: false });
  if (stats !== undefined) accessSync(target, constants.W_OK);
  if (stats !== undefined && stats.dev !== statSync(dir.path).dev)
    throw publishError(
      `${target} is on a different file system from the folder that contains it. Keep the whole output on one.`,
    );
}

/** Returns the files with their digests by name; nothing if one has none. */
function rowsOf(tree: Output['tree'], digestOf: (name: string) => string | undefined): [string, string][] | undefined {
  const rows: [string, string][] = [];
  for (const [name, kind] of tree) {
    const sha256 = kind === 'folder' ? undefined : digestOf(name);
    if (sha256 === undefined && kind !== 'folder') return undefined;
    if (sha256 !== undefined) rows.push([name, sha256]);
  }
  return rows.toSorted(byName);
}

function byName([a]: readonly [string, string], [b]: readonly [string, string]): number {
  return a < b ? -1 : 1;
}

/** Returns the folders that contain a file, outermost first. */
function foldersOf(file: string): string[] {
  const parts = file.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** Returns the folders that contain files, each after its parent. */
function foldersOfAll(files: readonly string[]): Set<string> {
  const direct = new Set(files.map((file) => path.posix.dirname(file)));
  return new Set([...direct].flatMap((folder) => (folder === '.' ? [] : foldersOf(`${folder}/.`))).toSorted());
}

/** Flushes the names of files to the disk, so that they survive a power cut as their bytes do. */
async function syncFolders(dir: ContainedFolder, files: readonly string[]): Promise<void> {
  const folders = [...new Set(files.map((file) => path.posix.dirname(file)))];
  await mapConcurrently(folders, MAX_CONCURRENT_READS, (folder) => dir.sync(folder));
}

async function isSynced(folder: string): Promise<boolean> {
  return new Promise((resolve) => {
    execFile('sync', ['-f', folder], (error) => resolve(error === null));
  });
}

/** Returns a handler for failed system calls that reports the folder that cannot be written. */
function failsIn(folder: string): (error: unknown) => never {
  return (error) => {
    throw wrapError(error, folder);
  };
}
