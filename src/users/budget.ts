import type { Report } from '../diagnostics/diagnostic.ts';

/**
 * Maximum size of all user files together, in bytes, uncompressed: ten million rows of the longest key and slug, 194 bytes each. Ten
 * million users with keys of usual length have 300 MB.
 */
const MAX_BYTES = 2_000_000_000;

/** Counts the bytes of all user files, and stops reading them when there are too many. */
export class UsersBudget {
  readonly #limit: number;
  #left: number;
  #isSpent = false;

  constructor(limit = MAX_BYTES) {
    this.#limit = limit;
    this.#left = limit;
  }

  /** Whether a file may be read that has so many bytes at least; reports the first one that may not. */
  admits(bytes: number, file: string, report: Report): boolean {
    if (!this.#isSpent && bytes > this.#left) {
      this.#isSpent = true;
      report('mapping/too-large', { file }, { limit: this.#limit });
    }
    return !this.#isSpent;
  }

  /** The bytes of a file, until the budget is spent: what is read at once is not cut. */
  async *spend(bytes: AsyncIterable<Buffer>, file: string, report: Report): AsyncGenerator<Buffer> {
    for await (const part of bytes) {
      const isLast = !this.admits(part.length, file, report);
      this.#left -= part.length;
      yield part;
      if (isLast) return;
    }
  }
}
