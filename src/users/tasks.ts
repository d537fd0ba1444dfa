import { type Repetition, dedupe } from './dedupe.ts';
import { RECORD_WORDS, type Row } from './digest-records.ts';
import { RecordPartitions } from './partitions.ts';
import { RowScanner } from './row-scanner.ts';
import type { RowForm, Scan, ScanOptions } from './scan.ts';
import { shardHash, type ShardShape } from './shards.ts';
import type { Extent, SpillStore, StoredBytes } from './spill-store.ts';

export interface ScanTask {
  chunk: number;
  form: RowForm;
  bytes: Uint8Array;
}

/** The result of a chunk; its pairs may be spilled. */
export type ScanResult = Omit<Scan, 'pairs'> & { pairs: StoredBytes | undefined };

/**
 * Maximum number of records that are deduplicated in a partition. Digests are evenly distributed, so it takes 60 million keys to exceed it,
 * or the same key repeated, which must not fill the memory; records beyond the limit become duplicates.
 */
const MAX_RECORDS = 1_000_000;

export interface DedupeTask {
  /** The places of the spilled records of the partition. */
  extents: readonly Extent[];
  /** The records that the main thread has in memory. */
  held: Uint32Array;
  bits: number;
  writing: { shape: ShardShape; ids: ThemeIds } | undefined;
}

/** The id of each theme in a shard, by its index; undefined if hosts do not need the theme. */
export type ThemeIds = Readonly<Record<'user' | 'group', readonly (number | undefined)[]>>;

export interface StoredShard {
  shard: number;
  hash: string;
  stored: StoredBytes;
}

export interface PartitionResult {
  duplicates: FirstRepetitions;
  collisions: FirstRepetitions;
  shards: StoredShard[];
}

interface FirstRepetitions {
  first: readonly Repetition[];
  more: number;
}

/** The work on users files, which threads may share: each scans chunks, and then deduplicates partitions of the records. */
export class UsersWork {
  readonly #scanner: RowScanner;
  readonly #records: RecordPartitions;
  readonly #spill: SpillStore | undefined;

  /** @param spill - a store for records that do not fit in memory. Default: all stay in memory */
  constructor(options: ScanOptions, spill?: SpillStore) {
    this.#spill = spill;
    this.#records = new RecordPartitions(this.#spill);
    this.#scanner = new RowScanner(options, this.#records.add);
  }

  scan({ chunk, form, bytes }: ScanTask): ScanResult {
    this.#scanner.begin(chunk);
    this.#scanner.rows(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), form);
    const { pairs, ...scan } = this.#scanner.end();
    return { ...scan, pairs: pairs.length === 0 ? undefined : this.#store(pairs) };
  }

  /** Spills all records; returns their places, by partition. */
  finish(): readonly (readonly Extent[])[] {
    return this.#records.finish();
  }

  held(part: number): Uint32Array {
    return this.#records.held(part);
  }

  dedupe({ extents, held, bits, writing }: DedupeTask): PartitionResult {
    const all = extents.reduce((sum, { length }) => sum + length / 4, held.length);
    const records = new Uint32Array(Math.min(all, MAX_RECORDS * RECORD_WORDS));
    records.set(held.subarray(0, records.length));
    let end = Math.min(held.length, records.length);
    for (const extent of extents) {
      if (end === records.length) break;
      const length = Math.min(extent.length, 4 * (records.length - end));
      const bytes = this.#spill?.read({ at: extent.at, length }) ?? Buffer.alloc(0);
      records.set(new Uint32Array(bytes.buffer, bytes.byteOffset, length / 4), end);
      end += length / 4;
    }
    const idOf = (row: Row): number | undefined => writing?.ids[row.kind][row.theme];
    const deduped = dedupe(records, bits, writing && { shape: writing.shape, idOf });
    deduped.duplicates.add([], (all - records.length) / RECORD_WORDS);
    const plain = ({ first, more }: FirstRepetitions): FirstRepetitions => ({ first, more });
    return {
      duplicates: plain(deduped.duplicates),
      collisions: plain(deduped.collisions),
      shards: deduped.shards.map(([shard, bytes]) => ({ shard, hash: shardHash(bytes), stored: this.#store(bytes) })),
    };
  }

  #store(bytes: Buffer): StoredBytes {
    return this.#spill?.append(bytes) ?? bytes;
  }
}
