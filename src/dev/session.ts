import type { CheckOptions, CheckResult } from '../api.ts';
import { listRecord, type ThemeRecord } from '../document/record.ts';
import type { Cache } from '../io/images/cache.ts';
import { Decoders } from '../io/decoder/pool.ts';
import { BuildCache } from '../io/incremental-cache.ts';
import type { Resources } from '../pipeline.ts';
import type { MediaFolder } from './media-folder.ts';
import { type Preview, preview } from './preview.ts';
import type { Site } from '../theme/site.ts';
import { type Stamps, takeStamps, watch } from './watch.ts';

/** A build that is served, and what was found in it. */
export interface Shown {
  /** Pages load again when it is not theirs. Counts up from the time of the start, so that it is none of an earlier server. */
  build: number;
  preview: Preview;
  /** Its warnings. */
  found: CheckResult;
}

/** What became of one look at the themes. */
export interface Update {
  /** Findings; or why the themes could not be read at all. */
  result: CheckResult | Error;
  /** Whether there is a good build, this or an earlier one. */
  isShown: boolean;
  rendered: number;
  milliseconds: number;
}

/** What came of files that were written for a new theme. */
export interface Creation {
  found: CheckResult;
  /** As the list has it; nothing if the theme, or one that it extends, has errors. */
  record: ThemeRecord | undefined;
}

type Attempt = Awaited<ReturnType<typeof preview>>;

/** The themes as they are being edited: the last good build, and what keeps the next from being shown. */
export class Session {
  readonly options: CheckOptions & { cwd: string };
  readonly media: MediaFolder;
  /** Called after every look, when {@link shown} and {@link problems} are new. */
  onUpdate: (update: Update) => void = () => undefined;
  readonly #incremental = new BuildCache();
  readonly #resources: Resources;
  readonly #stop: AbortSignal;
  #stamps: Stamps = new Map();
  /** Counts when a theme begins to be created, and when that ends. */
  #creations = 0;
  #last: Promise<unknown> = Promise.resolve();
  #watching: Promise<void> | undefined;
  #site: Site | undefined;
  #shown: Shown | undefined;
  #problems: CheckResult | Error | undefined;

  /** @param stop - ends what is under way; then {@link close} clears up */
  constructor(options: CheckOptions & { cwd: string }, cache: Cache, media: MediaFolder, stop: AbortSignal) {
    this.options = options;
    this.#resources = { cache, decoders: new Decoders(), incremental: this.#incremental };
    this.media = media;
    this.#stop = stop;
    stop.addEventListener('abort', () => this.#resources.decoders.close());
  }

  /** The settings as they are now, as far as they can be read. */
  get site(): Site | undefined {
    return this.#site;
  }

  /** The last good build. */
  get shown(): Shown | undefined {
    return this.#shown;
  }

  /** What keeps the themes as they are now from being shown. */
  get problems(): CheckResult | Error | undefined {
    return this.#problems;
  }

  /** Builds for the first time, and from then on whenever a file has changed. */
  async start(): Promise<void> {
    await this.rebuild();
    if (this.#stop.aborted) return;
    const { themesDir } = this.options;
    let creations = 0;
    const known = (): Stamps => {
      creations = this.#creations;
      return this.#stamps;
    };
    // What was seen while a theme was being created may be gone again: the next look tells.
    const update = (stamps: Stamps): Promise<void> => this.#update(stamps, () => creations === this.#creations);
    this.#watching = watch(themesDir, known, update, this.#stop);
  }

  /** Builds everything again, whether it has changed or not. */
  async rebuild(): Promise<void> {
    this.#incremental.clear();
    await this.#update(takeStamps(this.options.themesDir));
  }

  /**
   * Creates a theme, and shows the result if it is accepted; otherwise what `undo` leaves is as it was. Nothing else is built
   * meanwhile.
   * @param write - writes its files, and says whether it did
   * @returns what was found once it was written
   */
  async create(
    slug: string,
    write: () => Promise<boolean>,
    isAccepted: (creation: Creation) => boolean,
    undo: () => Promise<void>,
  ): Promise<Creation | undefined> {
    return this.#alone(async () => {
      const { themesDir } = this.options;
      const before = this.#stamps;
      const goBack = async (): Promise<void> => {
        await undo();
        this.#stamps = before;
      };
      this.#creations++;
      try {
        if (!(await write())) return undefined;
        const started = performance.now();
        const attempt = await this.#attempt(takeStamps(themesDir), slug);
        const made = attempt.media?.themes.find(({ theme }) => theme.slug === slug);
        const creation = { found: attempt.found, record: made && listRecord(made.theme, made.urls) };
        if (isAccepted(creation)) await this.#show(attempt, started);
        else await goBack();
        return creation;
      } catch (error) {
        await goBack();
        throw error;
      } finally {
        this.#creations++;
      }
    });
  }

  /** Waits for what is under way, and removes what was only for this session. */
  async close(): Promise<void> {
    await this.#watching;
    await this.#last;
    await this.media.remove();
    await this.#resources.cache.close();
  }

  #update(stamps: Stamps, isCurrent = (): boolean => true): Promise<void> {
    return this.#alone(async () => {
      if (this.#stop.aborted || !isCurrent()) return;
      const started = performance.now();
      try {
        await this.#show(await this.#attempt(stamps), started);
      } catch (error) {
        if (this.#stop.aborted) return;
        // Disk and memory, and bugs: the last good build is served on.
        this.#problems = error instanceof Error ? error : new Error(String(error));
        this.#tell(this.#problems, 0, started);
      }
    });
  }

  async #attempt(stamps: Stamps, created?: string): Promise<Attempt> {
    this.#stamps = stamps;
    if (this.media.forgetIfGone()) this.#incremental.clear();
    this.#incremental.begin(stamps);
    const attempt = await preview(this.options, this.#resources, created);
    this.#site = attempt.site;
    return attempt;
  }

  async #show({ found, preview: built, rendered }: Attempt, started: number): Promise<void> {
    if (this.#stop.aborted) return;
    if (built === undefined) this.#problems = found;
    else {
      const changed = await this.media.place(built.media.files);
      // They are being written: the next look finds them.
      if (changed.length > 0) return;
      this.#shown = { build: (this.#shown?.build ?? Date.now()) + 1, preview: built, found };
      this.#problems = undefined;
    }
    this.#tell(found, rendered, started);
  }

  #tell(result: CheckResult | Error, rendered: number, started: number): void {
    this.onUpdate({ result, isShown: this.#shown !== undefined, rendered, milliseconds: performance.now() - started });
  }

  /** Runs one thing after the other. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#last.then(work);
    this.#last = run.catch(() => undefined);
    return run;
  }
}
