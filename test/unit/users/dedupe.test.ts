import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareText } from '../../../src/diagnostics/diagnostic.ts';
import { compareRows, RECORD_WORDS, rowOf, rowWords, type Row } from '../../../src/users/digest-records.ts';
import { Pairs, readPairs } from '../../../src/users/pairs.ts';
import { MAX_DIAGNOSTICS } from '../../../src/users/scan.ts';
import { Repetitions, dedupe } from '../../../src/users/dedupe.ts';
import { RecordPartitions } from '../../../src/users/partitions.ts';

interface Record extends Row {
  words: readonly [number, number, number];
}

function packRecords(records: readonly Record[]): Uint32Array {
  return Uint32Array.from(records.flatMap((record) => [...record.words, record.line, ...rowWords(record)]));
}

function linePairsOf(repetitions: Repetitions): [line: number, first: number][] {
  return repetitions.first.map(([row, first]) => [row.line, first.line]);
}

const row = (line: number, parts: Partial<Row> = {}): Row => ({
  kind: 'user',
  isFolded: false,
  theme: 0,
  chunk: 0,
  line,
  column: 1,
  length: 3,
  ...parts,
});

describe('records', () => {
  it('keep all parts of a row', () => {
    const rows = fc.record({
      kind: fc.constantFrom('user' as const, 'group' as const),
      isFolded: fc.boolean(),
      theme: fc.nat(0xffff),
      chunk: fc.nat(0xffff),
      line: fc.nat(0xffffffff),
      column: fc.integer({ min: 1, max: 0x3fffff }),
      length: fc.integer({ min: 1, max: 128 }),
    });
    fc.assert(
      fc.property(rows, (original) => {
        expect(rowOf(packRecords([{ ...original, words: [1, 2, 3] }]), 0)).toEqual(original);
      }),
    );
    const farRow = row(9, { column: 0x400000 });
    expect(rowOf(packRecords([{ ...farRow, words: [1, 2, 3] }]), 0)).toEqual({ ...farRow, column: 0x3fffff });
  });
});

describe('dedupe', () => {
  const BITS = 12;
  const layout = { bits: BITS, themeBytes: 2 };
  /**
   * Generates few different digests, so that many collide. Otherwise, digests that agree only in the part of their shard would be one in
   * a million.
   */
  const digest = fc.tuple(fc.constantFrom(0, 1, 0xfff00000, 0xfff00001, 0x8000ffff), fc.nat(3), fc.constant(7));
  const records = fc
    .array(fc.record({ words: digest, isFolded: fc.boolean(), theme: fc.nat(300) }), { maxLength: 60 })
    .map((list) => list.map((part, line): Record => ({ ...row(line), ...part, chunk: line >> 3 })))
    .chain((list) => fc.shuffledSubarray(list, { minLength: list.length }));

  it('agrees with a plain implementation, in any order of records', () => {
    fc.assert(
      fc.property(records, (list) => {
        const deduped = dedupe([packRecords(list)], BITS, {
          shape: layout,
          idOf: ({ theme }) => (theme % 7 === 0 ? undefined : theme),
        });
        const inOrder = list.toSorted(compareRows);
        const groups = groupBy(inOrder);
        const [duplicates, collisions]: [number, number][][] = [[], []];
        const shards = new Map<number, string[]>();
        for (const equalKeys of groups.values()) {
          const exactRows = equalKeys.filter(({ isFolded }) => !isFolded);
          const repeated = exactRows.length > 1 ? exactRows : equalKeys;
          const target = exactRows.length > 1 ? duplicates : collisions;
          for (const record of repeated.slice(1)) target?.push([record.line, repeated[0]?.line ?? -1]);
          const [firstRow] = exactRows;
          if (firstRow === undefined || firstRow.theme % 7 === 0) continue;
          const bytes = Buffer.alloc(8);
          bytes.writeUInt32BE(firstRow.words[0], 0);
          bytes.writeUInt32BE(firstRow.words[1], 4);
          const shard = firstRow.words[0] >>> (32 - BITS);
          const id = firstRow.theme.toString(16).padStart(4, '0');
          shards.set(shard, [...(shards.get(shard) ?? []), `${bytes.subarray(2).toString('hex')}${id}`]);
        }
        const byLine = (pairs: [number, number][] = []) =>
          pairs.toSorted(([a], [b]) => a - b).slice(0, MAX_DIAGNOSTICS);
        expect(linePairsOf(deduped.duplicates)).toEqual(byLine(duplicates));
        expect(linePairsOf(deduped.collisions)).toEqual(byLine(collisions));
        expect(deduped.shards.map(([shard, bytes]) => [shard, bytes.toString('hex')])).toEqual(
          [...shards]
            .toSorted(([a], [b]) => a - b)
            .map(([shard, keys]) => [shard, keys.toSorted(compareText).join('')]),
        );
      }),
    );
  });

  it('sorts a shard of more records than it can number', () => {
    const count = 70_000;
    // This is a permutation, because 48,271 and 70,000 have no common factor.
    const manyRecords = Array.from({ length: count }, (_, line): Record => ({
      ...row(line),
      words: [5, (line * 48_271) % count, 0],
    }));
    const repeatedRecord = { ...row(count), words: manyRecords[12]?.words ?? [0, 0, 0] };
    const deduped = dedupe([packRecords([...manyRecords, repeatedRecord])], 8, {
      shape: { bits: 8, themeBytes: 1 },
      idOf: () => 1,
    });
    expect(linePairsOf(deduped.duplicates)).toEqual([[count, 12]]);
    const [[shard, bytes] = [-1, Buffer.alloc(0)]] = deduped.shards;
    expect([deduped.shards.length, shard, bytes.length]).toEqual([1, 0, 7 * count]);
    for (let index = 0; index < count; index++)
      if (bytes.readUInt32BE(7 * index + 2) !== index) expect.fail(`Record ${index} is elsewhere.`);
  });

  it('throws if two keys have the same shortened digest by chance', () => {
    const packedRecords = packRecords([
      { ...row(0), words: [1, 2, 3] },
      { ...row(1), words: [1, 2, 4] },
    ]);
    expect(() => dedupe([packedRecords], BITS, { shape: layout, idOf: () => 1 })).toThrow(
      expect.objectContaining({ code: 'digest-collision' }),
    );
    const { duplicates, collisions } = dedupe([packedRecords], BITS, undefined);
    expect([duplicates.first, collisions.first]).toEqual([[], []]);
  });
});

describe('RecordPartitions', () => {
  it('keeps a million records with equal digests, and counts the others', () => {
    const partitions = new RecordPartitions();
    for (let line = 0; line < 1_000_003; line++) partitions.add(5, 6, 7, line, 0, 0);
    const lengths = [...partitions].map(({ length }) => length).filter((length) => length > 0);
    expect([lengths, partitions.dropped]).toEqual([[1_000_000 * RECORD_WORDS], 3]);
  });
});

describe('pairs', () => {
  it('are returned unchanged, and only new ones at each call', () => {
    const pairs = new Pairs();
    const key = (index: number): string => `${index}-`.repeat(70).slice(0, 1 + (index % 128));
    for (let index = 0; index < 3000; index++)
      pairs.add(index % 3 === 0 ? 'group' : 'user', Buffer.from(key(index)), index * 20);
    const takenPairs = [...readPairs(pairs.take())];
    expect(takenPairs).toHaveLength(3000);
    for (const [index, pair] of takenPairs.entries())
      expect(pair).toEqual({ kind: index % 3 === 0 ? 'group' : 'user', key: key(index), theme: index * 20 });
    expect(pairs.take()).toHaveLength(0);
  });
});

describe('Repetitions', () => {
  it('keeps the first repetitions and counts the others, in any order', () => {
    const lines = fc.uniqueArray(fc.nat(100_000), { maxLength: 3000 });
    fc.assert(
      fc.property(lines, fc.integer({ min: 1, max: 700 }), fc.nat(9), (allLines, size, more) => {
        const repetitions = new Repetitions();
        for (let start = 0; start < allLines.length; start += size)
          repetitions.add(
            allLines.slice(start, start + size).map((line) => [row(line), row(0)]),
            more,
          );
        const sorted = allLines.toSorted((a, b) => a - b);
        expect(linePairsOf(repetitions).map(([line]) => line)).toEqual(sorted.slice(0, MAX_DIAGNOSTICS));
        expect(repetitions.more).toBe(
          Math.max(0, allLines.length - MAX_DIAGNOSTICS) + more * Math.ceil(allLines.length / size),
        );
      }),
      { numRuns: 30 },
    );
  });
});

function groupBy(records: readonly Record[]): Map<string, Record[]> {
  const groups = new Map<string, Record[]>();
  for (const record of records) {
    const key = record.words.join();
    groups.set(key, [...(groups.get(key) ?? []), record]);
  }
  return groups;
}
