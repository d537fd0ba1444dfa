import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { partsOf, textFile } from '../../../src/document/output-file.ts';
import { longTest } from '../../long-test.ts';

describe('a file written from text', () => {
  const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
  const file = (write: () => Iterable<string>): ReturnType<typeof textFile> =>
    textFile('a.json', write, 'application/json', 'list');

  it('has the total size and the hash of its parts', () => {
    const { bytes, sha256: hash, content } = file(() => ['[', '"é"', ']']);
    expect([bytes, hash, content]).toEqual([6, sha256('["é"]'), { text: '["é"]' }]);
  });

  longTest('is generated again when it is written, if it is too long for memory', () => {
    let calls = 0;
    const line = 'ü'.repeat(1_000_000);
    const longFile = file(function* () {
      calls++;
      for (let count = 0; count < 40; count++) yield line;
    });
    expect([longFile.bytes, longFile.sha256, calls]).toEqual([80_000_000, sha256(line.repeat(40)), 1]);
    expect('text' in longFile.content).toBe(false);
    expect([[...partsOf(longFile)].join('') === line.repeat(40), calls]).toEqual([true, 2]);
  });
});
