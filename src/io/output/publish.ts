import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Report } from '../../diagnostics/diagnostic.ts';
import { MANIFEST_MARK } from '../../document/manifest-mark.ts';
import type { OutputFile, PrivateFile } from '../../document/output-file.ts';
import { type Change, changeOf } from './changes.ts';
import { ContainedFolder } from '../disk/contained-folder.ts';
import { expiry, type History, HistoryFile, NOTHING_BEGUN } from './history.ts';
import type { FileHashes } from '../incremental/file-hashes.ts';
import { type TreeIdentity, treeIdentity } from '../incremental/identity.ts';
import { listedFiles, readList } from './file-list.ts';
import { takeLock } from '../disk/lock.ts';
import { moveIn, removeFiles } from './moving.ts';
import { besides, checkMade, checkPlaces, isStagingName, stateFiles, type Tree } from './places.ts';
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
 * changes. Then a record beside the public folder names the files that are about to appear and to go, and files are renamed into their
 * places: images, the documents that name them, the list, the manifest; then the private tree; and only then what is no longer named
 * goes. Whenever a build is killed, each document is whole, and the next build knows which files are themecast's.
 */
export class Publication {
  /** The public one first: a theme is published before rules give it to anyone. */
  readonly #trees: readonly [Tree, Tree];
  readonly #historyFile: HistoryFile;
  readonly #locks: (() => Promise<void>)[] = [];
  #history: History = { retired: [] };
  /** Whether {@link publish} has changed anything. */
  #hasChanged = false;
  /** What is staged in each tree. */
  readonly #staged: readonly [Staging, Staging];

  private constructor(trees: readonly [Tree, Tree], historyFile: HistoryFile) {
    this.#trees = trees;
    this.#historyFile = historyFile;
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

    const historyFile = path.basename(besides(folders[0], 'history.json'));
    const around = new ContainedFolder(path.dirname(folders[0]));
    const publication = new Publication(
      [
        { dir: new ContainedFolder(folders[0]), list: MANIFEST_MARK, isPrivate: false },
        { dir: new ContainedFolder(folders[1]), list: PRIVATE_LIST, isPrivate: true },
      ],
      new HistoryFile(around, historyFile),
    );
    try {
      for (const folder of folders) await publication.#lock(folder, tracked).catch(failsIn(folder));
      publication.#history = await publication.#historyFile.read().catch(failsIn(folders[0]));
      for (const [index, tree] of publication.#trees.entries())
        await publication.#check(tree, index).catch(failsIn(tree.dir.path));
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
    const [out] = this.#trees;
    const list = { version: 1, users, files: edgeFiles.map((file) => file.path) };
    const privateList = { path: PRIVATE_LIST.file, content: { text: `${JSON.stringify(list)}\n` } };
    const isIntact = before !== undefined && identityOf(out).digest === before;
    const changeIn = (index: 0 | 1, wanted: Iterable<OutputFile | PrivateFile>): Promise<Change> => {
      const [tree, staging] = [this.#trees[index], this.#staged[index]];
      const begun = this.#history.begun?.[index] ?? NOTHING_BEGUN;
      const retired = index === 0 ? this.#history.retired : [];
      const earlier = { begun, retired, isIntact: index === 0 && isIntact, hashes };
      return changeOf(tree, staging, wanted, earlier, signal).catch(failsIn(tree.dir.path));
    };
    const changes = [await changeIn(0, files), await changeIn(1, [...edgeFiles, privateList])] as const;
    const [{ retired }] = changes;
    const foreign = changes.flatMap((change) => change.foreign);
    const isSame =
      changes.flatMap(({ phases, remove }) => [...phases.flat(), ...remove]).length === 0 &&
      JSON.stringify({ retired }) === JSON.stringify(this.#history);
    if (isSame) return foreign;
    for (const [index, { dir }] of this.#trees.entries()) await this.#staged[index]?.flush().catch(failsIn(dir.path));
    signal?.throwIfAborted();
    const begun = changes.map((change) => change.begun);
    await this.#historyFile.write({ begun, retired }).catch(failsIn(path.dirname(out.dir.path)));
    this.#hasChanged = true;
    try {
      for (const change of changes) await moveIn(change);
      for (const change of changes) await removeFiles(change);
      this.#history = { retired };
      await this.#historyFile.write(this.#history);
    } catch (error) {
      throw wrapHalfwayError(error);
    }
    await this.#clear();
    return foreign;
  }

  /**
   * What identifies all that is published, as it is on the disk; see {@link treeIdentity}.
   * @returns the identity, that of the public output alone (`out`), and the time (in milliseconds since 1970) from which a build removes
   * something although nothing changed
   */
  identity(): { digest: string; isSettled: boolean; expires: number | undefined; out: string } {
    const trees = this.#trees.map(identityOf);
    return {
      digest: trees.map(({ digest }) => digest).join(' ') + JSON.stringify(this.#history),
      isSettled: trees.every(({ isSettled }) => isSettled),
      expires: expiry(this.#history),
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

  async #check(tree: Tree, index: number): Promise<void> {
    const { appear, go } = this.#history.begun?.[index] ?? NOTHING_BEGUN;
    await checkMade(tree, [...appear, ...go]);
    if (tree.isPrivate && (await tree.dir.list()).length > 0) await tree.dir.chmod('', 0o700);
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
