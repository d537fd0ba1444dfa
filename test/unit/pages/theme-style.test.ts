import { wcagContrast } from 'culori';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textOn } from '../../../src/document/stylesheet.ts';
import { themeStyle } from '../../../src/document/preview/theme-style.ts';
import { HOSTILE, theme } from '../../sample-records.ts';

describe('text on a colour', () => {
  it('has a contrast of 4.5:1 or more, the greater of black and white', () => {
    const colour = fc.tuple(fc.nat(359), fc.nat(100), fc.nat(100)).map(([h, s, l]) => `hsl(${h},${s}%,${l}%)`);
    fc.assert(
      fc.property(colour, (hsl) => {
        const chosen = textOn(hsl) ?? '';
        const alternative = chosen === '#000' ? '#fff' : '#000';
        expect(wcagContrast(hsl, chosen)).toBeGreaterThanOrEqual(4.5);
        expect(wcagContrast(hsl, chosen)).toBeGreaterThanOrEqual(wcagContrast(hsl, alternative) - 0.01);
      }),
    );
  });
});

describe('style of a theme', () => {
  it('has its sizes', () => {
    expect(themeStyle(theme(1))).toContain(
      '--logo-height: 36px; --compact-logo-size: 28px; --logo-margin-left: 3px; --logo-margin-top: 4px; --c1: ',
    );
  });

  it.each([...HOSTILE, 'red; } body { display: none', 'hsl(0,0%,0%)}', 'url(https://evil.example)'])(
    'leaves out a colour that is none: %j',
    (colour) => {
      expect(themeStyle(theme(1, { palette_preview: [colour, 'hsl(0,0%,0%)'] }))).toBe(
        themeStyle(theme(1, { palette_preview: ['', 'hsl(0,0%,0%)'] })),
      );
    },
  );
});
