import type { Pixels } from '../container/png-chunks.ts';

/** Samples of a pixel of the colour types that have alpha, which is the last of them (PNG 3rd edition, §11.2.1). */
const SAMPLES: Readonly<Record<number, number>> = { 4: 2, 6: 4 };

/**
 * Finds out whether a PNG has no transparency although it has an alpha channel. A filtered sample is its difference from samples
 * before it (§9.2): if those are all 255, only one value makes it 255 as well.
 */
export class AlphaScan {
  readonly #samples: number;
  readonly #rowLength: number;
  #row = 0;
  /** The place in the row; the first byte is the filter. */
  #column = 0;
  #filter = 0;
  isOpaque = true;

  /** @returns nothing where the alpha samples are not single bytes, row by row */
  static of({ width, depth, type, isInterlaced }: Pixels): AlphaScan | undefined {
    const samples = SAMPLES[type];
    return samples === undefined || depth !== 8 || isInterlaced ? undefined : new AlphaScan(width, samples);
  }

  private constructor(width: number, samples: number) {
    this.#samples = samples;
    this.#rowLength = 1 + width * samples;
  }

  /** @param unpacked - the next bytes of the unpacked pixels */
  push(unpacked: Uint8Array): void {
    for (let at = 0; at < unpacked.length && this.isOpaque;) {
      if (this.#column === 0) this.#filter = unpacked[at] as number;
      const end = Math.min(unpacked.length, at + this.#rowLength - this.#column);
      this.isOpaque = this.#isOpaqueUntil(unpacked, at, end);
      this.#column += end - at;
      at = end;
      if (this.#column < this.#rowLength) continue;
      this.#column = 0;
      this.#row++;
    }
  }

  /** Whether the alpha samples of a part of a row are all 255. */
  #isOpaqueUntil(bytes: Uint8Array, start: number, end: number): boolean {
    const samples = this.#samples;
    const rest = this.#expected(255);
    let at = start + ((samples - (this.#column % samples)) % samples);
    if (this.#column === 0) at += samples;
    if (at < end && this.#column + at - start === samples) {
      if (bytes[at] !== this.#expected(0)) return false;
      at += samples;
    }
    for (; at < end; at += samples) if (bytes[at] !== rest) return false;
    return true;
  }

  /** The filtered value of 255 (§9.2), where the samples before it are 255 and those outside the image 0. */
  #expected(left: 0 | 255): number {
    const up = this.#row === 0 ? 0 : 255;
    const predicted = [0, left, up, (left + up) >> 1, Math.max(left, up)][this.#filter] ?? 0;
    return 255 - predicted;
  }
}
