import { type Color, colorsNamed, converter, type Mode, parse } from 'culori';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NAMED_COLOURS, normaliseColour, UNFIXED_KEYWORDS } from '../../../src/core/theme/colour.ts';

/** Returns the hsl text or the problem, which are easier to compare than the result. */
function convert(text: string): string {
  const result = normaliseColour(text);
  return 'hsl' in result ? result.hsl : result.problem;
}

describe('keywords', () => {
  it('include the 148 named colours', () => {
    expect(NAMED_COLOURS).toHaveLength(148);
    for (const [name, value] of Object.entries(colorsNamed))
      expect(convert(name), name).toBe(convert(`#${value.toString(16).padStart(6, '0')}`));
  });

  it('exclude every system colour, as it is not fixed, in any case', () => {
    for (const name of UNFIXED_KEYWORDS) expect(convert(name.toUpperCase()), name).toBe('not-a-fixed-colour');
  });
});

type Channels = Readonly<Record<string, number | undefined>>;

/** Colours in the modes of culori, with their CSS syntax. */
const notations: readonly [mode: Mode, write: (colour: Channels) => string][] = [
  ['rgb', ({ r = 0, g = 0, b = 0 }) => `rgb(${r * 255}, ${g * 255}, ${b * 255})`],
  ['rgb', ({ r = 0, g = 0, b = 0 }) => `rgb(${r * 100}% ${g * 100}% ${b * 100}%)`],
  ['rgb', ({ r = 0, g = 0, b = 0 }) => `color(srgb ${r} ${g} ${b})`],
  ['hsl', ({ h = 0, s = 0, l = 0 }) => `hsl(${h}, ${s * 100}%, ${l * 100}%)`],
  ['hsl', ({ h = 0, s = 0, l = 0 }) => `hsl(${h / 360 - 3}turn ${s * 100} ${l * 100})`],
  ['hwb', ({ h = 0, w = 0, b = 0 }) => `hwb(${h} ${w * 100}% ${b * 100}%)`],
  ['lab', ({ l = 0, a = 0, b = 0 }) => `lab(${l} ${a} ${b})`],
  ['lab', ({ l = 0, a = 0, b = 0 }) => `lab(${l}% ${a / 1.25}% ${b / 1.25}%)`],
  ['lch', ({ l = 0, c = 0, h = 0 }) => `lch(${l} ${c / 1.5}% ${h}deg)`],
  ['oklab', ({ l = 0, a = 0, b = 0 }) => `oklab(${l} ${a} ${b / 0.004}%)`],
  ['oklch', ({ l = 0, c = 0, h = 0 }) => `oklch(${l * 100}% ${c} ${h / 0.9}grad)`],
  ['p3', ({ r = 0, g = 0, b = 0 }) => `color(display-p3 ${r} ${g} ${b})`],
  ['a98', ({ r = 0, g = 0, b = 0 }) => `color(a98-rgb ${r} ${g} ${b})`],
  ['prophoto', ({ r = 0, g = 0, b = 0 }) => `color(prophoto-rgb ${r} ${g} ${b})`],
  ['lrgb', ({ r = 0, g = 0, b = 0 }) => `color(srgb-linear ${r} ${g} ${b})`],
  ['xyz65', ({ x = 0, y = 0, z = 0 }) => `color(xyz ${x} ${y} ${z})`],
  ['xyz50', ({ x = 0, y = 0, z = 0 }) => `color(xyz-d50 ${x} ${y} ${z})`],
];

const PUBLISHED = /^hsl\((\d+),(\d+)%,(\d+)%\)$/;
const toRgb = converter('rgb');
const toHsl = converter('hsl');
/** Options that repeat the same examples in every run. */
const runs = (numRuns: number) => ({ seed: 20260101, numRuns });

/** Expects the published colour to be the reference colour, rounded to whole numbers. */
function expectNearest(text: string, reference: Color): void {
  const published = convert(text);
  const [h = NaN, s = NaN, l = NaN] = (PUBLISHED.exec(published) ?? []).slice(1).map(Number);
  const expectedRgb = toRgb(reference);
  const publishedRgb = toRgb({ mode: 'hsl', h, s: s / 100, l: l / 100 });
  const maxError = Math.max(
    Math.abs(publishedRgb.r - expectedRgb.r),
    Math.abs(publishedRgb.g - expectedRgb.g),
    Math.abs(publishedRgb.b - expectedRgb.b),
  );
  expect(maxError, `${text} → ${published}: RGB channels differ`).toBeLessThanOrEqual(4 / 255);

  const { h: hue = 0, s: saturation, l: lightness } = toHsl(reference);
  expect(Math.abs(l - 100 * lightness), `${text} → ${published}: lightness`).toBeLessThanOrEqual(0.501);
  const nearGrey = saturation < 0.02 || lightness < 0.02 || lightness > 0.98;
  if (nearGrey) return;
  expect(Math.abs(s - 100 * saturation), `${text} → ${published}: saturation`).toBeLessThanOrEqual(0.51);
  const hueError = Math.abs(h - hue);
  expect(Math.min(hueError, 360 - hueError), `${text} → ${published}: hue`).toBeLessThanOrEqual(0.51);
}

describe('every notation', () => {
  const channel = fc.nat(65535).map((value) => value / 65535);
  const anyRgb = fc.record({ mode: fc.constant('rgb' as const), r: channel, g: channel, b: channel });

  it('of a hex colour is published to the nearest whole numbers', () => {
    const digits = fc.stringMatching(/^([\da-fA-F]{3}|[\da-fA-F]{6})$/);
    fc.assert(
      fc.property(digits, (hex) => {
        const reference = parse(`#${hex}`);
        expect(reference).toBeDefined();
        if (reference) expectNearest(`#${hex}`, reference);
      }),
      runs(400),
    );
  });

  it.each(notations.map(([mode, write]) => [write({}), mode, write] as const))(
    'such as %s is published to the nearest whole numbers',
    (_, mode, write) => {
      fc.assert(
        fc.property(anyRgb, (rgb) => expectNearest(write(converter(mode)(rgb) as unknown as Channels), rgb)),
        runs(200),
      );
    },
  );
});

describe('for any text', () => {
  const numberLike = fc.oneof(
    fc.double().map(String),
    fc.constantFrom('none', '1e999', '-1e999', '50%', '90deg', '/', ','),
  );
  const colourLike = fc
    .tuple(
      fc.constantFrom(
        ...'rgb( hsl( hwb( lab( lch( oklab( oklch('.split(' '),
        'color(rec2020 ',
        'color(prophoto-rgb ',
        '#',
      ),
      fc.array(numberLike, { minLength: 3, maxLength: 5 }),
    )
    .map(([opening, parts]) => `${opening}${parts.join(' ')})`);
  const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string(), colourLike);

  it('returns a publishable colour or a problem, and never throws', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(convert(text)).toMatch(
          /^(hsl\(([0-9]|[1-9][0-9]|[12]\d\d|3[0-5]\d),(\d|\d\d|100)%,(\d|\d\d|100)%\)|syntax|alpha|not-a-fixed-colour)$/,
        );
      }),
      runs(3000),
    );
  });

  it('keeps colours in published form unchanged', () => {
    fc.assert(
      fc.property(fc.oneof(colourLike, fc.stringMatching(/^#[\da-f]{6}$/)), (text) => {
        const published = convert(text);
        fc.pre(published.startsWith('hsl('));
        expect(convert(published)).toBe(published);
      }),
      runs(500),
    );
  });
});
