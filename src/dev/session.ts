import path from 'node:path';
import type { CheckOptions, CheckResult } from '../build/api.ts';
import { displayPath } from '../io/disk/files.ts';
import type { Decoders } from '../io/decoder/pool.ts';
import type { Resources } from '../build/resources.ts';
import { acquireDecoders } from '../io/decoder/shared.ts';
import { Queue } from '../io/concurrency.ts';
import type { MediaFolder } from './media-folder.ts';
import { preview } from './preview.ts';
import type { ShownTheme } from './drafts.ts';
import { type Comparison, LastCommit } from './last-commit.ts';
import { applyEdits, type FileEdit, History } from './file-edits.ts';
import type { AnyImageField } from '../theme/fields.ts';
import type { Theme } from '../theme/resolve.ts';
import { SITE_DEFAULTS } from '../theme/site.ts';
import { type Change, type Fingerprints, takeFingerprints, watch } from './watch.ts';

type Attempt = Awaited<ReturnType<typeof preview>>;

/** What the pages show: the last successful build, or else each theme as far as it is valid. */
export type View = Omit<Attempt, 'preview'>;

/** A successful build. */
export type Shown = NonNullable<Attempt['preview']>;

/** The result of one build. */
export interface Update {
  /** The files whose changes led to it, relative to the working directory. */
  changed: readonly Change[];
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
  /** Called after every build, once {@link shown} and {@link problems} are updated. */
  onUpdate: (update: Update) => void = () => undefined;
  /** The number of what the pages show: another after each build, successful or not. Starts from the current time, so that no two servers share one. */
  build = Date.now();
  /** The last successful build. */
  shown: Shown | undefined;
  /** What the pages show. */
  view: View | undefined;
  /** The problems that prevent a build of the current themes. */
  problems: CheckResult | Error | undefined;
  readonly #resources: Resources;
  readonly #commit: LastCommit;
  readonly #stop: AbortSignal;
  #fingerprints: Fingerprints = new Map();
  readonly #history = new History();
  readonly #work = new Queue();
  readonly #edits = new Queue();
  #watching: Promise<void> | undefined;
  /** The themes of the last successful build, for as long as their files have errors. */
  #good: ReadonlyMap<string, ShownTheme> = new Map();

  /** @param stop - stops what is in progress; {@link close} then cleans up */
  constructor(
    options: CheckOptions & { cwd: string },
    { cache, incremental }: Pick<Resources, 'cache' | 'incremental'>,
    media: MediaFolder,
    stop: AbortSignal,
  ) {
    this.options = options;
    const { decoders, release } = acquireDecoders();
    this.#resources = { cache, decoders, incremental };
    this.#commit = new LastCommit(options.themesDir, this.#resources);
    this.media = media;
    this.#stop = stop;
    stop.addEventListener('abort', release);
  }

  /** The current settings, as far as they can be parsed. */
  get site() {
    return this.view?.site ?? SITE_DEFAULTS;
  }

  /** Builds once, and then whenever a file changes. */
  async start(): Promise<void> {
    await this.rebuild();
    if (this.#stop.aborted) return;
    const update = (fingerprints: Fingerprints, changed: readonly Change[]): Promise<void> =>
      this.#update(fingerprints, changed);
    this.#watching = watch(
      () => this.#look(),
      () => this.#fingerprints,
      update,
      this.#stop,
    );
  }

  /** Builds everything from scratch. */
  async rebuild(): Promise<void> {
    this.#resources.incremental.clear();
    await this.#update(this.#look());
  }

  /** Writes files, and shows the result. @throws as {@link applyEdits} */
  async write(slug: string, edits: readonly FileEdit[]): Promise<void> {
    await this.#work.run(() => applyEdits(this.options.themesDir, edits));
    this.#history.add(slug, edits);
    await this.#update(this.#look());
  }

  /** Runs changes one after another, so that each sees what the one before has written. */
  serially<T>(change: () => Promise<T>): Promise<T> {
    return this.#edits.run(change);
  }

  /** Where images are decoded. */
  get decoders(): Decoders {
    return this.#resources.decoders;
  }

  /** Undoes the latest change of a theme, and shows the result. @throws {RewriteError} if one of its files has changed since */
  async undo(slug: string): Promise<void> {
    await this.#work.run(() => this.#history.undo(slug, this.options.themesDir));
    await this.#update(this.#look());
  }

  /** How many changes of a theme can be undone. */
  undoable(slug: string): number {
    return this.#history.count(slug);
  }

  /** The deleted themes that {@link undo} brings back. */
  get deleted(): string[] {
    return this.#history.deleted.filter((slug) => this.view?.themes.some((theme) => theme.slug === slug) === false);
  }

  /** How what the pages show differs from the last commit; nothing where there is none. */
  async comparison(): Promise<Comparison | undefined> {
    return this.view && this.#commit.compare(this.view.state);
  }

  /** An image of a theme as it was in the last commit. */
  imageBefore(theme: Theme, field: AnyImageField): ReturnType<LastCommit['image']> {
    return this.#commit.image(theme, field);
  }

  /** When the files of a theme last changed here, in milliseconds since 1970. */
  changedAt(slug: string): number {
    const folder = path.join(this.options.themesDir, slug, path.sep);
    const times = [...this.#fingerprints].flatMap(([file, identity]) =>
      file.startsWith(folder) ? Number(identity.split(' ')[2] ?? 0) : [],
    );
    return Math.max(0, ...times);
  }

  /** Waits for what is in progress and removes the files of this session. */
  async close(): Promise<void> {
    await this.#watching;
    await this.#work.idle();
    await this.media.remove();
    await this.#commit.close();
    await this.#resources.incremental.save();
    await this.#resources.cache.close();
  }

  /** A file of the themes folder as diagnostics name it. */
  displayed(file: string): string {
    return displayPath(file, this.options.cwd);
  }

  /** The files that are watched, as they are. */
  #look(): Map<string, string> {
    const { themesDir, users } = this.options;
    return takeFingerprints(themesDir, users === undefined ? [] : [users]);
  }

  #update(fingerprints: Fingerprints, changed: readonly Change[] = []): Promise<void> {
    return this.#work.run(async () => {
      if (this.#stop.aborted) return;
      const started = performance.now();
      try {
        await this.#show(await this.#attempt(fingerprints), started, changed);
      } catch (error) {
        if (this.#stop.aborted) return;
        // Disk and memory errors, and bugs: the last successful build is still served.
        this.problems = error instanceof Error ? error : new Error(String(error));
        this.#notify(this.problems, 0, started, changed);
      }
    });
  }

  async #attempt(fingerprints: Fingerprints): Promise<Attempt> {
    this.#fingerprints = fingerprints;
    this.#resources.cache.begin();
    this.#resources.incremental.files.begin(fingerprints);
    if (this.media.forgetIfGone()) this.#resources.incremental.clear();
    return preview(this.options, this.#resources);
  }

  async #show(attempt: Attempt, started: number, changed: readonly Change[] = []): Promise<void> {
    if (this.#stop.aborted) return;
    const { found, preview: built, rendered, files } = attempt;
    // They are being written: the next check finds them.
    if ((await this.media.place(files)).length > 0) return;
    if (built === undefined) {
      this.problems = found;
      // One that has been complete is shown as it was then.
      const themes = attempt.themes.map((theme) =>
        theme.missing.size === 0 ? theme : (this.#good.get(theme.slug) ?? theme),
      );
      this.view = { ...attempt, themes };
    } else {
      this.shown = built;
      this.view = attempt;
      this.#good = new Map(attempt.themes.map((theme) => [theme.slug, { ...theme, isEarlier: true }]));
      this.problems = undefined;
    }
    this.#notify(found, rendered, started, changed);
  }

  #notify(result: CheckResult | Error, rendered: number, started: number, changed: readonly Change[]): void {
    const milliseconds = performance.now() - started;
    this.build++;
    this.onUpdate({ changed, result, isShown: this.shown !== undefined, rendered, milliseconds });
  }
}
