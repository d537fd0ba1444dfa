import path from 'node:path';
import type { CheckOptions, CheckResult } from '../compiler/api.ts';
import type { Resources } from '../compiler/resources.ts';
import { acquireDecoders } from '../decoder/shared.ts';
import { Queue } from '../disk/concurrency.ts';
import type { MediaFolder } from './media-folder.ts';
import { preview } from './preview.ts';
import { LastCommit } from './last-commit.ts';
import type { Message } from './events.ts';
import { applyEdits, type FileEdit, History, type Step } from '../compiler/file-edits.ts';
import { SITE_DEFAULTS } from '../theme/site.ts';
import { differing, lookAt, NOTHING_SEEN, type Seen, watch } from './watch.ts';
import { RewriteError } from '../compiler/rewrite.ts';

/** The themes on the pages, each as far as it is valid. */
export type View = Awaited<ReturnType<typeof preview>>;

/** A successful build. */
export type Shown = View & { media: NonNullable<View['media']> };

/** The result of one build. */
export interface Update {
  /** The files whose changes led to it, relative to the working directory. */
  changed: readonly string[];
  /** The diagnostics, or the reason why the themes could not be read at all. */
  result: CheckResult | Error;
  /** Whether there is a successful build, this or an earlier one. */
  isShown: boolean;
  rendered: number;
  milliseconds: number;
}

/** The themes while they are edited: the last successful build, and the problems that prevent the next one. */
export class Session {
  readonly options: CheckOptions & { cwd: string };
  readonly media: MediaFolder;
  readonly resources: Resources;
  readonly commit: LastCommit;
  /** Changes one after another, so that each sees what the one before has written. */
  readonly edits = new Queue();
  readonly history = new History();
  /** Called after every build, once {@link shown} and {@link problems} are updated. */
  onUpdate: (update: Update) => void = () => undefined;
  /** The number of what the pages show: another after each build, successful or not. Starts from the current time, so that no two servers share one. */
  build = Date.now();
  /** The last successful build. */
  shown: Shown | undefined;
  view: View | undefined;
  /** The problems that prevent a build of the current themes. */
  problems: CheckResult | Error | undefined;
  readonly #stop: AbortSignal;
  readonly #work = new Queue();
  #isAgain = false;
  #seen = NOTHING_SEEN;
  #watching: Promise<void> | undefined;

  /** @param stop - stops what is in progress; {@link close} then cleans up */
  constructor(
    options: CheckOptions & { cwd: string },
    caches: Pick<Resources, 'cache' | 'memory'>,
    media: MediaFolder,
    stop: AbortSignal,
  ) {
    this.options = options;
    const { decoders, release } = acquireDecoders();
    this.resources = { ...caches, decoders };
    this.commit = new LastCommit(options.themesDir, this.resources);
    this.media = media;
    this.#stop = stop;
    stop.addEventListener('abort', release);
  }

  /** The themes as they were compiled last. @throws {RewriteError} if they cannot be read */
  get current(): Pick<View, 'compiled' | 'linked' | 'found'> {
    if (this.view === undefined) throw new RewriteError('the themes cannot be read');
    return this.view;
  }

  /** Has {@link current} see what has been written elsewhere. */
  async refresh(): Promise<void> {
    const seen = this.#look();
    const isSame = seen.prints.size === this.#seen.prints.size && differing(this.#seen, seen).length === 0;
    if (!isSame) await this.update(seen);
  }

  /** The current settings, as far as they can be parsed. */
  get site() {
    return this.view?.site ?? SITE_DEFAULTS;
  }

  /** The current message to open pages; undefined before the first build. */
  get message(): Message | undefined {
    return this.view && { type: this.problems === undefined ? 'built' : 'problems', build: this.build };
  }

  /** Builds once, and then whenever a file changes. */
  async start(): Promise<void> {
    await this.update();
    if (this.#stop.aborted) return;
    this.#watching = watch(
      () => this.#look(),
      () => this.#seen,
      (seen, changed) => this.update(seen, changed),
      this.#stop,
    );
  }

  /**
   * Writes files, and shows the result.
   * @param label - the name of the change, after "Undo: "
   * @throws as {@link applyEdits}
   */
  async write(
    slug: string,
    edits: readonly FileEdit[],
    label: string,
    written: () => void = () => undefined,
  ): Promise<void> {
    await this.#work.run(() => applyEdits(this.options.themesDir, edits));
    written();
    this.history.add({ slug, label, edits });
    await this.update(this.#look(slug));
  }

  /** Undoes the latest change, or makes it again, and shows the result. @throws {RewriteError} if one of its files has changed since */
  async move(from: 'undo' | 'redo'): Promise<Step> {
    const step = await this.#work.run(() => this.history.move(from, this.options.themesDir));
    await this.update();
    return step;
  }

  /** When the files of each theme last changed here, in milliseconds since 1970, by its slug. */
  changeTimes(): ReadonlyMap<string, number> {
    const root = path.join(this.options.themesDir, path.sep);
    const times = new Map<string, number>();
    for (const [file, identity] of this.#seen.files) {
      const [slug = ''] = file.startsWith(root) ? file.slice(root.length).split(path.sep) : [];
      times.set(slug, Math.max(times.get(slug) ?? 0, Number(identity.split(' ')[2] ?? 0)));
    }
    return times;
  }

  /** Waits for what is in progress and removes the files of this session. */
  async close(): Promise<void> {
    await this.#watching;
    await this.#work.idle();
    await this.media.remove();
    await this.commit.close();
    await this.resources.memory.save();
    await this.resources.cache.close();
  }

  /** The files that are watched, as they are. @param slug - of the theme that alone may have changed. Default: every one */
  #look(slug?: string): Seen {
    const { themesDir, users } = this.options;
    return lookAt(
      themesDir,
      users === undefined ? [] : [users],
      slug === undefined ? undefined : { slug, before: this.#seen },
    );
  }

  /** Compiles what has changed. @param changed - the files that are named as the reason */
  update(seen: Seen = this.#look(), changed: readonly string[] = []): Promise<void> {
    return this.#work.run(async () => {
      if (this.#stop.aborted) return;
      const started = performance.now();
      const result = await this.#attempt(seen).catch((error: unknown) =>
        error instanceof Error ? error : new Error(String(error)),
      );
      if (this.#stop.aborted || result === undefined) return;
      // Disk and memory errors, and bugs: the last successful build is still served.
      if (result instanceof Error) this.problems = result;
      else this.#show(result);
      // A disk may fail once: one more attempt, although no file changes.
      const isUnread =
        result instanceof Error || result.found.diagnostics.some(({ code }) => code === 'file/unreadable');
      if (isUnread && !this.#isAgain) this.#seen = NOTHING_SEEN;
      this.#isAgain = isUnread && !this.#isAgain;
      const found =
        result instanceof Error ? { result, rendered: 0 } : { result: result.found, rendered: result.rendered };
      this.build++;
      const milliseconds = performance.now() - started;
      this.onUpdate({ changed, ...found, isShown: this.shown !== undefined, milliseconds });
    });
  }

  /** @returns nothing if files are being written: the next check finds them */
  async #attempt(seen: Seen, again?: ReadonlySet<string>): Promise<View | undefined> {
    const { cache } = this.resources;
    this.#seen = seen;
    cache.begin();
    const view = await preview(
      { ...this.options, fingerprints: seen.prints, ...(again && { recompile: again }) },
      this.resources,
    );
    if (this.#stop.aborted) return undefined;
    const changed = await this.media.place(view.files, this.options.themesDir, cache);
    if (changed.size === 0) return view;
    // Either a thumbnail was lost, or a file is being written.
    return again === undefined ? this.#attempt(seen, changed) : undefined;
  }

  #show(view: View): void {
    const { media, found } = view;
    if (media !== undefined) this.shown = { ...view, media };
    this.view = view;
    this.problems = media === undefined ? found : undefined;
  }
}
