import { randomUUID } from 'node:crypto';
import { chmod, lstat, mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { MANIFEST_MARK } from '../document/documents.ts';
import type { OutputFile, PrivateFile } from '../document/output-file.ts';
import { errorCode } from './files.ts';
import { type History, readHistory, retire, writeHistory } from './history.ts';
import { listedFiles, readList } from './listed.ts';
import { takeLock } from './lock.ts';
import { besides, checkMade, checkPlaces, isPathBelow, liveFolder, liveRelease, RELEASE, stagedIn } from './places.ts';
import { stagingOf, type Tree } from './places.ts';
import { PublishError, sayHalfway, sayWhere } from './publish-error.ts';
import { makeLive, releaseFiles, releaseOf } from './releases.ts';
import { checkFree, listTree, makeFolder, measured, moveIn, type Plan, removeFiles, replaceFile } from './staging.ts';
import { stage, stageOld, type Wanted } from './staging.ts';

/** Releases that are kept, the live one among them. Of the private tree, which holds personal data, that one alone. */
const KEPT_RELEASES = 5;

/** `files.json` of the private tree: every other file there, and how many users are mapped. */
const PRIVATE_LIST = { file: 'files.json', start: /^\{"version":1,"users":\d+,"files":\[/ };

export interface PublicationOptions {
  /** Public output. */
  outDir: string;
  /** Private output, for its owner alone. */
  edgeOutDir: string;
  /** Whether every publication gets a folder of its own, which a link makes live. */
  releases?: boolean | undefined;
}

/** What is published, as far as it is known. */
export interface Published {
  themes: readonly string[];
  /** Users and groups that are mapped. */
  users: number;
}

/** What is to be done to publish one tree. */
interface Change {
  tree: Tree;
  files: readonly Wanted[];
  /** Where the files go, below the folder of the tree. */
  root: string;
  /** Media of earlier publications that stay. */
  retained: readonly string[];
  /** Files that go, below the folder of the tree. */
  remove: readonly string[];
}

/**
 * The output of a build, locked for it from `open` to `close`: there are never two writers.
 *
 * A publication is prepared in a hidden folder inside each tree, so on its file system, and until it is complete nothing else
 * changes. Then one record beside the public folder decides on it, and files are renamed into their places: pictures, the
 * documents that name them, the list, the manifest; then the private tree; and only then what is no longer named goes. A
 * build that is killed before the record has changed nothing, and one that is killed after it is completed by the next.
 */
export class Publication {
  /** The public one first: a theme is published before rules give it to anyone. */
  readonly #trees: readonly [Tree, Tree];
  readonly #hasReleases: boolean;
  readonly #historyFile: string;
  readonly #locks: (() => Promise<void>)[] = [];
  #history: History = { version: 1, releases: [], retired: [] };

  private constructor({ outDir, edgeOutDir, releases = false }: PublicationOptions) {
    this.#trees = [
      { folder: path.resolve(outDir), list: MANIFEST_MARK, isPrivate: false },
      { folder: path.resolve(edgeOutDir), list: PRIVATE_LIST, isPrivate: true },
    ];
    this.#hasReleases = releases;
    this.#historyFile = besides(this.#trees[0].folder, 'history.json');
  }

  /**
   * Locks the output, completes or clears away what a killed build left, and sees that all there is themecast's.
   * @param sources - folders that the build reads, the themes first
   */
  static async open(options: PublicationOptions, sources: readonly string[]): Promise<Publication> {
    const publication = new Publication(options);
    await checkPlaces(publication.#trees, sources);
    try {
      for (const { folder } of publication.#trees) await publication.#lock(folder).catch(says(folder));
      await publication.#recover().catch(says(publication.#trees[0].folder));
      for (const tree of publication.#trees) await publication.#check(tree).catch(says(tree.folder));
    } catch (error) {
      await publication.close();
      throw error;
    }
    return publication;
  }

  async close(): Promise<void> {
    // A lock that cannot be removed is that of a process that has ended, in a moment.
    for (const giveBack of this.#locks.splice(0)) await giveBack().catch(() => undefined);
  }

  /** What is published now; nothing if nothing is. */
  async published(): Promise<Published | undefined> {
    const [out, edge] = this.#trees;
    const files = await listedFiles(await liveFolder(out.folder), out);
    if (files.length === 0) return undefined;
    const variants = files.flatMap((file) => /^api\/v2\/theme\/config\/(.+)\.json$/.exec(file)?.[1] ?? []);
    const { users = 0 } = (await readList(await liveFolder(edge.folder), edge)) ?? {};
    return { themes: variants.filter((name) => name !== 'index' && name !== 'options'), users };
  }

  /**
   * Publishes both trees.
   * @param users - how many users and groups the private tree maps
   * @param signal - stops it, until it has been decided on
   * @returns files in the output that themecast did not make, and that were left alone
   */
  async publish(
    files: readonly OutputFile[],
    edgeFiles: readonly (OutputFile | PrivateFile)[],
    users: number,
    signal?: AbortSignal,
  ): Promise<string[]> {
    const [out, edge] = this.#trees;
    const list = { version: 1, users, files: edgeFiles.map((file) => file.path) };
    const privateList = { path: PRIVATE_LIST.file, content: { text: `${JSON.stringify(list)}\n` } };
    const id = randomUUID();
    const foreign: string[] = [];
    try {
      const { change, history } = await this.#publicChange(files).catch(says(out.folder));
      foreign.push(...(await this.#prepare(change, id, signal).catch(says(out.folder))));
      const privateChange = await this.#privateChange([...edgeFiles, privateList]).catch(says(edge.folder));
      foreign.push(...(await this.#prepare(privateChange, id, signal).catch(says(edge.folder))));
      signal?.throwIfAborted();
      await writeHistory(this.#historyFile, { ...history, pending: id }).catch(says(this.#historyFile));
      this.#history = history;
    } catch (error) {
      await this.#clear();
      throw error;
    }
    await this.#complete(id).catch((error: unknown) => {
      throw sayHalfway(error);
    });
    await this.#clear();
    return foreign;
  }

  async #lock(folder: string): Promise<void> {
    await mkdir(path.dirname(folder), { recursive: true });
    this.#locks.push(await takeLock(besides(folder, 'lock'), folder));
  }

  async #check(tree: Tree): Promise<void> {
    await checkMade(tree, this.#hasReleases);
    const stat = tree.isPrivate ? await lstat(tree.folder).catch(() => undefined) : undefined;
    if (stat !== undefined && (stat.mode & 0o077) !== 0) await chmod(tree.folder, 0o700);
  }

  /** Completes the publication that was decided on, if there is one, and removes every other that was begun. */
  async #recover(): Promise<void> {
    this.#history = await readHistory(this.#historyFile);
    const { pending, ...history } = this.#history;
    this.#history = history;
    if (pending !== undefined) await this.#complete(pending);
    await this.#clear();
  }

  async #publicChange(outputFiles: readonly OutputFile[]): Promise<{ change: Change; history: History }> {
    const [tree] = this.#trees;
    const files = outputFiles.map(measured);
    const named = new Set(files.map((file) => file.path));
    const gone = (await listedFiles(await liveFolder(tree.folder), tree)).filter((file) => !named.has(file));
    const { retired, expired } = retire(
      this.#history.retired,
      gone.filter((file) => file.startsWith('media/')),
      named,
      new Date(),
    );
    const retained = retired.flatMap((one) => one.files);
    if (!this.#hasReleases) {
      const remove = [...gone.filter((file) => !file.startsWith('media/')), ...expired];
      return { change: { tree, files, root: '', retained, remove }, history: { version: 1, releases: [], retired } };
    }
    const root = releaseOf(tree, files);
    const all = [...this.#history.releases.filter((release) => release !== root), root];
    const outdated = all.slice(0, -KEPT_RELEASES);
    const remove = (await Promise.all(outdated.map((release) => releaseFiles(tree, release)))).flat();
    const history: History = { version: 1, releases: all.slice(-KEPT_RELEASES), retired };
    return { change: { tree, files, root, retained, remove }, history };
  }

  async #privateChange(privateFiles: readonly (OutputFile | PrivateFile)[]): Promise<Change> {
    const [, tree] = this.#trees;
    const files = privateFiles.map(measured);
    if (!this.#hasReleases) {
      const named = new Set(files.map((file) => file.path));
      const remove = (await listedFiles(tree.folder, tree)).filter((file) => !named.has(file));
      return { tree, files, root: '', retained: [], remove };
    }
    const root = releaseOf(tree, files);
    const old = await liveRelease(tree.folder);
    const remove = old === undefined || old === root ? [] : await releaseFiles(tree, old);
    return { tree, files, root, retained: [], remove };
  }

  /**
   * Stages a tree, with the plan of what is then to be done; nothing that is published changes.
   * @returns files that themecast did not make
   */
  async #prepare(
    { tree, files, root: below, retained, remove }: Change,
    id: string,
    signal: AbortSignal | undefined,
  ): Promise<string[]> {
    const root = path.join(tree.folder, below);
    const live = await liveFolder(tree.folder);
    const listing = await listTree(root);
    const earlier = tree.isPrivate ? [] : [...this.#history.retired.flatMap((one) => one.files), ...retained];
    const own = new Set([...(await listedFiles(root, tree)), ...earlier]);
    checkFree(root, listing, own, files);

    const staging = stagingOf(tree.folder, id);
    await makeFolder(tree.folder, tree.isPrivate);
    await makeFolder(staging, true);
    const folders = { root, live, staging: path.join(staging, 'files') };
    const written = new Set(await stage(tree, folders, files, signal));
    const linked =
      below === ''
        ? []
        : await stageOld(
            folders,
            retained.filter((file) => !listing.has(file)),
          );
    const phases = [0, 1, 2, 3].map((phase) =>
      files.flatMap((file) => (written.has(file.path) && phaseOf(tree, file.path) === phase ? [file.path] : [])),
    );
    const inside = below === '' ? remove.filter((file) => listing.get(file) === 'file') : remove;
    const plan: Plan = { root: below, phases: [linked, ...phases], remove: inside };
    await replaceFile(path.join(staging, 'plan.json'), JSON.stringify(plan), 0o600);
    return [...listing].flatMap(([file, kind]) => (kind === 'folder' || own.has(file) ? [] : [path.join(root, file)]));
  }

  /** Does what the plans of a publication say; what was done of it before is not done again. */
  async #complete(id: string): Promise<void> {
    const planned: { tree: Tree; staging: string; plan: Plan }[] = [];
    for (const tree of this.#trees) {
      const staging = stagingOf(tree.folder, id);
      const plan = await readPlan(staging);
      if (plan !== undefined) planned.push({ tree, staging, plan });
    }
    for (const { tree, staging, plan } of planned) {
      await moveIn(tree, path.join(staging, 'files'), plan);
      if (plan.root !== '') await makeLive(tree, staging, plan.root);
    }
    for (const { tree, plan } of planned) await removeFiles(tree.folder, plan.remove);
    await writeHistory(this.#historyFile, this.#history);
  }

  /** Removes what is staged; what cannot be removed is, at the start of the next build. */
  async #clear(): Promise<void> {
    for (const { folder } of this.#trees) {
      for (const id of await stagedIn(folder))
        await rm(stagingOf(folder, id), { recursive: true, force: true }).catch(() => undefined);
    }
  }
}

/** In which order files get to their places: pictures, configs, the list and what else there is, and last the list of files. */
function phaseOf({ list }: Tree, file: string): number {
  if (file === list.file) return 3;
  return file.startsWith('media/') ? 0 : file.startsWith('api/v2/theme/config/') ? 1 : 2;
}

function says(folder: string): (error: unknown) => never {
  return (error) => {
    throw sayWhere(error, folder);
  };
}

async function readPlan(staging: string): Promise<Plan | undefined> {
  const file = path.join(staging, 'plan.json');
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const plan = parsedPlan(text);
  if (plan !== undefined) return plan;
  throw new PublishError(`${file} is damaged. Remove ${staging}, and build again.`);
}

/** A plan, if none of its paths leads out of the tree. */
function parsedPlan(text: string): Plan | undefined {
  try {
    const plan = JSON.parse(text) as Plan;
    const files = [...plan.phases.flat(), ...plan.remove];
    return (plan.root === '' || RELEASE.test(plan.root)) && files.every(isPathBelow) ? plan : undefined;
  } catch {
    return undefined; // not JSON, or of another form
  }
}
