import { RECORD_WORDS } from './digest-records.ts';
import type { Extent, SpillStore } from './spill-store.ts';

/** Number of bits of a digest that select the partition of a record: each partition must fit in memory to be sorted. */
const PARTITION_BITS = 6;
export const PARTITIONS = 2 ** PARTITION_BITS;

/** Maximum length of a partition in memory, in 32-bit words (48 KiB); a full one is spilled. */
const HELD_WORDS = 2048 * RECORD_WORDS;

/** Records in partitions by the first bits of their digests, in memory or spilled. */
export class RecordPartitions {
  readonly #held: Uint32Array[] = Array.from({ length: PARTITIONS }, () => new Uint32Array(0));
  readonly #lengths = new Uint32Array(PARTITIONS);
  readonly #extents: Extent[][] = Array.from({ length: PARTITIONS }, () => []);
  readonly #spill: SpillStore | undefined;

  constructor(spill?: SpillStore) {
    this.#spill = spill;
  }

  readonly add = (a: number, b: number, c: number, line: number, place: number, written: number): void => {
    const part = a >>> (32 - PARTITION_BITS);
    let held = this.#held[part]!;
    let at = this.#lengths[part]!;
    if (at === held.length) {
      held = this.#makeRoom(part, held);
      at = this.#lengths[part]!;
    }
    held[at] = a;
    held[at + 1] = b;
    held[at + 2] = c;
    held[at + 3] = line;
    held[at + 4] = place;
    held[at + 5] = written;
    this.#lengths[part] = at + RECORD_WORDS;
  };

  #makeRoom(part: number, held: Uint32Array): Uint32Array {
    if (this.#spill !== undefined && held.length >= HELD_WORDS) {
      this.#extents[part]!.push(this.#spill.append(new Uint8Array(held.buffer)));
      this.#lengths[part] = 0;
      return held;
    }
    const larger = new Uint32Array(Math.max(2 * held.length, (this.#spill === undefined ? 8 : 2048) * RECORD_WORDS));
    larger.set(held);
    this.#held[part] = larger;
    return larger;
  }

  /** Returns the records of a partition that are in memory. */
  held(part: number): Uint32Array {
    return this.#held[part]!.subarray(0, this.#lengths[part]);
  }

  /** Spills all records, and returns their places. */
  finish(): readonly (readonly Extent[])[] {
    const spill = this.#spill;
    if (spill !== undefined) {
      for (let part = 0; part < PARTITIONS; part++) {
        const held = this.held(part);
        if (held.length > 0) this.#extents[part]!.push(spill.append(new Uint8Array(held.buffer, 0, held.byteLength)));
        this.#lengths[part] = 0;
      }
    }
    return this.#extents;
  }
}
