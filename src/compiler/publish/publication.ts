import { randomUUID } from 'node:crypto';
import { accessSync, constants, existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Report } from '../../core/diagnostics/diagnostic.ts';
import { checkoutAround } from '../../system/disk/checkout.ts';
import { mapConcurrently } from '../../system/disk/concurrency.ts';
import { ContainedFolder } from '../../system/disk/contained-folder.ts';
import { FileTable } from '../../system/disk/file-table.ts';
import { errorCode, MAX_CONCURRENT_READS } from '../../system/disk/files.ts';
import { type Kind, listTree } from '../../system/disk/list-tree.ts';
import { takeLock } from '../../system/disk/lock.ts';
import type { StateFolder } from '../../system/disk/state-folder.ts';
import { type FileFacts, factsOf, partsOf, type PrivateFile } from '../../core/document/files/output-file.ts';
import { MANIFEST_FILE } from '../../core/document/files/manifest-file.ts';
import { PRIVATE_LIST } from '../../hosts/contract/private-list.ts';
import { listedFiles, UNFINISHED, unionOf, usersOf } from './lists.ts';
import { checkDirectories, fileBeside, OWN_NAME, type PublicationOptions, trackedOutput } from './output-directory.ts';
import { failsIn, publishError } from './publish-error.ts';

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
  /** The folders made for its staged files. */
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

  /** Lists the entries of both directories. @param state - keeps the digests of their files. Default: they are read each time */
  list(state: StateFolder | undefined): void {
    const outputOf = (folder: string, list: string, isPrivate: boolean): Output => {
      try {
        return {
          dir: new ContainedFolder(folder),
          list,
          isPrivate,
          isNew: !existsSync(folder),
          tree: listTree(folder, { isIgnored: (name, below) => below === '' && name.startsWith(OWN_NAME) }),
          table: new FileTable(folder, state),
          stagedFolders: new Set(),
        };
      } catch (error) {
        return failsIn(folder)(error);
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

  /** Returns the site that is published now; nothing if there is none. */
  async published(): Promise<PublishedSite | undefined> {
    const [out, edge] = this.#both;
    const files = await listedFiles(out.dir, out.list);
    if (files === undefined) return undefined;
    const names = files.flatMap((file) => /^api\/v2\/theme\/config\/(.+)\.json$/.exec(file)?.[1] ?? []);
    return { themes: names.filter((name) => name !== 'index' && name !== 'options'), users: await usersOf(edge.dir) };
  }

  /** Returns what both directories had at the beginning: {@link FileTable.stamps}. */
  stamps(): string[] {
    return this.#both.map(({ tree, table }) => table.stamps(tree));
  }

  /** Whether every later change of both directories alters {@link stamps}. */
  isSettled(): boolean {
    return this.#both.every(({ tree, table }) => table.keepsAll(tree));
  }

  /** Publishes both output directories. @returns foreign files, which were left alone; and whether anything changed */
  async publish<F extends FileToPublish>({
    files,
    contentOf,
    privateFiles: privateFilesOf,
    privateContentOf,
    users,
    onMove,
    signal,
  }: NewPublication<F>): Promise<{ foreign: string[]; hasChanged: boolean }> {
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
    return {
      foreign: changes.flatMap(({ output, foreign }) => foreign.map((name) => path.join(output.dir.path, name))),
      hasChanged: this.#hasChanged,
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
    const { dir, tree, table, isPrivate } = output;
    const ours = this.#ours?.[isPrivate ? 1 : 0] ?? new Set();
    const next = new Map<string, string>();
    const moved: string[] = [];
    for (const file of files) {
      if (next.size % FILES_PER_PAUSE === 0) await setImmediate(); // lets signals arrive
      signal?.throwIfAborted();
      next.set(file.path, file.sha256);
      if (!ours.has(file.path)) checkFree(dir.path, tree, file.path);
      const there = tree.has(file.path) ? table.digest(file.path) : undefined;
      const isCurrent = there !== undefined && 'sha256' in there && there.sha256 === file.sha256;
      if (isCurrent && isPrivate) await dir.chmod(file.path, 0o600);
      if (isCurrent) continue;
      moved.push(file.path);
      await this.#add(output, file.path, await contentOf(file));
    }
    const removed = [...ours].filter((file) => !next.has(file));
    const foreign = [...tree].flatMap(([name, kind]) => (kind === 'folder' || ours.has(name) ? [] : [name]));
    const used = removed.length === 0 ? undefined : foldersOfAll([...next.keys(), ...foreign]);
    const emptied = [...foldersOfAll(removed)].filter((folder) => !used?.has(folder));
    return { output, next, moved, removed, emptied: emptied.toReversed(), foreign };
  }

  async #add({ dir, isPrivate, stagedFolders }: Output, file: string, content: Content | Uint8Array) {
    const name = path.posix.join(this.#staging, file);
    if (stagedFolders.size === 0) await dir.makeFolder('', { isPrivate });
    for (const folder of ['', ...foldersOf(file)]) {
      if (stagedFolders.has(folder)) continue;
      if (dir.hasFolder(folder)) accessSync(dir.at(folder), constants.W_OK); // before anything is moved
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
        );
      await this.#moveIn(inEdge.output, inEdge.moved);
      for (const change of changes) await removeFiles(change);
      await this.#moveIn(
        inPublic.output,
        inPublic.moved.filter((file) => file === MANIFEST_FILE),
      );
      await edge.remove(UNFINISHED);
    } catch (error) {
      failsIn()(error);
    }
    await this.#clear();
  }

  async #moveIn({ dir, isPrivate }: Output, files: readonly string[]): Promise<void> {
    for (const folder of ['', ...foldersOfAll(files)]) await dir.makeFolder(folder, { isPrivate });
    await mapConcurrently(files, MAX_CONCURRENT_READS, (file) =>
      dir.rename(path.posix.join(this.#staging, file), file),
    );
  }

  async #lock(folder: string): Promise<void> {
    await mkdir(path.dirname(folder), { recursive: true });
    this.#locks.push(await takeLock(fileBeside(folder, 'lock'), folder));
  }

  /** Removes staged files. If that fails, the next build removes them at its start. */
  async #clear(): Promise<void> {
    for (const { dir, stagedFolders } of this.#both) {
      stagedFolders.clear();
      for (const { name } of await dir.list().catch(() => []))
        if (name.startsWith(OWN_NAME) && name !== UNFINISHED) await dir.removeTree(name).catch(() => undefined);
    }
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
function checkFree(root: string, tree: Output['tree'], file: string): void {
  const occupied = foldersOf(file).find((folder) => (tree.get(folder) ?? 'folder') !== 'folder');
  if (occupied !== undefined)
    throw publishError(`${path.join(root, occupied)} is not a folder, but a folder is needed there. Move it away.`);
  if (!tree.has(file)) return;
  throw publishError(
    `${path.join(root, file)} was not made by themecast, and a file must be published there. Move it away.`,
  );
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
