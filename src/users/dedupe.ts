import { compareRows, RECORD_WORDS, rowOf, type Row } from './digest-records.ts';
import { MAX_DIAGNOSTICS } from './scan.ts';
import { DIGEST_BYTES, type ShardShape } from './shards.ts';
import { ThemecastError } from '../diagnostics/themecast-error.ts';

/** A row, and the first row with the same key. */
export type Repetition = readonly [row: Row, first: Row];

/** Collects repetitions: the first ones, and the number of all others. */
export class Repetitions {
  #first: Repetition[] = [];
  #more = 0;

  add(repetitions: readonly Repetition[], more = 0): void {
    this.#first.push(...repetitions);
    this.#more += more;
    if (this.#first.length > 20 * MAX_DIAGNOSTICS) this.#truncate();
  }

  /** The first repetitions in their order, at most {@link MAX_DIAGNOSTICS}. */
  get first(): readonly Repetition[] {
    this.#truncate();
    return this.#first;
  }

  get more(): number {
    this.#truncate();
    return this.#more;
  }

  #truncate(): void {
    this.#first.sort(([a], [b]) => compareRows(a, b));
    this.#more += this.#first.splice(MAX_DIAGNOSTICS).length;
  }
}

export interface DedupeResult {
  duplicates: Repetitions;
  /** Keys that differ only by case. */
  collisions: Repetitions;
  /** The non-empty shards, by number. */
  shards: [number: number, bytes: Buffer][];
}

/** The layout of the shards to write; without it, records are only compared. */
export interface ShardWriting {
  shape: ShardShape;
  /** Returns the id of a key's theme; undefined if hosts do not need the key. */
  idOf: (row: Row) => number | undefined;
}

/** Maximum number of records that are sorted as numbers: 16 bits of each number are an index. */
const MAX_NUMBERED = 65_536;

/**
 * Sorts records by their digests, finds keys that are listed twice, and makes shards.
 * @param partitions - the records, by the first bits of their digests
 * @param bits - number of bits of the digest that select a shard
 */
export function dedupe(
  partitions: Iterable<Uint32Array>,
  bits: number,
  writing: ShardWriting | undefined,
): DedupeResult {
  const deduped: DedupeResult = { duplicates: new Repetitions(), collisions: new Repetitions(), shards: [] };
  for (const records of partitions) {
    const { order, ends } = groupByShard(records, bits);
    let start = 0;
    for (const [shard, end] of ends) {
      const sorted = sortByDigest(records, order.subarray(start, end));
      start = end;
      const unique = compareNeighbours(records, sorted, deduped, writing !== undefined);
      const bytes = writing === undefined ? undefined : shardBytes(records, unique, writing);
      if (bytes !== undefined && bytes.length > 0) deduped.shards.push([shard, bytes]);
    }
  }
  return deduped;
}

/** Groups records by shard; `ends` are the ends of the groups. */
function groupByShard(
  records: Uint32Array,
  bits: number,
): { order: Uint32Array; ends: [shard: number, end: number][] } {
  const counts = new Uint32Array(2 ** bits);
  const shardAt = (at: number): number => (records[at] ?? 0) >>> (32 - bits);
  for (let at = 0; at < records.length; at += RECORD_WORDS) counts[shardAt(at)]!++;
  const next = new Uint32Array(counts.length);
  const ends: [number, number][] = [];
  let end = 0;
  for (const [shard, count] of counts.entries()) {
    next[shard] = end;
    end += count;
    if (count > 0) ends.push([shard, end]);
  }
  const order = new Uint32Array(records.length / RECORD_WORDS);
  for (let at = 0; at < records.length; at += RECORD_WORDS) order[next[shardAt(at)]!++] = at;
  return { order, ends };
}

/** Sorts by the 48 bits of the digest that a shard contains: as 64-bit numbers whose last 16 bits are the index in `members`. */
function sortByDigest(records: Uint32Array, members: Uint32Array): Uint32Array {
  if (members.length > MAX_NUMBERED) {
    const middle = (at: number): number => records[at]! & 0xffff;
    return members.toSorted((a, b) => middle(a) - middle(b) || records[a + 1]! - records[b + 1]!);
  }
  const keys = new BigUint64Array(members.length);
  const words = new Uint32Array(keys.buffer); // little-endian, as all machines of Node.js except s390x
  for (const [index, at] of members.entries()) {
    const [first = 0, second = 0] = [records[at], records[at + 1]];
    words[2 * index] = ((second << 16) | index) >>> 0;
    words[2 * index + 1] = ((first << 16) | (second >>> 16)) >>> 0;
  }
  keys.sort();
  return members.map((_, index) => members[words[2 * index]! & 0xffff]!);
}

/** Collects repeated keys, and returns the first record of each key, sorted. */
function compareNeighbours(
  records: Uint32Array,
  sorted: Uint32Array,
  deduped: DedupeResult,
  isWritten: boolean,
): Uint32Array {
  const unique = new Uint32Array(sorted.length);
  let count = 0;
  for (let at = 0; at < sorted.length;) {
    let end = at + 1;
    while (end < sorted.length && agree(records, sorted[at]!, sorted[end]!)) end++;
    const group = end === at + 1 ? undefined : [...sorted.subarray(at, end)];
    if (group === undefined) {
      if (!rowOf(records, sorted[at]!).isFolded) unique[count++] = sorted[at]!;
    } else for (const record of distinct(records, group, deduped, isWritten)) unique[count++] = record;
    at = end;
  }
  return unique.subarray(0, count);
}

/** Checks whether two records have the same digest in a shard, which shortens digests. */
function agree(records: Uint32Array, a: number, b: number): boolean {
  return records[a + 1] === records[b + 1] && (records[a]! & 0xffff) === (records[b]! & 0xffff);
}

/** Returns the first record of each key among equal shortened digests; collects the repetitions. */
function distinct(records: Uint32Array, group: readonly number[], deduped: DedupeResult, isWritten: boolean): number[] {
  const byDigest = new Map<string, number[]>();
  for (const at of group) {
    const digest = `${records[at]} ${records[at + 2]}`;
    const same = byDigest.get(digest);
    if (same === undefined) byDigest.set(digest, [at]);
    else same.push(at);
  }
  const firsts = [...byDigest.values()].flatMap((same) => {
    same.sort((a, b) => compareRows(rowOf(records, a), rowOf(records, b)));
    const written = same.filter((at) => !rowOf(records, at).isFolded);
    // A key in upper case that is listed twice is not a collision.
    if (written.length > 1) collect(records, written, deduped.duplicates);
    else collect(records, same, deduped.collisions);
    return written.slice(0, 1);
  });
  if (isWritten && firsts.length > 1)
    throw new ThemecastError(
      'digest-collision',
      'Two keys have the same digest with this THEMECAST_KEY_SECRET, by chance: use another secret.',
    );
  return firsts;
}

function collect(records: Uint32Array, [first, ...repeats]: readonly number[], repetitions: Repetitions): void {
  if (first === undefined) return;
  const retained = repeats
    .slice(0, MAX_DIAGNOSTICS)
    .map((at): Repetition => [rowOf(records, at), rowOf(records, first)]);
  repetitions.add(retained, repeats.length - retained.length);
}

function shardBytes(records: Uint32Array, unique: Uint32Array, { shape, idOf }: ShardWriting): Buffer {
  const { themeBytes } = shape;
  const bytes = Buffer.alloc(unique.length * (DIGEST_BYTES + themeBytes));
  let end = 0;
  for (const at of unique) {
    const id = idOf(rowOf(records, at));
    if (id === undefined) continue;
    bytes.writeUInt16BE(records[at]! & 0xffff, end);
    bytes.writeUInt32BE(records[at + 1]!, end + 2);
    bytes.writeUIntBE(id, end + DIGEST_BYTES, themeBytes);
    end += DIGEST_BYTES + themeBytes;
  }
  return bytes.subarray(0, end);
}
