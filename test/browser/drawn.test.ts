import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { compareDrawings } from '../drawn/drawn.js';
import { isLong } from '../long-test.ts';
import { describeInChromium } from './chromium.ts';

/** Constructs that are rewritten for the renderer, and look the same. */
const ALIKE = [
  'units-mm-no-viewbox.svg',
  'png16-wide-profile.png',
  'png-gama-linear.png',
  'png-iccp-no-adler.png',
  'webp-exif6.webp',
  'jpg-samsung-sef.jpg',
  'jpg-exif-byte-type.jpg',
  'jpg-exif-hdr-ff.jpg',
  'png-chrm-zero.png',
  'png-palette-index-out-of-range.png',
  'png-palette-trns-too-long.png',
  'gif-no-trailer.gif',
  'pat-illustrator-transform.svg',
  'col-oklch.svg',
  'figma-p3-style.svg',
  'root-css-width-percent.svg',
  'css-star.svg',
  'inkscape-lpe-only_selected.svg',
  'doctype-single-quotes.svg',
  'em-units.svg',
  'filter-blur-css.svg',
];
/** Constructs that look different, which a warning explains. */
const EXPLAINED = [
  'tf-boxy-fillbox.svg',
  'ff-invert.svg',
  'nested-svg-css-size.svg',
  'pathLength-dash.svg',
  'col-accentcolor.svg',
  'root-background-path-transform.svg',
  'grad-x1-eq-x2.svg',
  'mask-on-zero-width-line.svg',
  'bg-root-css-rule.svg',
];
const CASES = path.join(import.meta.dirname, '../drawn/cases');
const cases = (isLong ? readdirSync(CASES) : [...ALIKE, ...EXPLAINED]).map((name) => ({
  name,
  bytes: readFileSync(path.join(CASES, name)),
}));

describeInChromium('thumbnails', () => {
  it('look like their images, or a warning explains the difference', async () => {
    const alike: string[] = [];
    const explained: string[] = [];
    const unexplained: object[] = [];
    for await (const result of compareDrawings(cases)) {
      if (result.refused !== undefined) continue;
      if (result.isAlike) alike.push(result.name);
      else if (result.isExplained) explained.push(result.name);
      else unexplained.push(result);
    }
    expect(unexplained).toEqual([]);
    expect(alike).toEqual(expect.arrayContaining(ALIKE));
    expect(explained).toEqual(expect.arrayContaining(EXPLAINED));
  }, 600_000);
});
