import { describe, expect, it } from 'vitest';
import { decodeText } from '../../../src/source/text.ts';
import { findings, places } from '../collect.ts';

const decode = (bytes: string | readonly number[]) => (report: Parameters<typeof decodeText>[1]) =>
  decodeText({ file: 'a.yaml', bytes: Buffer.from(bytes as string) }, report);

describe('decodeText', () => {
  it('drops a byte order mark and keeps everything else', () => {
    expect(decode('\ufeffname: Ünï 👩‍🚀\r\n\tx')(() => undefined)).toBe('name: Ünï 👩‍🚀\r\n\tx');
  });

  it('points at the first byte that is not UTF-8', () => {
    expect(places(decode([0x61, 0x0a, 0xc3, 0xa9, 0x62, 0xe9, 0x63]))).toEqual(['file/encoding 2:3-4']);
    expect(places(decode([0x61, 0xc3]))).toEqual(['file/encoding 1:2-3']); // cut in the middle of a character
    expect(places(decode([0xff, 0xfe, 0x61, 0x00]))).toEqual(['file/encoding 1:1-2']); // UTF-16
  });

  it.each([
    ['\u0000', 'U+0000'],
    ['\u001b', 'U+001B'],
    ['\u0085', 'U+0085'],
    ['\u2028', 'U+2028'],
    ['\u202e', 'U+202E'],
    ['\u2066', 'U+2066'],
    ['\ufeff', 'U+FEFF'],
  ])('refuses %j', (character, name) => {
    const [found, ...others] = findings(decode(`a: x\nb: y${character}z\n`));
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      code: 'file/character',
      location: { start: { line: 2, column: 5 }, end: { line: 2, column: 6 } },
    });
    expect(found?.message).toContain(name);
  });

  it('refuses an unresolved merge conflict, at its first line', () => {
    expect(places(decode('a: 1\r\n<<<<<<< HEAD\r\nb: 1\r\n=======\r\nb: 2\r\n>>>>>>> main\r\n'))).toEqual([
      'file/conflict 2:1-13',
    ]);
  });

  it('reports at most ten of them, and the line ends of old Macs once', () => {
    expect(findings(decode('\u0007'.repeat(1000)))).toHaveLength(10);
    expect(findings(decode('a: 1\rb: 2\rc: 3'))).toHaveLength(1);
  });
});
