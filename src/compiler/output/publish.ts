import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Report } from '../../diagnostics/diagnostic.ts';
import { MANIFEST_MARK } from '../../document/manifest-mark.ts';
import { factsOf, partsOf } from '../../document/output-file.ts';
import { originalPath, thumbnailPath } from '../../image/name.ts';
import type { Cache } from '../cache.ts';
import { readThumbnail } from '../media-content.ts';
import type { Stage } from '../tools.ts';
import { PRIVATE_LIST } from '../../hosts/edge-names.ts';
import { type Change, changeOf, touchedFolders, type FileToPublish } from './changes.ts';
import { ContainedFolder } from '../../disk/contained-folder.ts';
import { type Fingerprints, takeFingerprints, untilSettled } from '../fingerprints.ts';
import { type ListedFiles, listedFiles, privateListOf, readList } from './file-list.ts';
import { takeLock } from '../../disk/lock.ts';
import { moveIn, removeFiles } from './moving.ts';
import { checkOwnership } from './ownership.ts';
import { fileBeside, checkDirectories, isStagingName, type OutputDirectory } from './output-directory.ts';
import { wrapHalfwayError } from './publish-error.ts';
import type { Content, OutputState, NewPublication } from './new-publication.ts';
import { type PublicationOptions, trackedOutput } from './tracked-output.ts';
import { failsIn, Staging, type StopSignal } from './staging.ts';
import { checkoutAround } from '../../disk/checkout.ts';

/** The themes and figures of the published site. */
export interface PublishedSite {
  themes: readonly string[];
  users: number;
}

/**
 * The output of a build, locked from `open` to `close` so that there are never two writers.
 *
 * A publication is prepared in a hidden folder inside each output directory, on the same file system; nothing else changes until it is complete.
 * Then files are renamed into place: images, the documents that refer to them, the list, the manifest; then the edge directory. Old files are
 * removed last. Whenever a build is killed, each document is complete, and the next build recognises the files that themecast made by their names
 * and contents ({@link ourFiles}).
 */
export class Publication {
  /** The public directory first: a theme is published before rules assign it to anyone. */
  readonly #directories: readonly [OutputDirectory, OutputDirectory];
  readonly #locks: (() => Promise<void>)[] = [];
  #hasChanged = false;
  #list: Promise<ListedFiles> | undefined;
  readonly #staged: readonly [Staging, Staging];

  private constructor(trees: readonly [OutputDirectory, OutputDirectory]) {
    this.#directories = trees;
    this.#staged = [new Staging(trees[0]), new Staging(trees[1])];
  }

  /**
   * Locks the output, removes the preparations of a killed build, and checks that themecast made both directories.
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
    const publication = new Publication([
      { dir: new ContainedFolder(folders[0]), list: MANIFEST_MARK, isPrivate: false },
      { dir: new ContainedFolder(folders[1]), list: PRIVATE_LIST, isPrivate: true },
    ]);
    try {
      for (const folder of folders) await publication.#lock(folder).catch(failsIn(folder));
      for (const directory of publication.#directories)
        await checkOwnership(directory).catch(failsIn(directory.dir.path));
      await publication.#clear();
    } catch (error) {
      await publication.close();
      throw error;
    }
    return publication;
  }

  async close(): Promise<void> {
    if (!this.#hasChanged) for (const staging of this.#staged) await staging.discard();
    // A lock that cannot be removed belongs to a process that is about to end.
    for (const release of this.#locks.splice(0)) await release().catch(() => undefined);
  }

  /**
   * Returns the functions that stage images before all checks are done, while their bytes are in memory.
   * @param isWanted - whether there is no error yet
   */
  stage(cache: Cache, isWanted: () => boolean): Stage {
    const [staged] = this.#staged;
    return {
      wants: (slug) => isWanted() && staged.lacks(`media/${slug}`),
      original: async (slug, { path: name, format, sha256 }, bytes) => {
        if (isWanted()) await staged.addNew(originalPath(slug, name, format, sha256), bytes);
      },
      thumbnail: async (slug, name, thumbnail) => {
        const file = thumbnailPath(slug, name, thumbnail.format, thumbnail.sha256, thumbnail.marker);
        const bytes = isWanted() && staged.lacks(`media/${slug}`) ? readThumbnail(thumbnail, cache) : undefined;
        if (bytes !== undefined) await staged.addNew(file, bytes);
      },
    };
  }

  /** Returns the site that is published now; nothing if there is none. */
  async published(): Promise<PublishedSite | undefined> {
    const [, edge] = this.#directories;
    const files = await this.#listedFiles();
    if (files.size === 0) return undefined;
    const names = [...files.keys()].flatMap((file) => /^api\/v2\/theme\/config\/(.+)\.json$/.exec(file)?.[1] ?? []);
    const { users = 0 } = (await readList(edge)) ?? {};
    return { themes: names.filter((name) => name !== 'index' && name !== 'options'), users };
  }

  /** Returns whether both output directories are as the publication left them that returned this state. */
  isUnchanged({ fingerprints: prints }: OutputState): boolean {
    return this.#directories.every(
      (directory, at) => prints[at] !== undefined && fingerprintsOf(directory).get('') === prints[at],
    );
  }

  /** Publishes both output directories. @returns foreign files, which were left alone; and the new state of the output */
  async publish<F extends FileToPublish>(
    publication: NewPublication<F>,
  ): Promise<{ foreign: string[]; state: OutputState }> {
    const { privateContentOf, users, previous: left, signal } = publication;
    const [out, edge] = this.#directories;
    const fingerprints = this.#directories.map((directory) => fingerprintsOf(directory)) as [
      Fingerprints,
      Fingerprints,
    ];
    const isUnchanged = (at: 0 | 1): boolean =>
      left?.fingerprints[at] !== undefined && left.fingerprints[at] === fingerprints[at].get('');
    const previousOut = isUnchanged(0) ? left : undefined;
    const previousEdge =
      left && isUnchanged(1)
        ? { files: new Map(Object.entries(left.privateFiles)), foreign: left.foreign[1] }
        : undefined;
    const publicChange = await this.#publicChange(publication, previousOut).catch(failsIn(out.dir.path));
    const manifest = publicChange.listDigest ?? previousOut?.manifest ?? '';
    const privateFiles = publication.privateFiles(manifest);
    const privateList = privateListOf(users, privateFiles);
    const list = factsOf(privateList);
    const edgeContentOf = ({ path: name }: FileToPublish): Promise<Content> | Content =>
      name === list.path ? partsOf(privateList) : privateContentOf(name);
    const [, edgeStaged] = this.#staged;
    const changes = [
      publicChange,
      await changeOf(edge, edgeStaged, [...privateFiles, list], edgeContentOf, previousEdge, signal).catch(
        failsIn(edge.dir.path),
      ),
    ] as const;
    const isSame = changes.every(
      ({ phases, remove, emptiedFolders: emptied }) => [...phases.flat(), ...remove, ...emptied].length === 0,
    );
    if (!isSame) await this.#move(changes, signal);
    const newFingerprints = isSame ? fingerprints : await this.#fingerprintsAfter(changes, fingerprints);
    return {
      foreign: changes.flatMap(({ directory: tree, foreign }) => foreign.map((name) => path.join(tree.dir.path, name))),
      state: {
        fingerprints: [newFingerprints[0].get(''), newFingerprints[1].get('')],
        manifest,
        privateFiles: Object.fromEntries([...privateFiles, list].map((file) => [file.path, file.sha256])),
        foreign: [changes[0].foreign, changes[1].foreign],
      },
    };
  }

  async #publicChange<F extends FileToPublish>(
    { files, contentOf, manifest, signal }: NewPublication<F>,
    previous: OutputState | undefined,
  ): Promise<Change> {
    const [directory] = this.#directories;
    const [staged] = this.#staged;
    const foreign = previous?.foreign[0] ?? [];
    if (previous !== undefined && previous.manifest === manifest)
      return { directory, staging: staged.folder, phases: [], remove: [], emptiedFolders: [], foreign };
    const publishedFiles =
      previous && new Map([...(await this.#listedFiles()), [MANIFEST_MARK.file, previous.manifest]]);
    const state = publishedFiles && { files: publishedFiles, foreign };
    return changeOf(directory, staged, files, contentOf, state, signal);
  }

  /** Returns the files of the public output from its list, which is read once. */
  #listedFiles(): Promise<ListedFiles> {
    return (this.#list ??= listedFiles(this.#directories[0]));
  }

  async #move(changes: readonly Change[], signal: StopSignal | undefined): Promise<void> {
    for (const [index, { dir }] of this.#directories.entries())
      await this.#staged[index]?.flush().catch(failsIn(dir.path));
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

  /** Returns the fingerprints of both directories after a change. Only the folders that it touched are examined. */
  async #fingerprintsAfter(
    changes: readonly Change[],
    before: readonly [Fingerprints, Fingerprints],
  ): Promise<[Fingerprints, Fingerprints]> {
    await untilSettled(Date.now());
    const [out, edge] = this.#directories.map((directory, at) => {
      const change = changes[at];
      return fingerprintsOf(directory, change && { before: before[at] ?? new Map(), changed: touchedFolders(change) });
    });
    return [out ?? new Map(), edge ?? new Map()];
  }

  async #lock(folder: string): Promise<void> {
    const parent = path.dirname(folder);
    await mkdir(parent, { recursive: true });
    this.#locks.push(await takeLock(fileBeside(folder, 'lock'), folder));
  }

  /** Removes staged files. If that fails, the next build removes them at its start. */
  async #clear(): Promise<void> {
    for (const { dir } of this.#directories)
      for (const { name } of await dir.list().catch(() => []))
        if (isStagingName(name)) await dir.removeTree(name).catch(() => undefined);
  }
}

function fingerprintsOf(
  { dir }: OutputDirectory,
  since?: { before: Fingerprints; changed: ReadonlySet<string> },
): Fingerprints {
  const isIgnored = (name: string, below: string): boolean => below === '' && isStagingName(name);
  return takeFingerprints(dir.path, { isIgnored, ...(since && { since }) });
}
