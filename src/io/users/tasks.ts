import { RECORD_WORDS, type Row } from '../../users/digest-records.ts';
import { type RowForm, RowScanner, type Scan, type ScanOptions, type WrittenRow } from '../../users/row-scanner.ts';
import { type Repetition, settle } from '../../users/dedupe.ts';
import { shardHash, type ShardShape } from '../../users/shards.ts';
import { Records } from './partitions.ts';
import { type Extent, Spill } from './spill.ts';

/** Bytes kept in memory by the main thread alone, or set aside by any. */
export type Stored = Extent | Buffer;

export interface ScanTask {
  chunk: number;
  form: RowForm;
  bytes: Uint8Array;
}

/** What one chunk came to. */
export type Scanned = Omit<Scan, 'pairs'> & { pairs: Stored | undefined };

/**
 * Most records of one part that are settled. Digests spread evenly: more take 60 million keys, six times what any host holds, or one
 * key over and over, which must not fill the memory; so those beyond are counted as keys that are given twice.
 */
const MOST_RECORDS = 1_000_000;

export interface SettleTask {
  /** Where the records of the part are. */
  extents: readonly Extent[];
  /** Those that the main thread holds. */
  held: Uint32Array;
  bits: number;
  writing: { shape: ShardShape; ids: ThemeIds } | undefined;
}

/** By index of the theme: the id that a key is given in a shard; nothing if hosts need not know it. */
export type ThemeIds = Readonly<Record<'user' | 'group', readonly (number | undefined)[]>>;

/** A shard that is not empty. */
export interface StoredShard {
  shard: number;
  hash: string;
  stored: Stored;
}

export interface SettledPart {
  duplicates: Noted;
  collisions: Noted;
  shards: StoredShard[];
}

interface Noted {
  first: readonly Repetition[];
  more: number;
}

/** The work on files of users, which several threads may share: each scans chunks, then each settles parts of the records. */
export class UsersWork {
  readonly #scanner: RowScanner;
  readonly #records: Records;
  readonly #spill: Spill | undefined;

  constructor(options: ScanOptions, spill: Pick<Spill, 'fd' | 'length'> | undefined) {
    this.#spill = spill && Spill.shared(spill);
    this.#records = new Records(this.#spill);
    this.#scanner = new RowScanner(options, this.#records.add);
  }

  scan({ chunk, form, bytes }: ScanTask): Scanned {
    this.#scanner.begin(chunk);
    this.#scanner.rows(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), form);
    return this.#scanned();
  }

  /** Takes rows that were read otherwise, as one chunk. */
  take(chunk: number, rows: readonly WrittenRow[]): Scanned {
    this.#scanner.begin(chunk);
    for (const row of rows) this.#scanner.add(row);
    return this.#scanned();
  }

  #scanned(): Scanned {
    const { pairs, ...scan } = this.#scanner.end();
    return { ...scan, pairs: pairs.length === 0 ? undefined : this.#store(pairs) };
  }

  /** Where the records are, by part. */
  finish(): readonly (readonly Extent[])[] {
    return this.#records.finish();
  }

  held(part: number): Uint32Array {
    return this.#records.held(part);
  }

  settle({ extents, held, bits, writing }: SettleTask): SettledPart {
    const all = extents.reduce((sum, { length }) => sum + length / 4, held.length);
    const records = new Uint32Array(Math.min(all, MOST_RECORDS * RECORD_WORDS));
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
    const settled = settle(records, bits, writing && { shape: writing.shape, idOf });
    settled.duplicates.add([], (all - records.length) / RECORD_WORDS);
    const noted = ({ first, more }: Noted): Noted => ({ first, more });
    return {
      duplicates: noted(settled.duplicates),
      collisions: noted(settled.collisions),
      shards: settled.shards.map(([shard, bytes]) => ({ shard, hash: shardHash(bytes), stored: this.#store(bytes) })),
    };
  }

  #store(bytes: Buffer): Stored {
    return this.#spill?.append(bytes) ?? bytes;
  }
}
