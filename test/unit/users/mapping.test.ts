import { describe, expect, it } from 'vitest';
import { place } from '../../../src/diagnostics/diagnostic.ts';
import { isNeeded, keyCount } from '../../../src/users/mapping.ts';
import { parsedRow } from '../../../src/users/ndjson.ts';
import { Pairs, readPairs } from '../../../src/users/pairs.ts';
import { rowOf, rowWords } from '../../../src/users/digest-records.ts';
import type { IdentityRule } from '../../../src/edge-runtime/rules.ts';

describe('a mapping', () => {
  it('counts keys of both kinds, and names places by file and line', () => {
    expect(keyCount({ counts: { user: 3, group: 4 } })).toBe(7);
    const start = { line: 12, column: 3 };
    expect(place({ file: 'users.csv', start, end: start })).toBe('users.csv:12');
    expect(place({ file: 'users.csv' })).toBe('users.csv');
  });

  it('needs keys that some rule reads, but for the default theme where the last one decides', () => {
    const rules = (...names: IdentityRule['names'][]): IdentityRule[] =>
      names.map((name) => ({ names: name, credential: { from: 'cookie', name: 'a' } }));
    expect(isNeeded('user', false, rules('user'))).toBe(true);
    expect(isNeeded('user', true, rules('user'))).toBe(false);
    expect(isNeeded('user', true, rules('user', 'theme'))).toBe(true);
    expect(isNeeded('user', true, rules('group', 'user'))).toBe(false);
    expect(isNeeded('group', false, rules('user', 'theme'))).toBe(false);
    expect(isNeeded('group', true, [])).toBe(false);
  });
});

describe('NDJSON', () => {
  it.each([
    ['{"user":"ann","theme":"meadow"}', { kind: 'user', key: 'ann', theme: 'meadow', isId: false }],
    ['{"theme":"meadow","group":"ann"}', { kind: 'group', key: 'ann', theme: 'meadow', isId: false }],
    ['{"user":4711,"theme":"meadow"}', { kind: 'user', key: '4711', theme: 'meadow', isId: false }],
    [' {"user":"","theme":""} ', { kind: 'user', key: '', theme: '', isId: false }],
    ['{"user":"ann","theme_id":7}', { kind: 'user', key: 'ann', theme: '7', isId: true }],
    ['{"user":"ann","theme_id":"7"}', { kind: 'user', key: 'ann', theme: '7', isId: true }],
  ])('%s is a row', (line, row) => {
    expect(parsedRow(line)).toEqual(row);
  });

  it.each([
    '',
    '{',
    'null',
    '1',
    '[]',
    '"ann"',
    '{"theme":"meadow"}',
    '{"user":"ann"}',
    '{"user":"ann","group":"ann","theme":"meadow"}',
    '{"user":"ann","theme":"meadow","more":1}',
    '{"user":null,"theme":"meadow"}',
    '{"user":true,"theme":"meadow"}',
    '{"user":1.5,"theme":"meadow"}',
    '{"user":9007199254740992,"theme":"meadow"}',
    '{"user":"ann","theme":7}',
    '{"user":{"a":1},"theme":"meadow"}',
  ])('%s is none', (line) => {
    expect(parsedRow(line)).toBeUndefined();
  });
});

describe('pairs', () => {
  it('come back as they were, each time only the new ones, however many', () => {
    const pairs = new Pairs();
    const key = (at: number): string => `${at}-`.repeat(70).slice(0, 1 + (at % 128));
    for (let at = 0; at < 3000; at++) pairs.add(at % 3 === 0 ? 'group' : 'user', Buffer.from(key(at)), at * 20);
    const taken = [...readPairs(pairs.take())];
    expect(taken).toHaveLength(3000);
    for (const [at, pair] of taken.entries())
      expect(pair).toEqual({ kind: at % 3 === 0 ? 'group' : 'user', key: key(at), theme: at * 20 });
    expect(pairs.take()).toHaveLength(0);
    pairs.add('user', Buffer.from('ann'), 1);
    expect([...readPairs(pairs.take())]).toEqual([{ kind: 'user', key: 'ann', theme: 1 }]);
  });
});

describe('records', () => {
  it('hold a row, and its column as far as there is room', () => {
    const row = { kind: 'group', isFolded: true, theme: 0xffff, chunk: 3, line: 9, length: 128 } as const;
    const back = (column: number) => rowOf(Uint32Array.from([1, 2, 3, 9, ...rowWords({ ...row, column })]), 0);
    expect(back(7)).toEqual({ ...row, column: 7 });
    expect(back(0x3fffff)).toEqual({ ...row, column: 0x3fffff });
    expect(back(0x400000)).toEqual({ ...row, column: 0x3fffff });
  });
});
