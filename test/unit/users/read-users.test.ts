import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReadUsersOptions, Sizes } from '../../../src/users/io/read-users.ts';
import { rowChunks } from '../../../src/users/row-chunks.ts';
import type { UsersSource } from '../../../src/users/source-rows.ts';
import { read, source } from '../users.ts';
import { sampledRuns } from '../../long-test.ts';

const ALONE: Partial<Sizes> = { chunk: 1024 * 1024, alone: 1e9 };
/** Sizes with which even small files are divided among threads, a few rows at a time. */
const THREADS: Partial<Sizes> = { chunk: 50, alone: 60 };

const shards: ReadUsersOptions['shards'] = { bits: 8, themeBytes: 1, secret: Buffer.alloc(32, 7) };

/** Returns the results for some files, as plain data. */
async function resultOf(sources: readonly UsersSource[], sizes?: Partial<Sizes>): Promise<object> {
  const { users, found, user, group } = await read(sources, { shards }, sizes);
  const values = [...(users.mapping.shards?.values() ?? [])].map(({ name, text }) => [name, text()]);
  users.close();
  return { found, user, group, assigned: users.assigned, counts: users.mapping.counts, values };
}

const cut = (text: string, size: number): Buffer[] => {
  const bytes = Buffer.from(text);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
};

/** Returns the temporary files that this process holds open, if the system lists them. */
const openFiles = (): string[] =>
  (existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd') : []).flatMap((fd) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${fd}`);
      return target.includes('themecast-') ? [target] : [];
    } catch {
      return [];
    }
  });

describe('readUsers', () => {
  it('has the same result however files are divided, with and without threads', { timeout: 120_000 }, async () => {
    const key = fc.constantFrom('ann', 'Ann', 'bob', 'BOB', 'cid', 'meadow', 'e e', '~x', '', 'zoë', '\u0000', '4711');
    const fresh = fc.nat(200).map((number) => `u-${number}`);
    const theme = fc.constantFrom('harbor', 'meadow', 'meadow', 'medow', 'winter', '');
    const csvRow = fc.oneof(
      { weight: 9, arbitrary: fc.tuple(fc.oneof(fresh, key), theme).map((cells) => cells.join(',')) },
      fc.constantFrom('', '"ann",meadow', '"ann,meadow', 'ann', 'a,b,c', '\ufeffann,meadow', 'a\rb,meadow'),
    );
    const lines = fc.array(csvRow, { maxLength: 60 }).map((all) => all.join('\n'));
    const files = fc.tuple(lines, lines, fc.integer({ min: 1, max: 300 }));
    await fc.assert(
      fc.asyncProperty(files, async ([users, groups, size]) => {
        const sources = (cutUp: (text: string) => readonly Buffer[]): UsersSource[] => [
          source('users.csv', ...cutUp(`user,theme\n${users}`)),
          source('groups.csv', ...cutUp(`\ufeffgroup,theme\r\n${groups.replaceAll('\n', '\r\n')}`)),
        ];
        const result = await resultOf(
          sources((text) => [Buffer.from(text)]),
          ALONE,
        );
        const parts = sources((text) => cut(text, size));
        expect(await resultOf(parts, { chunk: size, alone: 1e9 })).toEqual(result);
        expect(await resultOf(parts, THREADS)).toEqual(result);
      }),
      { numRuns: sampledRuns(15) },
    );
  });

  it('rejects if a stream fails while threads work, ends them and closes all files', async () => {
    const before = openFiles();
    const failing = async function* (): AsyncGenerator<Buffer> {
      yield Buffer.from('user,theme\n');
      for (let row = 0; row < 2000; row++) yield Buffer.from(`u-${row},meadow\n`);
      throw new Error('the disk is gone');
    };
    const sources: UsersSource[] = [{ file: 'a.csv', open: () => Promise.resolve(failing()) }];
    await expect(read(sources, { shards }, THREADS)).rejects.toThrow('the disk is gone');
    expect(openFiles()).toEqual(before);
    expect(process.getActiveResourcesInfo().filter((name) => /Worker|MessagePort/.test(name))).toEqual([]);
  });

  it('rejects with the error of a thread', async () => {
    // The index of the second theme is too large for a shard of one byte.
    const ids = { user: [1, 70_000], group: [1, 2] };
    const rows = Array.from({ length: 500 }, (_, row) => `u-${row},meadow\n`).join('');
    await expect(read([source('a.csv', 'user,theme\n', rows)], { ids, shards }, THREADS)).rejects.toThrow(RangeError);
  });

  it('closes a source that it stops reading', async () => {
    let isClosed = false;
    const endless = async function* (): AsyncGenerator<Buffer> {
      try {
        for (;;) yield Buffer.alloc(4096, 'x;y\n');
      } finally {
        isClosed = true;
      }
    };
    const open = () => Promise.resolve(endless());
    const { found } = await read([{ file: 'a.csv', open }], {}, { chunk: 4096, alone: 1e9 });
    expect(found.map(({ code }) => code)).toEqual(['mapping/header']);
    expect(isClosed).toBe(true);
  });

  it('opens files one at a time', async () => {
    let most = 0;
    let now = 0;
    const sources = Array.from({ length: 40 }, (_, index): UsersSource => {
      const bytes = async function* (): AsyncGenerator<Buffer> {
        most = Math.max(most, ++now);
        yield Buffer.from(`user,theme\nu-${index},meadow\n`);
        now--;
      };
      return { file: `${index}.csv`, open: () => Promise.resolve(bytes()) };
    });
    expect((await read(sources)).user).toHaveLength(40);
    expect(most).toBe(1);
  });
});

describe('rowChunks', () => {
  it('loses no byte, and cuts only where a line ends', async () => {
    const parts = fc.array(fc.string({ unit: fc.constantFrom('a', '\n', '\r', 'é') }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(parts, fc.integer({ min: 1, max: 30 }), async (texts, size) => {
        const chunks = await Readable.from(
          rowChunks(Readable.from(texts.map((text) => Buffer.from(text))), size),
        ).toArray();
        expect(Buffer.concat(chunks as Buffer[]).toString()).toBe(texts.join(''));
        for (const chunk of chunks.slice(0, -1) as Buffer[]) expect(chunk.at(-1)).toBe(10);
        expect(chunks).not.toContainEqual(Buffer.alloc(0));
      }),
    );
  });

  it('cuts a line that does not end', async () => {
    const parts = Array.from({ length: 50 }, () => Buffer.alloc(100_000, 'x'));
    const chunks: Buffer[] = [];
    for await (const chunk of rowChunks(Readable.from(parts), 1000)) chunks.push(chunk);
    expect(Buffer.concat(chunks)).toHaveLength(5_000_000);
    expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThan(1_300_000);
  });
});
