import type { Diagnostics } from '../../diagnostics/diagnostic.ts';
import type { ImageReference } from '../../image/inspect.ts';
import { originalPath } from '../../image/name.ts';
import { imageKey, type SourceImage } from '../../image/source-image.ts';
import { rendererVersions } from '../decoder/sharp.ts';
import { Renditions } from './entries.ts';
import { AT_A_TIME, type Rendered, renderedNow } from './render.ts';
import { listJobs, type RenderOptions } from './render-jobs.ts';

export interface AheadOptions extends RenderOptions {
  /** While there are errors, nothing is decoded. */
  diagnostics: Diagnostics;
  onProgress: (done: number, all: number) => void;
}

/**
 * Decodes images as soon as they are read and checked, so that none is read again, and decoders work while others are checked. What came
 * of it is reported later, in `renderThumbnails`, if all themes pass the checks.
 */
export class Ahead {
  /** By the key of {@link Renditions}. */
  readonly results = new Map<string, Promise<Rendered>>();
  readonly #running = new Set<Promise<unknown>>();
  /** Called when one of them has ended. */
  #freed: () => void = () => undefined;
  readonly #options: AheadOptions;
  readonly #renditions: Renditions;
  #failure: { error: unknown } | undefined;
  #begun = 0;
  /** How many images there are. */
  all = 0;

  private constructor(options: AheadOptions, renditions: Renditions) {
    this.#options = options;
    this.#renditions = renditions;
  }

  static async of(options: AheadOptions): Promise<Ahead> {
    return new Ahead(options, new Renditions(options, await rendererVersions()));
  }

  /** Prepares an image to be published, while its bytes are in memory. */
  async stage({ slug, path, format, sha256 }: SourceImage, published: Buffer): Promise<void> {
    const { diagnostics, stage } = this.#options;
    if (!diagnostics.hasErrors) await stage?.(originalPath(slug, path, format, sha256), published);
  }

  /** Begins with an image; resolves as soon as the next one may be read. */
  async begin(image: SourceImage, published: Buffer, references: readonly ImageReference[]): Promise<void> {
    const { diagnostics, onProgress } = this.#options;
    if (diagnostics.hasErrors) return;
    onProgress(++this.#begun, this.all);
    await this.stage(image, published);
    const named = Object.fromEntries(references.map(({ field, source }) => [field, source]));
    for (const job of listJobs([{ images: named }], new Map([[imageKey(image), image]]))) {
      const key = this.#renditions.keyOf(job);
      if (this.results.has(key) || this.#renditions.of(job) !== undefined) continue;
      // Not by `Promise.race`, which adds to what it waits for each time.
      while (this.#running.size >= AT_A_TIME) await new Promise<void>((resolve) => (this.#freed = resolve));
      if (this.#failure !== undefined) throw this.#failure.error;
      const result = renderedNow(job, this.#options, published);
      this.results.set(key, result);
      const ended: Promise<unknown> = result
        .catch((error: unknown) => (this.#failure = { error }))
        .finally(() => {
          this.#running.delete(ended);
          this.#freed();
        });
      this.#running.add(ended);
    }
  }

  /** Resolves once nothing is under way. */
  async end(): Promise<void> {
    await Promise.all(this.#running);
  }
}
