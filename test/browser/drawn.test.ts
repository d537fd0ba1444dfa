import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { constructs } from '../drawn/constructs.js';
import { drawnBeside } from '../drawn/drawn.js';
import { describeInChromium } from './chromium.ts';

/** These constructs are rewritten for the renderer, and look the same. */
const ALIKE = [
  'units-mm-no-viewbox.svg',
  'png16-wide-profile.png',
  'png-gama-linear.png',
  'png-iccp-no-adler.png',
  'webp-exif6.webp',

  'jpg-samsung-sef.jpg',
  'col-oklch.svg',
  'figma-p3-style.svg',
  'bg-root-css-rule.svg',
  'root-css-width-percent.svg',

  'css-star.svg',
  'inkscape-lpe-only_selected.svg',
  'doctype-single-quotes.svg',
  'em-units.svg',
  'filter-blur-css.svg',
];
/** These constructs look different, and a warning says so. */
const EXPLAINED = [
  'tf-boxy-fillbox.svg',
  'ff-invert.svg',
  'nested-svg-css-size.svg',
  'pathLength-dash.svg',
  'col-accentcolor.svg',
];
const CONSTRUCTS = ['root-1', 'root-4', 'colour-sheet-6', 'length-rect-60mm', 'shape-5', 'structure-4', 'selector-15'];

const cases = [...ALIKE, ...EXPLAINED].map((name) => ({
  name,
  bytes: readFileSync(path.join(import.meta.dirname, '../drawn/cases', name)),
}));
const generated = [...constructs()].filter(({ name }) => CONSTRUCTS.includes(name.replace('.svg', '')));

describeInChromium('thumbnails', () => {
  it('look like their images, or a warning says why not', async () => {
    const results = new Map<string, string>();
    for await (const result of drawnBeside([...cases, ...generated])) {
      const { name } = result;
      if (result.refused !== undefined) results.set(name, result.refused.join());
      else results.set(name, result.isAlike ? 'alike' : result.isExplained ? 'explained' : JSON.stringify(result));
    }
    expect(Object.fromEntries(results)).toEqual({
      ...Object.fromEntries([...ALIKE, ...CONSTRUCTS.map((name) => `${name}.svg`)].map((name) => [name, 'alike'])),
      ...Object.fromEntries(EXPLAINED.map((name) => [name, 'explained'])),
    });
  }, 60_000);
});
