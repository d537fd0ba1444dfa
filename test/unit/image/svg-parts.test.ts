import { describe, expect, it } from 'vitest';
import { readDeclarations, readValue } from '../../../src/image/svg/css.ts';
import { sizeProblems } from '../../../src/image/svg/dimensions.ts';
import { followReferences, type SvgNode } from '../../../src/image/svg/references.ts';
import { readStyleSheet, type StyleRules } from '../../../src/image/svg/style-sheet.ts';

describe('sizes', () => {
  const isLength = (width: string): boolean => sizeProblems({ width, height: '1', viewBox: '0 0 1 1' }).length === 0;

  // The most pixels that fit, in each unit: 32,767 px.
  it.each([
    ['', '32767', '32767.1'],
    ['px', '32767', '32768'],
    ['pt', '24575', '24576'],
    ['pc', '2047', '2048'],
    ['mm', '8669', '8670'],
    ['cm', '866', '867'],
    ['in', '341', '342'],
    ['em', '2047', '2048'],
    ['ex', '4095', '4096'],
    ['%', '100', '100.1'],
  ])('in %j go up to %s, not %s', (unit, most, more) => {
    expect([isLength(most + unit), isLength(more + unit), isLength(`0${unit}`)]).toEqual([true, false, false]);
  });

  it.each(['1.', '.5', '1.5', '+1', '1e2', '1E+2', '15e-1', ' 1 ', '\t1px\n'])('%j is a length', (length) => {
    expect(isLength(length)).toBe(true);
  });

  it.each(['', '.', '1 px', '1PX', '1px1', 'a1', '1e', '--1', '1,5', '1rem', '-1', '0.0', '1e5'])(
    '%j is none',
    (length) => {
      expect(isLength(length)).toBe(false);
    },
  );

  it.each(['0 0 1 1', '-1e6 1000000 1e6 1e5', '0,0,1,1', ' 0 , 0\n1\t1 ', '+1. 0 1 1'])(
    '%j is a viewBox',
    (viewBox) => {
      expect(sizeProblems({ width: undefined, height: undefined, viewBox })).toEqual([]);
    },
  );

  it.each([
    '',
    '0 0 1',
    '0 0 1 1 1',
    '0 0 0 1',
    '0 0 1 0',
    '0 0 -1 1',
    '0 0 1 -1',
    '1000001 0 1 1',
    '0 -1000001 1 1',
    '0 0 1000001 1',
    '0 0 1 1000001',
    '0,,0 1 1',
    '0 0 1 1,',
    'a 0 1 1',
    '0 0 1 1px',
    '0 0 1px 1',
    '0 0 1001 1',
    '0 0 1 1001',
  ])('%j is none', (viewBox) => {
    expect(sizeProblems({ width: '1', height: '1', viewBox })).toMatchObject([
      {
        attribute: 'viewBox',
        value: viewBox,
        expected: expect.stringContaining('four numbers up to 1,000,000') as unknown,
      },
    ]);
  });

  it('need both sides, or a viewBox; a share alone is none', () => {
    const none = [{ attribute: undefined }];
    expect(sizeProblems({ width: undefined, height: undefined, viewBox: undefined })).toEqual(none);
    expect(sizeProblems({ width: '1', height: undefined, viewBox: undefined })).toEqual(none);
    expect(sizeProblems({ width: undefined, height: '1', viewBox: undefined })).toEqual(none);
    expect(sizeProblems({ width: '1', height: '50%', viewBox: undefined })).toEqual(none);
    expect(sizeProblems({ width: '50%', height: '1', viewBox: undefined })).toEqual(none);
    expect(sizeProblems({ width: '1', height: '1', viewBox: undefined })).toEqual([]);
    expect(sizeProblems({ width: '50%', height: '50%', viewBox: '0 0 1 1' })).toEqual([]);
    const expected = 'a length greater than 0 and up to 32,767 pixels';
    expect(sizeProblems({ width: 'a', height: '0', viewBox: undefined })).toEqual([
      { attribute: 'width', value: 'a', expected },
      { attribute: 'height', value: '0', expected },
    ]);
  });
});

describe('values', () => {
  it.each([
    ['M0 0h1,-2.5e+3z', []],
    ['größe 10% #fff a_b/c', []],
    ['url(#a)', ['a']],
    ['URL( "#a.b:c-d_é" ) red, url(\'#b\')', ['a.b:c-d_é', 'b']],
    ['rgb(1, 2%, 3) Scale(2)\nskewX(1)', []],
    ['"a b" \'c\'', []],
    ['"a; b{c}!"', []],
    ['Blur(1px) url(#a) sepia(.5)', ['a'], 2],
  ])('%j', (value, references, filterSteps = 0) => {
    expect(readValue(value)).toEqual({ references, filterSteps });
  });

  it.each([
    ['url(a)', 'reference', 'url(a)'],
    ['url(#a', 'reference', 'url(#a'],
    ['url(# a)', 'reference', 'url(# a)'],
    ['url("#a\')', 'reference', 'url("#a\')'],
    ['red url( b ) c', 'reference', 'url( b )'],
    ['image(a)', 'reference', 'image(a)'],
    ['image-set(a)', 'reference', 'image-set(a)'],
    ['SRC (a)', 'reference', 'SRC (a)'],
    ['calc(1)', 'style', 'calc(1)'],
    ['a calc(1) b(2)', 'style', 'calc(1)'],
    ['xrgb(1)', 'style', 'xrgb(1)'],
    ['rgb(1;2)', 'style', 'rgb(1;2)'],
    ['(1)', 'style', '(1)'],
    ['rgb(1', 'style', 'rgb(1'],
    ['rgb(calc(1))', 'style', 'calc(1)'],
    ['a;b', 'style', 'a;b'],
    ['"a', 'style', '"a'],
    ['"a\'b"', 'style', '"a\'b"'],
    ['"a\\"', 'style', '"a\\"'],
    ['"a\nb"', 'style', '"a\nb"'],
    ['"a()"', 'style', 'a()'],
    ["'a\"'", 'style', "'a\"'"],
    ['a:b', 'style', 'a:b'],
    ['<a>', 'style', '<a>'],
  ])('%j is refused', (value, problem, source) => {
    expect(readValue(value)).toEqual({ problem, source });
  });

  it('of declarations are told with their property', () => {
    expect(readDeclarations(' Fill : url(#a) ;;stroke:url(#b) url(#c);mask/**/:none/*;*/')).toEqual({
      declarations: [
        { property: 'fill', value: ' url(#a)' },
        { property: 'stroke', value: 'url(#b) url(#c)' },
        { property: 'mask', value: 'none' },
      ],
      effects: {
        references: [
          { property: 'fill', id: 'a' },
          { property: 'stroke', id: 'b' },
          { property: 'stroke', id: 'c' },
        ],
        filterSteps: 0,
      },
      problems: [],
    });
    expect(readDeclarations('filter:blur(1px);filter:sepia(1) blur(2px)').effects.filterSteps).toBe(3);
    expect(readDeclarations('fill:red ! important;cursor:pointer').problems).toEqual([]);
    expect(readDeclarations('a:b; c:url(#x); :c; fill; fill:url(x); /* ; a:b').problems).toEqual([
      { problem: 'property', source: 'a:b' },
      { problem: 'style', source: 'c:url(#x)' },
      { problem: 'style', source: ':c' },
      { problem: 'style', source: 'fill' },
      { problem: 'reference', source: 'url(x)' },
    ]);
  });

  it('of a style sheet are kept for each selector, all of them', () => {
    const rules: StyleRules = new Map();
    const problems = (css: string, into: StyleRules = new Map()) => readStyleSheet(css, into).problems;
    expect(problems('.a, #b{fill:url(#x)} path {} .a{mask:url(#y)}\n', rules)).toEqual([]);
    expect([...rules]).toEqual([
      [
        '.a',
        [
          { references: [{ property: 'fill', id: 'x' }], filterSteps: 0 },
          { references: [{ property: 'mask', id: 'y' }], filterSteps: 0 },
        ],
      ],
      ['#b', [{ references: [{ property: 'fill', id: 'x' }], filterSteps: 0 }]],
    ]);
    expect([...(rules.get('#b') ?? [])][0]).toBe([...(rules.get('.a') ?? [])][0]);
    expect(problems('')).toEqual([]);
    expect(problems('.a')).toEqual([{ problem: 'style', source: '.a' }]);
    expect(problems('.a{} ;.b{}')).toEqual([{ problem: 'style', source: ';' }]);
    expect(problems('.a{}{}')).toEqual([{ problem: 'style', source: '' }]);
  });

  it('of a font are accepted where a rule may start, if the font is in the file', () => {
    const hasFont = (css: string): boolean => {
      const sheet = readStyleSheet(css, new Map());
      return sheet.hasFont && sheet.problems.length === 0;
    };
    const src = 'src:url(data:font/woff;base64,AA==)';
    expect([`@font-face{${src}}`, `.a{}@FONT-FACE {font-weight: 4;${src} format("woff") ;}`].map(hasFont)).toEqual([
      true,
      true,
    ]);
    expect(
      [
        `@font-face{${src},url(a.woff)}`,
        `@font-face{src:url(data:text/css;base64,AA)}`,
        `@font-face{src:url(data:font/woff,AA)}`,
        `@font-face{${src};fill:red}`,
        `@font-face{${src};@import "a"}`,
        `@font-face{${src}`,
        `@media print{@font-face{${src}}}`,
        `.a{font-family:"@font-face{${src}}"}`,
      ].filter(hasFont),
    ).toEqual([]);
  });
});

describe('references', () => {
  /** Elements as `name` or `name id`, each with the index of its parent and the ids that it refers to. */
  const follow = (...elements: [named: string, parent: number | undefined, ...references: string[]][]) => {
    const nodes = elements.map(([named, parent, ...ids], index): SvgNode => {
      const [name = '', id] = named.split(' ');
      const range = [index, index + 1] as const;
      const references = ids.map((one) => ({ name: 'href', id: one, range }));
      return { name, id, classes: [], parent, references, filterSteps: 0, points: '', range };
    });
    const targets = new Map(nodes.flatMap(({ id }, index) => (id === undefined ? [] : [[id, index] as const])));
    return followReferences(nodes, targets);
  };

  it('are fine where they end', () => {
    expect(follow()).toBeUndefined();
    expect(follow(['svg', undefined], ['g a', 0], ['use', 0, 'a'], ['use', 0, 'a', 'b'])).toBeUndefined();
  });

  it('in a circle are told by the one that closes it', () => {
    expect(follow(['g a', undefined, 'a'])).toEqual({ problem: 'cycle', id: 'a', range: [0, 1] });
    expect(follow(['g a', undefined, 'b'], ['g b', undefined, 'c'], ['g c', undefined, 'b'])).toEqual({
      problem: 'cycle',
      id: 'b',
      range: [2, 3],
    });
    expect(follow(['g a', undefined], ['use', 0, 'a'])).toEqual({ problem: 'cycle', id: 'a', range: [1, 2] });
    // Into an element from below: the way back is a child.
    expect(follow(['use', undefined, 'b'], ['g', undefined], ['g b', 1], ['use', 2, 'b'])).toMatchObject({
      problem: 'cycle',
      id: 'b',
    });
  });

  it('count what they draw: definitions only where they are referred to, patterns for all that is inside', () => {
    const paths = (count: number, parent: number): [string, number][] =>
      Array.from({ length: count }, () => ['path', parent]);
    // 1 + 9,999 elements.
    expect(follow(['svg', undefined], ...paths(9999, 0))).toBeUndefined();
    expect(follow(['svg', undefined], ...paths(10_000, 0))).toEqual({ problem: 'drawn', found: 10_001, range: [0, 1] });
    for (const name of ['defs', 'symbol', 'clipPath', 'mask', 'pattern', 'filter', 'metadata'])
      expect(follow(['svg', undefined], [name, 0], ...paths(9999, 1))).toBeUndefined();
    expect(follow(['svg', undefined], ['g', 0], ...paths(9999, 1))).toMatchObject({ found: 10_001 });
    // A pattern of 100 in a group of 100: drawn 100 times.
    expect(
      follow(['svg', undefined], ['pattern p', 0], ...paths(99, 1), ['g', 0, 'p'], ...paths(99, 101)),
    ).toMatchObject({ problem: 'drawn', found: 100 * 101 });
    expect(follow(['svg', undefined], ['g p', 0], ...paths(99, 1), ['g', 0, 'p'], ...paths(99, 101))).toBeUndefined();
  });
});
