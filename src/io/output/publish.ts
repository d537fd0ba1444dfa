import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Report } from '../../diagnostics/diagnostic.ts';
import { MANIFEST_MARK } from '../../document/manifest-mark.ts';
import type { OutputFile, PrivateFile } from '../../document/output-file.ts';
import { type Change, privateChange, publicChange } from './changes.ts';
import { ContainedFolder } from './contained-folder.ts';
import { displayPath } from '../files.ts';
import { EMPTY_HISTORY, expiry, type History, HistoryFile } from './history.ts';
import type { FileHashes } from '../incremental/file-hashes.ts';
import { treeIdentity } from '../incremental/identity.ts';
import { listedFiles, readList } from './file-list.ts';
import { takeLock } from './lock.ts';
import {
  besides,
  checkMade,
  checkPlaces,
  isStagingName,
  stagedIn,
  stagingOf,
  stateFiles,
  type Tree,
} from './places.ts';
import { type Plan, readPlan } from './plan.ts';
import { type Prepared, prepareChange } from './prepare.ts';
import { PublishError, wrapHalfwayError, wrapError } from './publish-error.ts';
import { isBegunOnly, moveIn, removeFiles, type StopSignal } from './staging.ts';
import { stateKey } from '../state-key.ts';
import { checkoutOf, isCommittedLink, reportTracked, type TrackedFile, trackedFiles } from './tracked.ts';

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
  /** The files of the public output. */
  files: readonly OutputFile[];
  /** The files of the private output. */
  edgeFiles: readonly (OutputFile | PrivateFile)[];
  /** How many users and groups the private output maps. */
  users: number;
  /** Hashes of files that were read or written before. */
  hashes: FileHashes;
  /** Stops the publication, until it has been decided on. */
  signal?: StopSignal | undefined;
}

/** What is published, as far as it is known. */
export interface Published {
  themes: readonly string[];
  /** Users and groups that are mapped. */
  users: number;
}

/**
 * The output of a build, locked for it from `open` to `close`: there are never two writers.
 *
 * A publication is prepared in a hidden folder inside each tree, so on its file system, and until it is complete nothing else
 * changes. Then one record beside the public folder decides on it, and files are renamed into their places: images, the
 * documents that name them, the list, the manifest; then the private tree; and only then what is no longer named goes. A
 * build that is killed before the record has changed nothing, and one that is killed after it is completed by the next.
 */
export class Publication {
  /** The public one first: a theme is published before rules give it to anyone. */
  readonly #trees: readonly [Tree, Tree];
  readonly #historyFile: HistoryFile;
  readonly #locks: (() => Promise<void>)[] = [];
  #history: History = EMPTY_HISTORY;
  #isIgnored = false;
  #hasChanged = false;

  private constructor(trees: readonly [Tree, Tree], historyFile: HistoryFile) {
    this.#trees = trees;
    this.#historyFile = historyFile;
  }

  /**
   * Locks the output, completes or clears away what a killed build left, and sees that all there is themecast's.
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
    const repository = checkoutOf(path.dirname(themes));
    const checkout = repository ?? path.dirname(themes);
    await checkPlaces(folders, sources, checkout);
    const caches = sources.slice(1).map((source) => path.resolve(source));
    const places = [...folders.flatMap((folder) => [folder, ...stateFiles(folder)]), ...caches];
    const tracked = await trackedFiles(repository, places);
    reportTracked(tracked, places, { edge: folders[1], cwd }, report);

    const historyFile = path.basename(besides(folders[0], 'history.json'));
    const around = new ContainedFolder(path.dirname(folders[0]));
    const publication = new Publication(
      [
        { dir: new ContainedFolder(folders[0]), list: MANIFEST_MARK, isPrivate: false },
        { dir: new ContainedFolder(folders[1]), list: PRIVATE_LIST, isPrivate: true },
      ],
      new HistoryFile(around, historyFile, await stateKey(checkout)),
    );
    try {
      for (const folder of folders) await publication.#lock(folder, tracked).catch(failsIn(folder));
      await publication.#recover(displayPath(path.join(around.path, historyFile), cwd), report).catch(
        failsIn(folders[0]),
      );
      for (const tree of publication.#trees) await publication.#check(tree).catch(failsIn(tree.dir.path));
    } catch (error) {
      await publication.close();
      throw error;
    }
    return publication;
  }

  /** Whether {@link publish} has changed anything. */
  get hasChanged(): boolean {
    return this.#hasChanged;
  }

  async close(): Promise<void> {
    // A lock that cannot be removed is that of a process that has ended, in a moment.
    for (const giveBack of this.#locks.splice(0)) await giveBack().catch(() => undefined);
  }

  /** What is published now; nothing if nothing is. */
  async published(): Promise<Published | undefined> {
    const [out, edge] = this.#trees;
    const files = await listedFiles(out);
    if (files.length === 0) return undefined;
    const variants = files.flatMap((file) => /^api\/v2\/theme\/config\/(.+)\.json$/.exec(file)?.[1] ?? []);
    const { users = 0 } = (await readList(edge)) ?? {};
    return { themes: variants.filter((name) => name !== 'index' && name !== 'options'), users };
  }

  /**
   * Publishes both output directories.
   * @returns files in the output that themecast did not make, and that were left alone
   */
  async publish({ files, edgeFiles, users, hashes, signal }: NewPublication): Promise<string[]> {
    const [out, edge] = this.#trees;
    const list = { version: 1, users, files: edgeFiles.map((file) => file.path) };
    const privateList = { path: PRIVATE_LIST.file, content: { text: `${JSON.stringify(list)}\n` } };
    const id = randomUUID();
    const prepared: Prepared[] = [];
    const prepare = async (change: Change): Promise<void> => {
      const retired = this.#history.retired.flatMap((one) => one.files);
      prepared.push(await prepareChange(change, id, retired, hashes, signal));
    };
    const plans = (): (string | undefined)[] => prepared.map(({ plan }) => plan);
    try {
      const { change, history } = await publicChange(out, files, this.#history).catch(failsIn(out.dir.path));
      await prepare(change).catch(failsIn(out.dir.path));
      const changed = await privateChange(edge, [...edgeFiles, privateList]).catch(failsIn(edge.dir.path));
      await prepare(changed).catch(failsIn(edge.dir.path));
      signal?.throwIfAborted();
      const isSame = plans().every((plan) => plan === undefined) && isSameHistory(history, this.#history);
      if (isSame && !this.#isIgnored) return prepared.flatMap(({ foreign }) => foreign);
      this.#hasChanged = true;
      await this.#historyFile
        .write({ ...history, pending: { id, plans: plans() } })
        .catch(failsIn(path.dirname(out.dir.path)));
      this.#history = history;
    } catch (error) {
      await this.#clear(id);
      throw error;
    }
    const found = await this.#complete({ id, plans: plans() }).catch((error: unknown) => {
      throw wrapHalfwayError(error);
    });
    await this.#clear();
    if (found < plans().filter((plan) => plan !== undefined).length)
      throw new PublishError('What the build wrote was changed before it was in place. Run the build again.');
    for (const { written } of prepared) for (const { file, sha256 } of written) hashes.addWritten(file, sha256);
    return prepared.flatMap(({ foreign }) => foreign);
  }

  /**
   * What identifies all that is published, as it is on the disk; see {@link treeIdentity}.
   * @returns the identity, and the time (in milliseconds since 1970) from which a build removes something although nothing changed
   */
  identity(): { digest: string; isSettled: boolean; expires: number | undefined } {
    const trees = this.#trees.map(({ dir }) =>
      treeIdentity(dir.path, (name, below) => below === '' && isStagingName(name)),
    );
    return {
      digest: trees.map(({ digest }) => digest).join(' ') + JSON.stringify(this.#history),
      isSettled: trees.every(({ isSettled }) => isSettled),
      expires: expiry(this.#history),
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

  async #check(tree: Tree): Promise<void> {
    if (!(await isBegunOnly(tree))) await checkMade(tree);
    if (tree.isPrivate && (await tree.dir.list()).length > 0) await tree.dir.chmod('', 0o700);
  }

  /** Completes the publication that was decided on, if there is one that counts, and removes every other that was begun. */
  async #recover(historyFile: string, report: Report): Promise<void> {
    const { history, ignored } = await this.#historyFile.read();
    if (ignored) report('output/foreign-state', { file: historyFile }, { path: historyFile });
    const { pending, ...settled } = history;
    this.#history = settled;
    if (pending !== undefined) await this.#complete(pending);
    this.#isIgnored = ignored;
    // Where a publication cannot be completed, its plan is needed to know the files that it has moved in.
    if (!ignored) await this.#clear();
  }

  /**
   * Does what the plans of a publication say; what was done of it before is not done again.
   * @returns how many plans were there
   */
  async #complete({ id, plans }: NonNullable<History['pending']>): Promise<number> {
    const staging = stagingOf(id);
    const planned: { tree: Tree; plan: Plan }[] = [];
    for (const [index, tree] of this.#trees.entries()) {
      const plan = await readPlan(tree.dir, staging, plans[index]);
      if (plan !== undefined) planned.push({ tree, plan });
    }
    for (const { tree, plan } of planned) {
      await moveIn(tree, `${staging}/files`, plan);
    }
    for (const { tree, plan } of planned) await removeFiles(tree.dir, plan.remove);
    await this.#historyFile.write(this.#history);
    return planned.length;
  }

  /**
   * Removes what is staged; what cannot be removed is, at the start of the next build.
   * @param only - the publication that it is staged for; all of them by default
   */
  async #clear(only?: string): Promise<void> {
    for (const { dir } of this.#trees)
      for (const id of only === undefined ? await stagedIn(dir) : [only])
        await dir.removeTree(stagingOf(id)).catch(() => undefined);
  }
}

function isSameHistory(a: History, b: History): boolean {
  return JSON.stringify(a.retired) === JSON.stringify(b.retired);
}

function failsIn(folder: string): (error: unknown) => never {
  return (error) => {
    throw wrapError(error, folder);
  };
}
