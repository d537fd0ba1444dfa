import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReadUsersOptions } from '../../../src/core/users/read-users.ts';
import { rowChunks } from '../../../src/core/users/row-chunks.ts';
import type { UsersSource } from '../../../src/core/users/source-rows.ts';
import { read, source } from '../users.ts';
import { sampledRuns } from '../../long-test.ts';

const shards: ReadUsersOptions['shards'] = { bits: 8, themeBytes: 1, secret: Buffer.alloc(32, 7) };

/** Returns the result of reading files, as plain data. */
async function resultOf(sources: readonly UsersSource[], chunk = 1024 * 1024): Promise<object> {
  const { users, diagnostics, user, group } = await read(sources, { shards }, { chunk });
  const values = [...(users.mapping.shards?.values() ?? [])].map(({ name, text }) => [name, text()]);
  return { diagnostics, user, group, assigned: users.assigned, counts: users.mapping.counts, values };
}

const cutIntoParts = (text: string, size: number): Buffer[] => {
  const bytes = Buffer.from(text);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
};

describe('readUsers', () => {
  it('has the same result however files are divided', { timeout: 120_000 }, async () => {
    const key = fc.constantFrom('ann', 'Ann', 'bob', 'BOB', 'cid', 'meadow', 'e e', '~x', '', 'zoë', '\u0000', '4711');
    const uniqueKey = fc.nat(200).map((number) => `u-${number}`);
    const theme = fc.constantFrom('harbor', 'meadow', 'meadow', 'medow', 'winter', '');
    const csvRow = fc.oneof(
      { weight: 9, arbitrary: fc.tuple(fc.oneof(uniqueKey, key), theme).map((cells) => cells.join(',')) },
      fc.constantFrom('', '"ann",meadow', '"ann,meadow', 'ann', 'a,b,c', '\ufeffann,meadow', 'a\rb,meadow'),
    );
    const lines = fc.array(csvRow, { maxLength: 60 }).map((csvRows) => csvRows.join('\n'));
    const files = fc.tuple(lines, lines, fc.integer({ min: 1, max: 300 }));
    await fc.assert(
      fc.asyncProperty(files, async ([users, groups, size]) => {
        const sources = (cutUp: (text: string) => readonly Buffer[]): UsersSource[] => [
          source('users.csv', ...cutUp(`user,theme\n${users}`)),
          source('groups.csv', ...cutUp(`\ufeffgroup,theme\r\n${groups.replaceAll('\n', '\r\n')}`)),
        ];
        const result = await resultOf(sources((text) => [Buffer.from(text)]));
        const sourcesInParts = sources((text) => cutIntoParts(text, size));
        expect(await resultOf(sourcesInParts, size)).toEqual(result);
      }),
      { numRuns: sampledRuns(15) },
    );
  });
});

describe('rowChunks', () => {
  it('end within a line only if the line is too long', async () => {
    const parts = Array.from({ length: 50 }, () => Buffer.alloc(100_000, 'x'));
    const chunks: Buffer[] = [];
    for await (const chunk of rowChunks(Readable.from(parts), 1000)) chunks.push(chunk);
    expect(Buffer.concat(chunks)).toHaveLength(5_000_000);
    expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThan(1_300_000);
  });
});
