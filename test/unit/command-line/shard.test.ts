import { describe, expect, it } from 'vitest';
import { shardOf } from '../../../src/system/command-line/flags.ts';

describe('--shard', () => {
  it.each([
    ['1/1', { index: 1, total: 1 }],
    ['3/8', { index: 3, total: 8 }],
    ['8/8', { index: 8, total: 8 }],
  ])('accepts %s', (text, shard) => {
    expect(shardOf(text)).toEqual(shard);
  });

  it.each([...'0/8 9/8 0/0 1.5/2 -1/2 +1/2 1/2/3 3 3/ /8 x auto auto/8 1/20000'.split(' '), ' 1/2'])(
    'rejects %j',
    (text) => {
      expect(() => shardOf(text)).toThrow(
        `--shard must be I/N with I from 1 to N (at most 10000), such as 3/8 or "$CI_NODE_INDEX/$CI_NODE_TOTAL", not \`${text}\`.`,
      );
    },
  );
});
