import path from 'node:path';
import type { CheckOptions, CheckResult } from '../../../compiler/api.ts';
import type { CompileOptions } from '../../../compiler/compile/compile.ts';
import type { CompiledSite } from '../../../compiler/model.ts';
import { LostThumbnail, mediaContent } from '../../../compiler/store/media-content.ts';
import type { Resources } from '../../../compiler/store/resources.ts';
import { acquireDecoders } from '../../../system/decoder/shared.ts';
import { Queue } from '../../../system/disk/concurrency.ts';
import { Hints } from './hints.ts';
import { preview } from './preview.ts';
import { LastCommit } from './last-commit.ts';
import type { Message } from './events.ts';
import { checkedOut } from '../../../system/disk/checkout.ts';
import { applyEdits, type FileEdit, History, merged, RewriteError, type Step } from '../edits/file-edits.ts';
import { SITE_DEFAULTS } from '../../../core/theme/site/site.ts';
import { changedFiles, EMPTY_SNAPSHOT, type Snapshot, takeSnapshot, watch } from './watch.ts';

/** The current themes for the pages, with their valid parts. */
export type View = Awaited<ReturnType<typeof preview>>;

/** A successful build. */
export type GoodBuild = View & { published: NonNullable<View['published']> };

export interface Update {
  /** The diagnostics, or an error if the themes could not be read. */
  result: CheckResult | Error;
  /** Whether a successful build is served, this one or an earlier one. */
  isServed: boolean;
  rendered: number;
  milliseconds: number;
}

/** Builds the themes while they are edited. Holds the last successful build, and the problems that prevent the next. */
export class Session {
  readonly options: CheckOptions & { cwd: string };
  readonly resources: Resources;
  readonly commit: LastCommit;
  /** The themes that have changed since this server started, and were not proposed since. */
  readonly touched = new Set<string>();
  /** Runs changes one after another, so that each sees the files of the previous one. */
  readonly edits = new Queue();
  readonly history = new History();
  /** Called after every build, once {@link goodBuild} and {@link problems} are updated. */
  onUpdate: (update: Update) => void = () => undefined;
  /** Called once if changes are found by polling alone, and why. */
  onPolling: (reason: string) => void = () => undefined;
  /** The number of the last build, successful or not. Starts from the current time, so that no two servers share a number. */
  build = Date.now();
  /** The last successful build. */
  goodBuild: GoodBuild | undefined;
  view: View | undefined;
  /** The problems that prevent a build of the current themes. */
  problems: CheckResult | Error | undefined;
  readonly #stop: AbortSignal;
  readonly #work = new Queue();
  /** What was checked out at the last change. */
  #branch: string | undefined;
  #snapshot = EMPTY_SNAPSHOT;
  /** The snapshot of the current view. */
  #viewed = EMPTY_SNAPSHOT;
  #compiled: CompiledSite | undefined;
  #watching: Promise<void> | undefined;

  /** @param stop - stops work in progress; {@link close} then cleans up */
  constructor(options: CheckOptions & { cwd: string }, caches: Omit<Resources, 'decoders'>, stop: AbortSignal) {
    this.options = options;
    const { decoders, release } = acquireDecoders();
    this.resources = { ...caches, decoders };
    this.commit = new LastCommit(options.themesDir, this.resources);
    this.#stop = stop;
    this.#branch = checkedOut(options.themesDir);
    stop.addEventListener('abort', release);
  }

  /** The last compiled themes. @throws {RewriteError} if they cannot be read */
  get current(): Pick<View, 'compiled' | 'linked' | 'checkResult'> {
    if (this.view === undefined) throw new RewriteError('the themes cannot be read');
    return this.view;
  }

  /** Updates {@link current} if other programs have changed files. @param slug - the only theme to look at. Default: all files */
  async refresh(slug?: string): Promise<void> {
    const snapshot = this.#takeSnapshot(slug);
    const isSameSize = snapshot.folders.size === this.#snapshot.folders.size;
    if (!isSameSize || changedFiles(this.#snapshot, snapshot).length > 0) await this.update(snapshot);
  }

  /** @param file - relative to the working directory */
  #touch(file: string): void {
    const [slug = '', ...inside] = path
      .relative(this.options.themesDir, path.resolve(this.options.cwd, file))
      .split(path.sep);
    if (inside.length > 0 && slug !== '..') this.touched.add(slug);
  }

  /** Forgets the steps of another branch. */
  #forgetOtherBranch(): void {
    const branch = checkedOut(this.options.themesDir);
    if (branch !== this.#branch) this.history.clear();
    this.#branch = branch;
  }

  /** The current settings, with defaults for invalid ones. */
  get site() {
    return this.view?.site ?? SITE_DEFAULTS;
  }

  /** The current message to open pages; undefined before the first build. */
  get message(): Message | undefined {
    return this.view && { type: this.problems === undefined ? 'built' : 'problems', build: this.build };
  }

  /** Builds once, and again after every change of a file. */
  async start(): Promise<void> {
    await this.update();
    if (this.#stop.aborted) return;
    const hints = new Hints(this.options.themesDir, this.onPolling);
    hints.follow(this.view?.slugs ?? []);
    this.#watching = watch(
      (only) => this.#takeSnapshot(only),
      () => this.#snapshot,
      async (snapshot, changed) => {
        for (const file of changed) this.#touch(file);
        await this.update(snapshot);
        hints.follow(this.view?.slugs ?? []);
      },
      this.#stop,
      hints,
    ).finally(() => hints.close());
  }

  /**
   * Writes files, and builds.
   * @param label - the name of the change, after "Undo: "
   * @throws as {@link applyEdits}
   */
  async write(slug: string, changes: readonly FileEdit[], label: string): Promise<void> {
    const edits = merged(changes);
    await this.#work.run(() => applyEdits(this.options.themesDir, edits));
    this.#forgetOtherBranch();
    this.history.add({ slug, label, edits });
    this.touched.add(slug);
    await this.update(this.#snapshotAfter(slug, edits));
  }

  /** Undoes or redoes a change, and builds. @throws {RewriteError} if one of its files has changed since */
  async move(from: 'undo' | 'redo'): Promise<Step> {
    this.#forgetOtherBranch();
    const step = await this.#work.run(() => this.history.move(from, this.options.themesDir));
    await this.update(this.#snapshotAfter(step.slug, step.edits));
    return step;
  }

  /** Looks at the folder of one theme alone, if a change is inside it. */
  #snapshotAfter(slug: string, edits: readonly FileEdit[]): Snapshot {
    return this.#takeSnapshot(edits.every(({ name }) => name.startsWith(`${slug}/`)) ? slug : undefined);
  }

  /** Waits for work in progress, such as the first build. */
  idle(): Promise<void> {
    return this.#work.idle();
  }

  /** Waits for work in progress, and closes what this session has opened. */
  async close(): Promise<void> {
    await this.#watching;
    await this.idle();
    this.resources.table.save();
    await this.resources.cache.close();
  }

  /** Takes a snapshot of the watched files. @param slug - the only theme that may have changed. Default: any */
  #takeSnapshot(slug?: string): Snapshot {
    const { themesDir, users } = this.options;
    const isKnown = slug !== undefined && this.#snapshot !== EMPTY_SNAPSHOT;
    const only = isKnown ? { slug, before: this.#snapshot } : undefined;
    return takeSnapshot(themesDir, users === undefined ? [] : [users], only);
  }

  /** Builds the changed themes. @param recompile - themes that have lost a thumbnail */
  update(snapshot: Snapshot = this.#takeSnapshot(), recompile: ReadonlySet<string> = new Set()): Promise<void> {
    return this.#work.run(async () => {
      if (this.#stop.aborted) return;
      this.#forgetOtherBranch();
      const started = performance.now();
      const result = await this.#attempt(snapshot, recompile).catch((error: unknown) =>
        error instanceof Error ? error : new Error(String(error)),
      );
      if (this.#stop.aborted) return;
      // After an error of the disk, the memory or a bug, the last successful build is still served.
      if (result instanceof Error) this.problems = result;
      else this.#show(result);
      const outcome =
        result instanceof Error ? { result, rendered: 0 } : { result: result.checkResult, rendered: result.rendered };
      this.build++;
      const milliseconds = performance.now() - started;
      this.onUpdate({ ...outcome, isServed: this.goodBuild !== undefined, milliseconds });
    });
  }

  /** Builds. @param recompile - the themes whose stored result is ignored */
  async #attempt(snapshot: Snapshot, recompile: ReadonlySet<string>): Promise<View> {
    this.#snapshot = snapshot;
    this.resources.cache.begin();
    const view = await preview({ ...this.options, since: this.#since(snapshot), recompile }, this.resources);
    this.#viewed = snapshot;
    this.#compiled = view.compiled;
    return view;
  }

  /** Reads an image by its published path; undefined if there is none, or if its file has changed since the build. */
  async image(path: string): Promise<Buffer | undefined> {
    const file = this.view?.files.get(path) ?? this.goodBuild?.files.get(path);
    if (file === undefined) return undefined;
    const read = () => mediaContent(file, this.options.themesDir, this.resources.cache);
    return read()
      .catch(async (error: unknown) => {
        if (!(error instanceof LostThumbnail)) throw error;
        await this.update(undefined, new Set([file.slug]));
        return read();
      })
      .catch(() => undefined);
  }

  /** Returns the last compilation, and the themes that have changed since. */
  #since(snapshot: Snapshot): CompileOptions['since'] {
    const site = this.#compiled;
    if (site === undefined) return undefined;
    const files = changedFiles(this.#viewed, snapshot);
    const root = path.resolve(this.options.themesDir);
    const changed = new Set(files.map((file) => path.relative(root, path.resolve(file)).split(path.sep)[0] ?? ''));
    return { site, changed };
  }

  #show(view: View): void {
    const { published, checkResult } = view;
    if (published !== undefined) this.goodBuild = { ...view, published };
    this.view = view;
    this.problems = published === undefined ? checkResult : undefined;
  }
}
