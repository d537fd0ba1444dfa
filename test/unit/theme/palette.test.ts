import culori from 'culori/require';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normaliseColour } from '../../../src/core/theme/colour/colour.ts';
import { contrast, paletteOfColour, paletteOfPixels } from '../../../src/core/theme/colour/palette.ts';

const lightness = culori.converter('oklch');

function hexColours(text: string): string[] {
  const palette = paletteOfColour(text);
  if (palette === undefined) throw new Error(`${text} is no colour`);
  return palette;
}

/** Makes an image of the given colours, each with a number of pixels. */
function pixels(...areas: [hex: string, pixels: number, alpha?: number][]): Uint8Array {
  return Uint8Array.from(
    areas.flatMap(([hex, count, alpha = 255]) => {
      const channels = [1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16));
      return Array.from({ length: count }, () => [...channels, alpha]).flat();
    }),
  );
}

describe('the palette of a colour', () => {
  it('has nine steps from dark to light, including the colour', () => {
    const palette = hexColours('#0b5fff');
    expect(palette).toHaveLength(9);
    expect(palette).toContain('#0b5fff');
    const steps = palette.map((hex) => lightness(hex)?.l ?? 0);
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
  });

  it('keeps the hue as far as sRGB allows', () => {
    for (const hex of hexColours('oklch(0.6 0.1 150)')) expect(lightness(hex)?.h).toBeCloseTo(150, -1);
  });

  it('has nine publishable colours, whatever the colour is', () => {
    const channel = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(fc.tuple(channel, channel, channel), (rgb) => {
        const palette = hexColours(`rgb(${rgb.join(' ')})`);
        expect(new Set(palette).size).toBe(9);
        for (const hex of palette) expect(normaliseColour(hex)).toHaveProperty('hsl');
      }),
    );
  });

  it.each(['none of these', '#12', 'rgb(0 0 0 / 50%)', 'currentColor'])('does not exist for %s', (text) => {
    expect(paletteOfColour(text)).toBeUndefined();
  });
});

describe('the palette of an image', () => {
  /** Returns the palette of an image in this colour alone. */
  const onlyOf = (hex: string): string[] => paletteOfPixels(pixels([hex, 1]));

  it('begins with the colours of the image, by area and contrast', () => {
    const palette = paletteOfPixels(pixels(['#ffcc00', 300], ['#0b3954', 600], ['#e9b872', 100]));
    expect(palette.slice(0, 3)).toEqual(['#0b3954', '#ffcc00', '#e9b872']);
    expect(palette).toHaveLength(9);
    expect(new Set(palette).size).toBe(9);
  });

  it('ignores transparent pixels and the colours of antialiasing', () => {
    const palette = paletteOfPixels(pixels(['#00ff00', 500, 0], ['#0b3954', 990], ['#c9573b', 10]));
    expect(palette).toEqual(onlyOf('#0b3954'));
  });

  it('groups similar colours', () => {
    const palette = paletteOfPixels(pixels(['#0b3954', 500], ['#0c3a55', 300], ['#0d3b56', 200]));
    expect(palette).toEqual(onlyOf('#0b3954'));
  });
});

it('measures contrast as WCAG does', () => {
  expect(contrast('#000000', 'white')).toBeCloseTo(21);
  expect(contrast('#767676', 'white')).toBeCloseTo(4.54, 2);
  expect(contrast('#ffffff', 'white')).toBe(1);
});
