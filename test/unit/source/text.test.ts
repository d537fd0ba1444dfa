import { describe, expect, it } from 'vitest';
import { decodeText, hasInvisible } from '../../../src/core/source/text.ts';
import { diagnosticsOf, placesOf } from '../collect.ts';

const decode = (bytes: string | readonly number[]) => (report: Parameters<typeof decodeText>[1]) =>
  decodeText({ file: 'a.yaml', bytes: Buffer.from(bytes as string) }, report);

describe('decodeText', () => {
  it('drops a byte order mark and keeps everything else', () => {
    expect(decode('\ufeffname: Ünï 👩‍🚀\r\n\tx')(() => undefined)).toBe('name: Ünï 👩‍🚀\r\n\tx');
  });

  it('points at the first byte that is not UTF-8', () => {
    expect(placesOf(decode([0x61, 0x0a, 0xc3, 0xa9, 0x62, 0xe9, 0x63]))).toEqual(['file/encoding 2:3-4']);
    expect(placesOf(decode([0x61, 0xc3]))).toEqual(['file/encoding 1:2-3']); // cut within a character
    expect(placesOf(decode([0xff, 0xfe, 0x61, 0x00]))).toEqual(['file/encoding 1:1-2']); // UTF-16
    expect(placesOf(decode([0xef, 0xbb, 0xbf, 0x61, 0xef, 0xbf, 0x62]))).toEqual(['file/encoding 1:2-3']);
    expect(placesOf(decode([...Buffer.from('ü👩\ufffd'), 0xc3]))).toEqual(['file/encoding 1:5-6']);
  });

  it('reports at most ten invisible characters, and old Mac line endings once', () => {
    expect(diagnosticsOf(decode('a\u0007'.repeat(1000)))).toHaveLength(10);
    // A repeated character is a single mistake.
    expect(diagnosticsOf(decode('\u0007'.repeat(1000)))).toHaveLength(1);
    expect(diagnosticsOf(decode('a: 1\rb: 2\rc: 3'))).toHaveLength(1);
  });
});

describe('an invisible character', () => {
  // Checks the ends of each range, and their neighbours.
  it.each([
    [0x00, 0x08],
    [0x0b, 0x0c],
    [0x0e, 0x1f],
    [0x7f, 0x9f],
    [0xad, 0xad],
    [0x061c, 0x061c],
    [0x180e, 0x180e],
    [0x200b, 0x200b],
    [0x200e, 0x200f],
    [0x2028, 0x202e],
    [0x2060, 0x206f],
    [0xfeff, 0xfeff],
    [0xfff9, 0xfffb],
    [0xfffe, 0xffff],
  ])('is rejected from U+%x to U+%x', (first, last) => {
    const isRefused = (code: number): boolean =>
      decode(`a${String.fromCodePoint(code)}b`)(() => undefined) === undefined;
    expect([first, last].map(isRefused)).toEqual([true, true]);
    const neighbours = [first - 1, last + 1].filter((code) => code >= 0x20);
    expect(neighbours.filter(isRefused)).toEqual([]);
  });

  it('is also rejected in names, as are line breaks and tabs', () => {
    expect(['a\tb', 'a\rb', 'a\nb', 'a\u200bb', '\ufeff', '\ud800'].map(hasInvisible)).toEqual(
      Array.from({ length: 6 }, () => true),
    );
    expect(['', 'a b', 'Ünï👩‍🚀'].map(hasInvisible)).toEqual([false, false, false]);
  });
});

describe('a conflict', () => {
  it('is located at its first line', () => {
    expect(placesOf(decode('a\u0007: 1\n<<<<<<< HEAD \nb: 1\n'))).toEqual(['file/conflict 2:1-13']);
    for (const text of ['<<<<<<<\n', '<<<<<< a\n', '<<<<<<<< a\n', ' <<<<<<< a\n'])
      expect(placesOf(decode(text))).toEqual([]);
  });
});
