import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseYaml } from '../../../src/source/yaml.ts';
import { normaliseColour, publishedShift } from '../../../src/theme/colour.ts';
import { paletteOfColour } from '../../../src/theme/palette.ts';
import { advisePalette } from '../../../src/theme/palette-advice.ts';
import { places } from '../collect.ts';

const hslOf = (text: string): string => {
  const colour = normaliseColour(text);
  return 'hsl' in colour ? colour.hsl : '';
};

const advice = (...colours: readonly string[]): string[] =>
  places((report) => {
    const document = parseYaml(
      'theme.yaml',
      `palette_preview: [${colours.map((one) => `"${one}"`).join(', ')}]`,
      report,
    );
    if (document !== undefined) advisePalette(colours, colours.map(hslOf), document, report);
  });

describe('advisePalette', () => {
  it('reports a colour that looks like an earlier one, once', () => {
    expect(advice('#0b5fff', 'navy', '#0c5ffe', '#0b5fff')).toEqual(['palette/alike 1:38-47', 'palette/alike 1:49-58']);
  });

  it.each([
    ['the lightest steps of Tailwind', ['#f8fafc', '#f1f5f9', '#e2e8f0', '#cbd5e1']],
    ['the darkest steps of Tailwind', ['#020617', '#0f172a', '#1e293b']],
    ['the greys of Material', ['#fafafa', '#f5f5f5', '#eeeeee', '#e0e0e0', '#bdbdbd']],
  ])('accepts %s', (_, colours) => {
    expect(advice(...colours)).toEqual([]);
  });

  it('accepts the palette that is made of any colour', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffff }), (value) => {
        const palette = paletteOfColour(`#${value.toString(16).padStart(6, '0')}`);
        return 'problem' in palette || advice(...palette.map(({ hex }) => hex)).length === 0;
      }),
      { numRuns: 50 },
    );
  });

  it('reports a colour outside sRGB that is published as another', () => {
    expect(advice('color(display-p3 0 1 0)', 'OKLCH(0.7 0.3 150)', 'oklch(0.6 0.2 260)')).toEqual([
      'palette/shifted 1:19-44',
      'palette/shifted 1:46-66',
    ]);
  });
});

describe('publishedShift', () => {
  it('is never visible within sRGB: whole numbers are exact enough', () => {
    const channel = fc.integer({ min: 0, max: 255 }).map((value) => value / 255);
    fc.assert(
      fc.property(fc.tuple(channel, channel, channel), (channels) => {
        const text = `color(srgb ${channels.join(' ')})`;
        expect(publishedShift(text, hslOf(text))).toBeLessThan(1.75);
      }),
    );
  });
});
