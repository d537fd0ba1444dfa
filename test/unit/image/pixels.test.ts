import { expect, it } from 'vitest';
import { commonSize, type ImageSize, isWithinTolerance } from '../../../src/core/image/pixel-equality.ts';
import { comparePixels, type Pixels } from '../../../src/core/image/pixels.ts';

/** Returns an image of one colour, with a square of another colour. */
function pixels(colour: readonly number[], square: readonly number[] = colour, [offset, side] = [10, 8]): Pixels {
  const [width, height] = [40, 30];
  const rgba = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const isInside = x >= offset && x < offset + side && y >= offset && y < offset + side;
      rgba.set(isInside ? square : colour, (y * width + x) * 4);
    }
  return { width, height, rgba };
}

const [RED, BLUE, BLACK, WHITE, TRANSPARENT] = [
  [200, 0, 0, 255],
  [0, 0, 200, 255],
  [0, 0, 0, 255],
  [255, 255, 255, 255],
  [0, 0, 0, 0],
];

it('measures no difference between an image and itself', () => {
  expect(comparePixels(pixels(RED, BLUE), pixels(RED, BLUE))).toEqual({ mean: 0, max: 0 });
});

it('tolerates an edge that moved by a pixel', () => {
  const { mean, max } = comparePixels(pixels(RED, BLUE), pixels(RED, BLUE, [11, 8]));
  expect(max).toBe(0);
  expect(mean).toBeGreaterThan(0);
});

it.each([
  ['a square of another colour', pixels(RED), pixels(RED, BLUE, [10, 3])],
  ['a square that moved by two pixels', pixels(RED, BLUE), pixels(RED, BLUE, [12, 8])],
  ['a square that is transparent', pixels(BLACK), pixels(BLACK, TRANSPARENT, [5, 4])],
  ['white that is visible only on black', pixels(TRANSPARENT), pixels(TRANSPARENT, WHITE)],
  ['black that is visible only on white', pixels(TRANSPARENT), pixels(TRANSPARENT, BLACK)],
])('counts %s', (_, before, after) => {
  expect(comparePixels(before, after).max).toBeGreaterThan(100);
  expect(comparePixels(after, before).max).toBe(comparePixels(before, after).max);
});

it('treats all transparent pixels as equal', () => {
  expect(comparePixels(pixels(TRANSPARENT), pixels([9, 99, 199, 0]))).toEqual({ mean: 0, max: 0 });
});

const raster = (width: number, height: number): ImageSize => ({ format: 'PNG', width, height, isDrawing: false });
const drawing = (width: number, height: number): ImageSize => ({ format: 'SVG', width, height, isDrawing: true });

it.each([
  [raster(2200, 1100), raster(2200, 1100), { width: 512, height: 256 }],
  [raster(250, 60), raster(250, 61), { width: 250, height: 60 }],
  [raster(2200, 1100), raster(1100, 2200), undefined],
  [raster(2200, 1100), raster(1100, 550), undefined],
  [drawing(24, 24), raster(250, 250), { width: 250, height: 250 }],
  [raster(250, 125), drawing(48, 24), { width: 250, height: 125 }],
  [drawing(24, 24), raster(250, 125), undefined],
  [drawing(10, 5), drawing(20, 10), { width: 512, height: 256 }],
])('compares %j and %j at %j', (before, after, size) => {
  expect(commonSize(before, after, { isThumbnail: true })).toEqual(size);
});

it('compares originals exactly, and tolerates encoder differences in thumbnails', () => {
  const isTolerated = (isThumbnail: boolean, max: number, mean: number): boolean =>
    isWithinTolerance({ max, mean }, { isThumbnail });
  expect([isTolerated(true, 40, 5), isTolerated(true, 41, 0), isTolerated(true, 0, 5.1)]).toEqual([true, false, false]);
  expect([isTolerated(false, 2, 0.5), isTolerated(false, 3, 0), isTolerated(false, 0, 0.6)]).toEqual([
    true,
    false,
    false,
  ]);
});
