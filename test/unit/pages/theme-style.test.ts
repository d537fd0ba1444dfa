import { wcagContrast } from 'culori';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textOn } from '../../../src/document/stylesheet.ts';
import { themeStyle } from '../../../src/document/preview/theme-style.ts';
import { HOSTILE, theme } from '../../sample-records.ts';

describe('text on a colour', () => {
  it('is black or white, whichever has more contrast, and at least 4.5:1', () => {
    const colour = fc.tuple(fc.nat(359), fc.nat(100), fc.nat(100)).map(([h, s, l]) => `hsl(${h},${s}%,${l}%)`);
    fc.assert(
      fc.property(colour, (hsl) => {
        const textColour = textOn(hsl) ?? '';
        const alternative = textColour === '#000' ? '#fff' : '#000';
        expect(wcagContrast(hsl, textColour)).toBeGreaterThanOrEqual(4.5);
        expect(wcagContrast(hsl, textColour)).toBeGreaterThanOrEqual(wcagContrast(hsl, alternative) - 0.01);
      }),
    );
  });
});

describe('style of a theme', () => {
  it('has the sizes that the theme sets', () => {
    expect(themeStyle(theme(1))).toContain(
      '--logo-height: 36px; --compact-logo-size: 28px; --logo-margin-left: 3px; --logo-margin-top: 4px; --c1: ',
    );
  });

  it.each([...HOSTILE, 'red; } body { display: none', 'hsl(0,0%,0%)}', 'url(https://evil.example)'])(
    'omits a value that is no colour: %j',
    (colour) => {
      expect(themeStyle(theme(1, { palette_preview: [colour, 'hsl(0,0%,0%)'] }))).toBe(
        themeStyle(theme(1, { palette_preview: ['', 'hsl(0,0%,0%)'] })),
      );
    },
  );
});
