import type { CheckOptions, CheckResult } from '../api.ts';
import { listRecord, type ThemeRecord } from '../document/record.ts';
import { Decoders } from '../io/decoder/pool.ts';
import type { Resources } from '../resources.ts';
import type { MediaFolder } from './media-folder.ts';
import { type Preview, preview } from './preview.ts';
import type { Site } from '../theme/site.ts';
import { type Fingerprints, takeFingerprints, watch } from './watch.ts';

/** The build that is served, and its diagnostics. */
export interface Shown {
  /** Pages reload when it changes. Starts from the current time, so that no two servers share a number. */
  build: number;
  preview: Preview;
  /** Its warnings. */
  found: CheckResult;
}

/** The result of one build. */
export interface Update {
  /** The diagnostics, or the reason why the themes could not be read at all. */
  result: CheckResult | Error;
  /** Whether there is a successful build, this or an earlier one. */
  isShown: boolean;
  rendered: number;
  milliseconds: number;
}

/** The result of a build with a new theme. */
export interface Creation {
  found: CheckResult;
  /** Its record in the list; undefined if the theme, or one that it extends, has errors. */
  record: ThemeRecord | undefined;
}

type Attempt = Awaited<ReturnType<typeof preview>>;

/** The themes while they are edited: the last successful build, and the problems that prevent the next one. */
export class Session {
  readonly options: CheckOptions & { cwd: string };
  readonly media: MediaFolder;
  /** Called after every build, once {@link shown} and {@link problems} are updated. */
  onUpdate: (update: Update) => void = () => undefined;
  readonly #resources: Resources;
  readonly #stop: AbortSignal;
  #fingerprints: Fingerprints = new Map();
  /** Incremented when the creation of a theme starts, and when it ends. */
  #creations = 0;
  #last: Promise<unknown> = Promise.resolve();
  #watching: Promise<void> | undefined;
  #site: Site | undefined;
  #shown: Shown | undefined;
  #problems: CheckResult | Error | undefined;

  /** @param stop - stops what is in progress; {@link close} then cleans up */
  constructor(
    options: CheckOptions & { cwd: string },
    { cache, incremental }: Pick<Resources, 'cache' | 'incremental'>,
    media: MediaFolder,
    stop: AbortSignal,
  ) {
    this.options = options;
    this.#resources = { cache, decoders: new Decoders(), incremental };
    this.media = media;
    this.#stop = stop;
    stop.addEventListener('abort', () => this.#resources.decoders.close());
  }

  /** The current settings, as far as they can be parsed. */
  get site(): Site | undefined {
    return this.#site;
  }

  /** The last successful build. */
  get shown(): Shown | undefined {
    return this.#shown;
  }

  /** The problems that prevent a build of the current themes. */
  get problems(): CheckResult | Error | undefined {
    return this.#problems;
  }

  /** Builds once, and then whenever a file changes. */
  async start(): Promise<void> {
    await this.rebuild();
    if (this.#stop.aborted) return;
    const { themesDir } = this.options;
    let creations = 0;
    const known = (): Fingerprints => {
      creations = this.#creations;
      return this.#fingerprints;
    };
    // Files that appeared while a theme was created may be gone again: the next check decides.
    const update = (fingerprints: Fingerprints): Promise<void> =>
      this.#update(fingerprints, () => creations === this.#creations);
    this.#watching = watch(themesDir, known, update, this.#stop);
  }

  /** Builds everything from scratch. */
  async rebuild(): Promise<void> {
    this.#resources.incremental.clear();
    await this.#update(takeFingerprints(this.options.themesDir));
  }

  /**
   * Creates a theme and shows the result if it is accepted; otherwise `undo` restores the previous state. Nothing else is built
   * meanwhile.
   * @param write - writes its files; returns whether it did
   * @returns the result of the build; undefined if nothing was written
   */
  async create(
    slug: string,
    write: () => Promise<boolean>,
    isAccepted: (creation: Creation) => boolean,
    undo: () => Promise<void>,
  ): Promise<Creation | undefined> {
    return this.#enqueue(async () => {
      const { themesDir } = this.options;
      const before = this.#fingerprints;
      const rollBack = async (): Promise<void> => {
        await undo();
        this.#fingerprints = before;
      };
      this.#creations++;
      try {
        if (!(await write())) return undefined;
        const started = performance.now();
        const attempt = await this.#attempt(takeFingerprints(themesDir), slug);
        const made = attempt.media?.themes.find(({ theme }) => theme.slug === slug);
        const creation = { found: attempt.found, record: made && listRecord(made.theme, made.urls) };
        if (isAccepted(creation)) await this.#show(attempt, started);
        else await rollBack();
        return creation;
      } catch (error) {
        await rollBack();
        throw error;
      } finally {
        this.#creations++;
      }
    });
  }

  /** Waits for what is in progress and removes the files of this session. */
  async close(): Promise<void> {
    await this.#watching;
    await this.#last;
    await this.media.remove();
    await this.#resources.incremental.save();
    await this.#resources.cache.close();
  }

  #update(fingerprints: Fingerprints, isCurrent = (): boolean => true): Promise<void> {
    return this.#enqueue(async () => {
      if (this.#stop.aborted || !isCurrent()) return;
      const started = performance.now();
      try {
        await this.#show(await this.#attempt(fingerprints), started);
      } catch (error) {
        if (this.#stop.aborted) return;
        // Disk and memory errors, and bugs: the last successful build is still served.
        this.#problems = error instanceof Error ? error : new Error(String(error));
        this.#notify(this.#problems, 0, started);
      }
    });
  }

  async #attempt(fingerprints: Fingerprints, created?: string): Promise<Attempt> {
    this.#fingerprints = fingerprints;
    this.#resources.incremental.files.begin(fingerprints);
    if (this.media.forgetIfGone()) this.#resources.incremental.clear();
    const attempt = await preview(this.options, this.#resources, created);
    this.#site = attempt.site;
    return attempt;
  }

  async #show({ found, preview: built, rendered }: Attempt, started: number): Promise<void> {
    if (this.#stop.aborted) return;
    if (built === undefined) this.#problems = found;
    else {
      const changed = await this.media.place(built.media.files);
      // They are being written: the next check finds them.
      if (changed.length > 0) return;
      this.#shown = { build: (this.#shown?.build ?? Date.now()) + 1, preview: built, found };
      this.#problems = undefined;
    }
    this.#notify(found, rendered, started);
  }

  #notify(result: CheckResult | Error, rendered: number, started: number): void {
    this.onUpdate({ result, isShown: this.#shown !== undefined, rendered, milliseconds: performance.now() - started });
  }

  /** Runs tasks one after another. */
  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#last.then(work);
    this.#last = run.catch(() => undefined);
    return run;
  }
}
