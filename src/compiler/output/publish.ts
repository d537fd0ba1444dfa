import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Report } from '../../diagnostics/diagnostic.ts';
import { MANIFEST_MARK } from '../../document/manifest-mark.ts';
import { factsOf, partsOf, type PrivateFile } from '../../document/output-file.ts';
import { originalPath, thumbnailPath } from '../../image/name.ts';
import type { Cache } from '../cache.ts';
import { readThumbnail } from '../media-content.ts';
import type { Stage } from '../tools.ts';
import { PRIVATE_LIST } from '../../hosts/edge-names.ts';
import { type Change, changeOf, touchedFolders, type Wanted } from './changes.ts';
import { ContainedFolder } from '../../disk/contained-folder.ts';
import { type Fingerprints, takeFingerprints, untilSettled } from '../fingerprints.ts';
import { type ListedFiles, listedFiles, readList } from './file-list.ts';
import { takeLock } from '../../disk/lock.ts';
import { moveIn, removeFiles } from './moving.ts';
import { checkMade } from './ownership.ts';
import { besides, checkPlaces, isStagingName, type Tree } from './places.ts';
import { wrapHalfwayError } from './publish-error.ts';
import type { Content, LeftOutput, NewPublication } from './new-publication.ts';
import { type PublicationOptions, trackedOutput } from './tracked-output.ts';
import { failsIn, Staging, type StopSignal } from './staging.ts';
import { checkoutAround, isCommittedLink, type TrackedFile } from '../../git/tracked.ts';

/** The published site, as far as it is known. */
export interface Published {
  themes: readonly string[];
  /** Users and groups that are mapped. */
  users: number;
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
  #list: Promise<ListedFiles> | undefined;
  /** The staged files of each tree. */
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
   * @throws {ThemecastError | ContainmentError}
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

  /**
   * Takes images before it is known whether all is well, because their bytes are in memory just then.
   * @param isWanted - whether there is no error yet
   */
  stage(cache: Cache, isWanted: () => boolean): Stage {
    const [staged] = this.#staged;
    return {
      wants: (slug) => isWanted() && staged.lacks(`media/${slug}`),
      original: async (slug, { path: name, format, sha256 }, published) => {
        if (isWanted()) await staged.addNew(originalPath(slug, name, format, sha256), published);
      },
      thumbnail: async (slug, name, thumbnail) => {
        const at = thumbnailPath(slug, name, thumbnail.format, thumbnail.sha256, thumbnail.marker);
        const bytes = isWanted() && staged.lacks(`media/${slug}`) ? readThumbnail(thumbnail, cache) : undefined;
        if (bytes !== undefined) await staged.addNew(at, bytes);
      },
    };
  }

  /** The site as it is published now; nothing if none is. */
  async published(): Promise<Published | undefined> {
    const [, edge] = this.#trees;
    const files = await this.#listed();
    if (files.size === 0) return undefined;
    const variants = [...files.keys()].flatMap((file) => /^api\/v2\/theme\/config\/(.+)\.json$/.exec(file)?.[1] ?? []);
    const { users = 0 } = (await readList(edge)) ?? {};
    return { themes: variants.filter((name) => name !== 'index' && name !== 'options'), users };
  }

  /** Whether the output is as a publication left it. */
  isLeft({ prints }: LeftOutput): boolean {
    return this.#trees.every((tree, at) => prints[at] !== undefined && printsOf(tree).get('') === prints[at]);
  }

  /**
   * Publishes both output directories.
   * @returns files in the output that themecast did not make, and that were left alone; and how the output was left
   */
  async publish<F extends Wanted>(wanted: NewPublication<F>): Promise<{ foreign: string[]; left: LeftOutput }> {
    const { privateContentOf, users, left, signal } = wanted;
    const [out, edge] = this.#trees;
    const prints = this.#trees.map((tree) => printsOf(tree)) as [Fingerprints, Fingerprints];
    const isLeft = (at: 0 | 1): boolean => left?.prints[at] !== undefined && left.prints[at] === prints[at].get('');
    const leftOut = isLeft(0) ? left : undefined;
    const leftEdge =
      left && isLeft(1) ? { files: new Map(Object.entries(left.privateFiles)), foreign: left.foreign[1] } : undefined;
    const publicChange = await this.#publicChange(wanted, leftOut).catch(failsIn(out.dir.path));
    const manifest = publicChange.list ?? leftOut?.manifest ?? '';
    const privateFiles = wanted.privateFiles(manifest);
    const privateList = privateListOf(users, privateFiles);
    const list = factsOf(privateList);
    const edgeContentOf = ({ path: name }: Wanted): Promise<Content> | Content =>
      name === list.path ? partsOf(privateList) : privateContentOf(name);
    const [, edgeStaged] = this.#staged;
    const changes = [
      publicChange,
      await changeOf(edge, edgeStaged, [...privateFiles, list], edgeContentOf, leftEdge, signal).catch(
        failsIn(edge.dir.path),
      ),
    ] as const;
    const isSame = changes.every(
      ({ phases, remove, emptied }) => [...phases.flat(), ...remove, ...emptied].length === 0,
    );
    if (!isSame) await this.#move(changes, signal);
    const after = isSame ? prints : await this.#printsAfter(changes, prints);
    return {
      foreign: changes.flatMap(({ tree, foreign }) => foreign.map((name) => path.join(tree.dir.path, name))),
      left: {
        prints: [after[0].get(''), after[1].get('')],
        manifest,
        privateFiles: Object.fromEntries([...privateFiles, list].map((file) => [file.path, file.sha256])),
        foreign: [changes[0].foreign, changes[1].foreign],
      },
    };
  }

  async #publicChange<F extends Wanted>(
    { files, contentOf, manifest, signal }: NewPublication<F>,
    left: LeftOutput | undefined,
  ): Promise<Change> {
    const [tree] = this.#trees;
    const [staged] = this.#staged;
    const foreign = left?.foreign[0] ?? [];
    if (left !== undefined && left.manifest === manifest)
      return { tree, staging: staged.folder, phases: [], remove: [], emptied: [], foreign };
    const known = left && new Map([...(await this.#listed()), [MANIFEST_MARK.file, left.manifest]]);
    return changeOf(tree, staged, files, contentOf, known && { files: known, foreign }, signal);
  }

  /** The files of the public output, by its list; read once. */
  #listed(): Promise<ListedFiles> {
    return (this.#list ??= listedFiles(this.#trees[0]));
  }

  async #move(changes: readonly Change[], signal: StopSignal | undefined): Promise<void> {
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
  }

  /** The fingerprints of both trees after a change: only the folders that it has touched are examined. */
  async #printsAfter(
    changes: readonly Change[],
    before: readonly [Fingerprints, Fingerprints],
  ): Promise<[Fingerprints, Fingerprints]> {
    await untilSettled(Date.now());
    const [out, edge] = this.#trees.map((tree, at) => {
      const change = changes[at];
      return printsOf(tree, change && { before: before[at] ?? new Map(), changed: touchedFolders(change) });
    });
    return [out ?? new Map(), edge ?? new Map()];
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

function printsOf({ dir }: Tree, since?: { before: Fingerprints; changed: ReadonlySet<string> }): Fingerprints {
  const isIgnored = (name: string, below: string): boolean => below === '' && isStagingName(name);
  return takeFingerprints(dir.path, { isIgnored, ...(since && { since }) });
}

/** The list of the private tree. */
function privateListOf(users: number, files: readonly Wanted[]): PrivateFile {
  const list = { version: 1, users, files: files.map((file) => file.path) };
  return { path: PRIVATE_LIST.file, content: { text: `${JSON.stringify(list)}\n` } };
}
