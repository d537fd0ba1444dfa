import { describe, expect, it } from 'vitest';
import { type LogoAnalysis, analyseLogo } from '../../../src/core/image/logo-analysis.ts';

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

/** Analyses a raster drawn as text: each character is a block of 4 × 4 pixels. */
function analyse(...rows: readonly string[]): LogoAnalysis {
  return analyseBlocks(rows, 4, 4);
}

/** Analyses blocks of pixels. @param channels - 3 omits the alpha channel */
function analyseBlocks(rows: readonly string[], side: number, channels: 3 | 4): LogoAnalysis {
  const [width, height] = [(rows[0]?.length ?? 0) * side, rows.length * side];
  const pixels = Array.from({ length: width * height }, (_, pixelIndex) => {
    const character = rows[Math.floor(pixelIndex / width / side)]?.[Math.floor((pixelIndex % width) / side)] ?? '';
    return COLOURS[character]?.slice(0, channels) ?? [];
  });
  return analyseLogo(Uint8Array.from(pixels.flat()), { width, height, channels });
}

describe('analyseLogo', () => {
  it.each<[string, readonly string[], number, number]>([
    ['white letters beside a red badge', ['.......', '.rr.w.w', '.rr.w.w', '.......'], 0.5, 0],
    ['dark letters beside a red badge', ['.......', '.rr.k.k', '.rr.k.k', '.......'], 0, 0.5],
    ['white letters on a red badge', ['......', '.rrrr.', '.rwwr.', '.rrrr.'], 0, 0],
    ['a red drawing on a white tile', ['......', '.wwww.', '.wrrw.', '.wwww.'], 0, 0],
    ['a light grey drawing', ['....', '.gg.'], 1, 0],
    ['a yellow drawing, whose hue distinguishes it from white', ['....', '.yy.'], 0, 0],
    ['a deep blue drawing, whose hue distinguishes it from the dark background', ['....', '.bb.'], 0, 0],
    ['a blank image', ['....', '....'], 0, 0],
  ])('finds the faint share of %s', (_, rows, light, dark) => {
    expect(analyse(...rows).faint).toEqual({ light, dark });
  });

  it('does not connect shapes across the sides of the image', () => {
    expect(analyse('w.r', 'w.r').faint.light).toBe(0.5);
  });

  it.each<[string, readonly string[], boolean]>([
    ['a drawing on white', ['wwww', 'wrrw', 'wwww'], true],
    ['a drawing on white that touches the border', ['wrrw', 'wrrw', 'wwww'], true],
    ['a drawing on white in a corner', ['rrww', 'rrww', 'wwww'], false],
    ['a drawing on yellow', ['yyyy', 'yrry', 'yyyy'], false],
    ['a drawing on red', ['rrrr', 'rwwr', 'rrrr'], false],
    ['a white frame', ['wwwww', 'w...w', 'wwwww'], false],
    ['a white tile with a margin', ['......', '.wwww.', '......'], false],
  ])('detects a white background: %s', (_, rows, isBoxed) => {
    expect(analyse(...rows).isBoxed).toBe(isBoxed);
  });

  it('detects an image with nothing visible', () => {
    expect([analyse('..', '..').isBlank, analyse('..', '.r').isBlank]).toEqual([true, false]);
  });

  it('analyses a large raster at 96 pixels', () => {
    const rows = ['........', '.rrr.w..', '.rrr.w..', '........'];
    expect(analyseBlocks(rows, 36, 4)).toEqual(analyseBlocks(rows, 12, 4));
    // A third of the rows is red, so averages of three rows contain no white.
    const stripes = Array.from({ length: 99 }, (_, y) => (y % 3 === 0 ? 'r' : 'w').repeat(99));
    expect(analyseBlocks(stripes, 1, 4).faint.light).toBe(0);
  });

  it('finds the white box of a wide wordmark whose letters nearly touch its border', () => {
    const row = (y: number): string => (y < 3 || y > 38 ? 'w'.repeat(250) : `www${'kkw'.repeat(81)}wwww`);
    expect(
      analyseBlocks(
        Array.from({ length: 42 }, (_, y) => row(y)),
        1,
        4,
      ).isBoxed,
    ).toBe(true);
  });
});
