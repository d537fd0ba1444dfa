import { describe, expect, it } from 'vitest';
import { parseYaml } from '../../../src/core/source/yaml.ts';
import { placesOf } from '../collect.ts';

const parse = (text: string) => parseYaml('a.yaml', text, () => undefined);
const placesIn = (text: string): string[] => placesOf((report) => parseYaml('a.yaml', text, report));

describe('data', () => {
  it('has no prototype, so no key has a special meaning', () => {
    const data = parse('__proto__: {x: 1}\nconstructor: 2\n')?.data;
    expect(Object.keys(data ?? {})).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(data)).toBeNull();
  });

  it('keeps integers exact or reports them', () => {
    expect(parse('a: 9007199254740991')?.data['a']).toBe(Number.MAX_SAFE_INTEGER);
    expect(placesIn('a: 9007199254740992')).toEqual(['yaml/number-format 1:4-20']);
    expect(placesIn('a: [-0, 1_000, 0.5, 010]')).toEqual(['yaml/number-format 1:5-7', 'yaml/number-format 1:21-24']);
  });
});

describe('limits', () => {
  const nested = (depth: number): string => `a: ${'['.repeat(depth)}b${']'.repeat(depth)}\n`;

  it('accept seven nested lists below the root, but not eight', () => {
    expect(placesIn(nested(7))).toEqual([]);
    expect(placesIn(nested(8))).toEqual(['yaml/too-deep 1:11-14']);
    expect(placesIn(nested(101))).toEqual(['yaml/too-deep 1:104-105']);
    expect(placesIn(`a:\n${'- '.repeat(101)}b\n`)).toEqual(['yaml/too-deep 2:201-202']);
    expect(placesIn(`a: ${'{b: '.repeat(101)}c${'}'.repeat(101)}\n`)).toEqual(['yaml/too-deep 1:404-405']);
    expect(placesIn(`a:\n${'? '.repeat(101)}b\n`)).toEqual(['yaml/too-deep 2:201-202']);
  });

  it('do not treat many adjacent lists as deep', () => {
    expect(placesIn(`a: [${'[b], '.repeat(500)}]\nc:\n${'- - d\n'.repeat(500)}`)).toEqual([]);
    expect(placesIn(`a: [${'{b: c}, '.repeat(500)}]\n`)).toEqual([]);
    expect(placesIn(`a:\n${'  - b\n'.repeat(500)}`)).toEqual([]);
  });

  it('accept 5,000 values in a list, but not more', () => {
    expect(placesIn('- a\n'.repeat(5000))).toEqual(['yaml/not-a-mapping 1:1-4']);
    expect(placesIn('- a\n'.repeat(5001))).toEqual(['yaml/too-many-values 5001:1-2']);
    expect(placesIn(`a: "${'\\q'.repeat(10_001)}"`)).toEqual(['yaml/too-many-values 1:4-5']);
    // Key, colon and text are three parts, and each escape is another part.
    expect(placesIn(`a: "${'\\n'.repeat(9997)}"`)).toEqual([]);
    expect(placesIn(`a: "${'\\n'.repeat(9998)}"`)).toEqual(['yaml/too-many-values 1:4-5']);
    expect(placesIn(`a: ${'\\n'.repeat(9998)}`)).toEqual([]);
    expect(placesIn('')).toEqual(['yaml/empty']);
    expect(placesIn(`${'# a\n\n'.repeat(20_000)}a: b\n`)).toEqual([]); // Comments are no values.
  });

  it('reject a file with more problems than are examined', () => {
    expect(parse('- !a b\n'.repeat(1500))).toBeUndefined();
  });
});
