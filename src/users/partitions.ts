import { RECORD_WORDS } from './digest-records.ts';

/** Number of bits of a digest that select the partition of a record, so that little is copied when a partition grows. */
const PARTITION_BITS = 6;
const PARTITIONS = 2 ** PARTITION_BITS;

/**
 * Maximum length of a partition, in 32-bit words: a million records. Digests are evenly distributed, so it takes 60 million keys to exceed
 * it, or the same key repeated, which must not fill the memory.
 */
const MAX_WORDS = 1_000_000 * RECORD_WORDS;

/** Records in partitions by the first bits of their digests, so that equal keys are in the same partition. */
export class RecordPartitions implements Iterable<Uint32Array> {
  readonly #partitions: Uint32Array[] = Array.from({ length: PARTITIONS }, () => new Uint32Array(0));
  readonly #lengths = new Uint32Array(PARTITIONS);
  /** Number of records beyond the limit of their partition, which are duplicates. */
  dropped = 0;

  readonly add = (a: number, b: number, c: number, line: number, place: number, written: number): void => {
    const index = a >>> (32 - PARTITION_BITS);
    const at = this.#lengths[index]!;
    const partition = at < this.#partitions[index]!.length ? this.#partitions[index]! : this.#grow(index);
    if (partition === undefined) return;
    partition[at] = a;
    partition[at + 1] = b;
    partition[at + 2] = c;
    partition[at + 3] = line;
    partition[at + 4] = place;
    partition[at + 5] = written;
    this.#lengths[index] = at + RECORD_WORDS;
  };

  /** Doubles a partition; returns undefined if it has its maximum length. */
  #grow(index: number): Uint32Array | undefined {
    const partition = this.#partitions[index]!;
    if (partition.length === MAX_WORDS) {
      this.dropped++;
      return undefined;
    }
    const larger = new Uint32Array(Math.min(Math.max(2 * partition.length, 8 * RECORD_WORDS), MAX_WORDS));
    larger.set(partition);
    this.#partitions[index] = larger;
    return larger;
  }

  *[Symbol.iterator](): Generator<Uint32Array> {
    for (const [index, partition] of this.#partitions.entries()) yield partition.subarray(0, this.#lengths[index]);
  }
}
