import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Report } from '../../diagnostics/diagnostic.ts';
import { MANIFEST_MARK } from '../../document/manifest-mark.ts';
import type { OutputFile, PrivateFile } from '../../document/output-file.ts';
import { changeOf } from './changes.ts';
import { ContainedFolder } from '../disk/contained-folder.ts';
import type { FileHashes } from '../incremental/file-hashes.ts';
import { type TreeIdentity, treeIdentity } from '../incremental/identity.ts';
import { listedFiles, readList } from './file-list.ts';
import { takeLock } from '../disk/lock.ts';
import { moveIn, removeFiles } from './moving.ts';
import { checkMade } from './ownership.ts';
import { besides, checkPlaces, isStagingName, stateFiles, type Tree } from './places.ts';
import { wrapHalfwayError } from './publish-error.ts';
import { failsIn, Staging, type StopSignal } from './staging.ts';
import {
  checkoutAround,
  checkoutOf,
  isCommittedLink,
  reportTracked,
  type TrackedFile,
  trackedFiles,
} from '../disk/tracked.ts';

/** `files.json` of the private tree: every other file there, and how many users are mapped. */
export const PRIVATE_LIST = { file: 'files.json', start: /^\{"version":1,"users":\d+,"files":\[/ };

/** Where a build publishes. */
export interface PublicationOptions {
  /** Folder of the public output. */
  outDir: string;
  /** Folder of the private output, for its owner alone; not inside the public one. */
  edgeOutDir: string;
}

/** What is to be published. */
export interface NewPublication {
  /** The files of the public output, each made when it is asked for. */
  files: Iterable<OutputFile>;
  /** The files of the private output. */
  edgeFiles: readonly (OutputFile | PrivateFile)[];
  /** How many users and groups the private output maps. */
  users: number;
  /** Hashes of files that were read or written before. */
  hashes: FileHashes;
  /** The identity of the public output as the last build left it, if that is known. */
  before?: string | undefined;
  /** Stops the publication, until the first file is moved. */
  signal?: StopSignal | undefined;
}

/** What is published, as far as it is known. */
export interface Published {
  themes: readonly string[];
  /** Users and groups that are mapped. */
  users: number;
}

/**
 * The files of an output that Git tracks, which are reported.
 * @param cwd - what diagnostics name files relative to
 */
export async function trackedOutput(
  { outDir, edgeOutDir }: PublicationOptions,
  themesDir: string,
  cwd: string,
  report: Report,
): Promise<TrackedFile[]> {
  const [out, edge] = [path.resolve(outDir), path.resolve(edgeOutDir)];
  const places = [out, edge].flatMap((folder) => [folder, ...stateFiles(folder)]);
  const tracked = await trackedFiles(checkoutOf(path.dirname(path.resolve(themesDir))), places);
  reportTracked(tracked, places, { edge, cwd }, report);
  return tracked;
}

/**
 * The output of a build, locked for it from `open` to `close`: there are never two writers.
 *
 * A publication is prepared in a hidden folder inside each tree, so on its file system, and until it is complete nothing else
 * changes. Then files are renamed into their places: images, the documents that refer to them, the list, the manifest; then the private
 * tree. Only then are old files removed. Whenever a build is killed, each document is whole, and the next build recognises the files
 * that themecast made by their names and contents ({@link ownFiles}).
 */
export class Publication {
  /** The public one first: a theme is published before rules give it to anyone. */
  readonly #trees: readonly [Tree, Tree];
  readonly #locks: (() => Promise<void>)[] = [];
  /** Whether {@link publish} has changed anything. */
  #hasChanged = false;
  /** What is staged in each tree. */
  readonly #staged: readonly [Staging, Staging];

  private constructor(trees: readonly [Tree, Tree]) {
    this.#trees = trees;
    this.#staged = [new Staging(trees[0]), new Staging(trees[1])];
  }

  /**
   * Locks the output, clears away what a killed build had prepared, and sees that all there is themecast's.
   * @param sources - folders that the build reads: the themes, and the cache if there is one
   * @param cwd - what diagnostics name files relative to
   * @param report - takes what is wrong with what was found there, and does not stop the build
   * @throws {PublishError | LockedError | ContainmentError}
   */
  static async open(
    { outDir, edgeOutDir }: PublicationOptions,
    { sources, cwd }: { sources: readonly string[]; cwd: string },
    report: Report,
  ): Promise<Publication> {
    const folders = [path.resolve(outDir), path.resolve(edgeOutDir)] as const;
    const themes = path.resolve(sources[0] ?? outDir);
    await checkPlaces(folders, sources, checkoutAround(themes));
    const tracked = await trackedOutput({ outDir, edgeOutDir }, themes, cwd, report);

    const publication = new Publication([
      { dir: new ContainedFolder(folders[0]), list: MANIFEST_MARK, isPrivate: false },
      { dir: new ContainedFolder(folders[1]), list: PRIVATE_LIST, isPrivate: true },
    ]);
    try {
      for (const folder of folders) await publication.#lock(folder, tracked).catch(failsIn(folder));
      for (const tree of publication.#trees) await checkMade(tree).catch(failsIn(tree.dir.path));
      await publication.#clear();
    } catch (error) {
      await publication.close();
      throw error;
    }
    return publication;
  }

  async close(): Promise<void> {
    if (!this.#hasChanged) for (const staging of this.#staged) await staging.discard();
    // A lock that cannot be removed is that of a process that has ended, in a moment.
    for (const giveBack of this.#locks.splice(0)) await giveBack().catch(() => undefined);
  }

  /** Takes a file of the public tree before it is known whether all is well, because its bytes are in memory just then. */
  async stage(file: string, bytes: Uint8Array): Promise<void> {
    await this.#staged[0].addNew(file, bytes);
  }

  /** What is published now; nothing if nothing is. */
  async published(): Promise<Published | undefined> {
    const [out, edge] = this.#trees;
    const files = await listedFiles(out);
    if (files.size === 0) return undefined;
    const variants = [...files.keys()].flatMap((file) => /^api\/v2\/theme\/config\/(.+)\.json$/.exec(file)?.[1] ?? []);
    const { users = 0 } = (await readList(edge)) ?? {};
    return { themes: variants.filter((name) => name !== 'index' && name !== 'options'), users };
  }

  /**
   * Publishes both output directories.
   * @returns files in the output that themecast did not make, and that were left alone
   */
  async publish({ files, edgeFiles, users, hashes, before, signal }: NewPublication): Promise<string[]> {
    const [out, edge] = this.#trees;
    const list = { version: 1, users, files: edgeFiles.map((file) => file.path) };
    const privateList = { path: PRIVATE_LIST.file, content: { text: `${JSON.stringify(list)}\n` } };
    const isIntact = before !== undefined && identityOf(out).digest === before;
    const [staged, edgeStaged] = this.#staged;
    const edgeWanted = [...edgeFiles, privateList];
    const changes = [
      await changeOf(out, staged, files, { isIntact, hashes }, signal).catch(failsIn(out.dir.path)),
      await changeOf(edge, edgeStaged, edgeWanted, { isIntact: false, hashes }, signal).catch(failsIn(edge.dir.path)),
    ];
    const foreign = changes.flatMap((change) => change.foreign);
    if (changes.every(({ phases, remove, emptied }) => [...phases.flat(), ...remove, ...emptied].length === 0))
      return foreign;
    for (const [index, { dir }] of this.#trees.entries()) await this.#staged[index]?.flush().catch(failsIn(dir.path));
    signal?.throwIfAborted();
    this.#hasChanged = true;
    try {
      for (const change of changes) await moveIn(change);
      for (const change of changes) await removeFiles(change);
    } catch (error) {
      throw wrapHalfwayError(error);
    }
    await this.#clear();
    return foreign;
  }

  /**
   * What identifies all that is published, as it is on the disk; see {@link treeIdentity}.
   * @returns the identity, and that of the public output alone (`out`)
   */
  identity(): { digest: string; isSettled: boolean; out: string } {
    const trees = this.#trees.map(identityOf);
    return {
      digest: trees.map(({ digest }) => digest).join(' '),
      isSettled: trees.every(({ isSettled }) => isSettled),
      out: trees[0]?.digest ?? '',
    };
  }

  async #lock(folder: string, tracked: readonly TrackedFile[]): Promise<void> {
    const around = path.dirname(folder);
    await mkdir(around, { recursive: true });
    const [lock, takeover] = [besides(folder, 'lock'), besides(folder, 'lock.takeover')];
    // A committed lock has no owner; one that a build has made since is another link, and counts.
    for (const { path: file } of tracked.filter(isCommittedLink))
      if (file === lock || file === takeover) await new ContainedFolder(around).remove(path.basename(file));
    this.#locks.push(await takeLock(lock, folder));
  }

  /** Removes what is staged; what cannot be listed or removed is, at the start of the next build. */
  async #clear(): Promise<void> {
    for (const { dir } of this.#trees)
      for (const { name } of await dir.list().catch(() => []))
        if (isStagingName(name)) await dir.removeTree(name).catch(() => undefined);
  }
}

function identityOf({ dir }: Tree): TreeIdentity {
  return treeIdentity(dir.path, (name, below) => below === '' && isStagingName(name));
}
