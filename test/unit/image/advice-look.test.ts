import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLook, type Look, lookAt } from '../../../src/image/advice-look.ts';

type Colour = readonly [red: number, green: number, blue: number, alpha: number];

const COLOURS: Readonly<Record<string, Colour>> = {
  '.': [0, 0, 0, 0],
  w: [255, 255, 255, 255],
  k: [17, 17, 17, 255],
  r: [220, 20, 30, 255],
  y: [247, 223, 30, 255],
  b: [5, 0, 190, 255],
  g: [221, 221, 221, 255],
};

/** A raster drawn as text: one character for each block of 4 × 4 pixels. */
function look(...rows: readonly string[]): Look {
  const pixels = rows.flatMap((row) =>
    Array.from(row).flatMap((character) => Array.from({ length: 4 }, () => COLOURS[character] ?? [])),
  );
  const width = (rows[0]?.length ?? 0) * 4;
  const tall = Array.from({ length: rows.length * 4 }, (_, y) =>
    pixels.slice(Math.floor(y / 4) * width, (Math.floor(y / 4) + 1) * width),
  );
  return lookAt(Uint8Array.from(tall.flat(2)), width);
}

describe('lookAt', () => {
  it.each<[string, readonly string[], number, number]>([
    ['white letters beside a red badge', ['.......', '.rr.w.w', '.rr.w.w', '.......'], 0.5, 0],
    ['dark letters beside a red badge', ['.......', '.rr.k.k', '.rr.k.k', '.......'], 0, 0.5],
    ['white letters on a red badge', ['......', '.rrrr.', '.rwwr.', '.rrrr.'], 0, 0],
    ['a red drawing on a white tile', ['......', '.wwww.', '.wrrw.', '.wwww.'], 0, 0],
    ['a light grey one', ['....', '.gg.'], 1, 0],
    ['a yellow one: its hue tells it from white', ['....', '.yy.'], 0, 0],
    ['a deep blue one: its hue tells it from the dark background', ['....', '.bb.'], 0, 0],
    ['nothing at all', ['....', '....'], 0, 0],
  ])('finds what is faint of %s', (_, rows, light, dark) => {
    expect(look(...rows).faint).toEqual({ light, dark });
  });

  it('connects no parts across the sides of the image', () => {
    expect(look('w.r', 'w.r').faint.light).toBe(0.5);
  });

  it.each<[string, readonly string[], boolean]>([
    ['a drawing on white', ['wwww', 'wrrw', 'wwww'], true],
    ['a drawing on yellow', ['yyyy', 'yrry', 'yyyy'], false],
    ['a drawing on red', ['rrrr', 'rwwr', 'rrrr'], false],
    ['a white frame', ['wwwww', 'w...w', 'wwwww'], false],
    ['a white tile with a margin', ['......', '.wwww.', '......'], false],
  ])('finds whether there is a white background: %s', (_, rows, isBoxed) => {
    expect(look(...rows).isBoxed).toBe(isBoxed);
  });

  it('finds whether nothing is visible', () => {
    expect([look('..', '..').isBlank, look('..', '.r').isBlank]).toEqual([true, false]);
  });

  it('gives the same digest to the same pixels in the same size only', () => {
    expect(look('.r', '.r').pixels).toBe(look('.r', '.r').pixels);
    expect(look('.r', '.r').pixels).not.toBe(look('.r', '.k').pixels);
    expect(look('.r.r').pixels).not.toBe(look('.r', '.r').pixels);
  });

  it('gives a look for every raster', () => {
    const rasters = fc
      .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }))
      .chain(([width, height]) =>
        fc.tuple(fc.constant(width), fc.uint8Array({ minLength: width * height * 4, maxLength: width * height * 4 })),
      );
    fc.assert(fc.property(rasters, ([width, rgba]) => isLook(structuredClone(lookAt(rgba, width)))));
  });
});

describe('isLook', () => {
  const good = look('.r');

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a list', []],
    ['a share above 1', { ...good, faint: { light: 2, dark: 0 } }],
    ['a share that is no number', { ...good, faint: { light: Number.NaN, dark: 0 } }],
    ['a mode too few', { ...good, faint: { light: 0 } }],
    ['a mode too many', { ...good, faint: { ...good.faint, sepia: 0 } }],
    ['more than a look has', { ...good, data: 'x' }],
    ['a digest that is none', { ...good, pixels: '../x' }],
    ['no digest', { faint: good.faint, isBoxed: false, isBlank: false }],
  ])('rejects %s', (_, value) => {
    expect(isLook(value)).toBe(false);
  });
});
