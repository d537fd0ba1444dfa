import { type Color, colorsNamed, converter, type Mode, parse } from 'culori';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NAMED_COLOURS, normaliseColour, UNFIXED_KEYWORDS } from '../../../src/theme/colour.ts';

/** Returns the hsl text or the problem, which are shorter to compare than the result. */
function outcome(text: string): string {
  const result = normaliseColour(text);
  return 'hsl' in result ? result.hsl : result.problem;
}

describe('syntaxes', () => {
  it.each([
    // hex
    ['#0b5fff', 'hsl(219,100%,52%)'],
    ['#0B5FFF', 'hsl(219,100%,52%)'],
    ['#0b5', 'hsl(147,100%,37%)'], // culori's toGamut makes this 99 %
    ['#f00f', 'hsl(0,100%,50%)'],
    ['#FF0000FF', 'hsl(0,100%,50%)'],
    // names
    ['red', 'hsl(0,100%,50%)'],
    ['RebeccaPurple', 'hsl(270,50%,40%)'],
    ['lightgoldenrodyellow', 'hsl(60,80%,90%)'],
    ['grey', 'hsl(0,0%,50%)'],
    // rgb
    ['rgb(255, 0, 0)', 'hsl(0,100%,50%)'],
    ['rgb(0,0,255,100%)', 'hsl(240,100%,50%)'],
    ['rgb(0 255 0/100%)', 'hsl(120,100%,50%)'],
    ['rgb(0 100% none)', 'hsl(120,100%,50%)'],
    ['rgb(127.5 127.5 127.5)', 'hsl(0,0%,50%)'],
    ['rgba(+2.55e2 .0 -0)', 'hsl(0,100%,50%)'],
    ['rgb(255+0-0)', 'hsl(0,100%,50%)'],
    ['rgb(100%0%0%/1)', 'hsl(0,100%,50%)'],
    ['  #f00\n', 'hsl(0,100%,50%)'],
    // hsl
    ['hsla(200,30%,40%,1)', 'hsl(200,30%,40%)'],
    ['hsl(200 30 40 / 1)', 'hsl(200,30%,40%)'],
    ['hsl(0.5turn,30%,40%)', 'hsl(180,30%,40%)'],
    ['hsl(100grad 30% 40%)', 'hsl(90,30%,40%)'],
    ['hsl(3.14159265rad 30% 40%)', 'hsl(180,30%,40%)'],
    ['hsl(none 30% 40%)', 'hsl(0,30%,40%)'],
    ['hsl(200.5 30.5% 40.5%)', 'hsl(201,31%,41%)'],
    // hwb
    ['hwb(90deg 20% 40%)', 'hsl(90,50%,40%)'],
    ['hwb(0 40 80)', 'hsl(0,0%,33%)'],
    // lab, lch, oklab, oklch: the sRGB primaries, and white and black
    ['lab(54.29 80.82 69.9)', 'hsl(0,100%,50%)'],
    ['lab(100% 0 0)', 'hsl(0,0%,100%)'],
    ['lab(50% 0% 0%)', 'hsl(0,0%,47%)'],
    ['lch(29.57 131.2 301.37)', 'hsl(240,100%,50%)'],
    ['lch(0 0 none)', 'hsl(0,0%,0%)'],
    ['oklab(0.86644 -0.23389 0.1795)', 'hsl(120,100%,50%)'],
    ['oklch(62.796% 0.25768 29.234)', 'hsl(0,100%,50%)'],
    ['oklch(0.62796 64.42% 0.081206turn)', 'hsl(0,100%,50%)'],
    // color()
    ['color( srgb 100% 0 none / 1 )', 'hsl(0,100%,50%)'],
    ['color(srgb-linear 0.21404 0.21404 0.21404)', 'hsl(0,0%,50%)'],
    ['color(display-p3 .5 .5 .5)', 'hsl(0,0%,50%)'],
    ['color(display-p3-linear 0.21404 0.21404 0.21404)', 'hsl(0,0%,50%)'],
    ['color(a98-rgb 0.5 0.5 0.5)', 'hsl(0,0%,50%)'],
    ['color(prophoto-rgb 0.5 0.5 0.5)', 'hsl(0,0%,57%)'], // 0.5^1.8 = 0.2872 → 0.573
    ['color(rec2020 0.5 0.5 0.5)', 'hsl(0,0%,47%)'], // 1.055 · 0.5 − 0.055 = 0.4725
    ['color(xyz-d65 0.4124 0.2126 0.0193)', 'hsl(0,100%,50%)'],
    ['color(xyz-d50 0.9643 1 0.8251)', 'hsl(0,0%,100%)'],
    ['COLOR(SRGB 0 0 0)', 'hsl(0,0%,0%)'],
  ])('%j is published as %s', (text, hsl) => {
    expect(outcome(text)).toBe(hsl);
  });

  it('knows the 148 named colours', () => {
    expect(NAMED_COLOURS).toHaveLength(148);
    for (const [name, value] of Object.entries(colorsNamed))
      expect(outcome(name), name).toBe(outcome(`#${value.toString(16).padStart(6, '0')}`));
  });
});

describe('rejections', () => {
  it.each([
    ['#12345680', 'alpha'],
    ['#00000000', 'alpha'],
    ['transparent', 'alpha'],
    ['rgba(0,0,0,0.5)', 'alpha'],
    ['rgb(0 0 0 / 99.9%)', 'alpha'],
    ['rgb(0 0 0 / none)', 'alpha'],
    ['hsl(200,30%,40%,0)', 'alpha'],
    ['color(srgb 1 0 0 / -1)', 'alpha'],
    ['currentColor', 'not-a-fixed-colour'],
    ['var(--brand)', 'not-a-fixed-colour'],
    ['VAR(--brand, red)', 'not-a-fixed-colour'],
    ['env(brand)', 'not-a-fixed-colour'],
    ['color-mix(in srgb, red, blue)', 'not-a-fixed-colour'],
    ['light-dark(white, black)', 'not-a-fixed-colour'],
    ['contrast-color(red)', 'not-a-fixed-colour'],
    ['rgb(from red r g b)', 'not-a-fixed-colour'],
    ['color(from red srgb r g b / 0.5)', 'not-a-fixed-colour'],
    ['oklch( from #fff l c h)', 'not-a-fixed-colour'],
    ['rgb(from#fff r g b)', 'not-a-fixed-colour'],
    ['rgb(calc(1 + 2) 0 0)', 'not-a-fixed-colour'],
    ['rgb(var(--r) 0 0)', 'not-a-fixed-colour'],
    ['hsl(200,min(1%,2%),40%)', 'not-a-fixed-colour'],
    ['', 'syntax'],
    ['0b5fff', 'syntax'],
    ['#12', 'syntax'],
    ['#12345', 'syntax'],
    ['#123456789', 'syntax'],
    ['#ggg', 'syntax'],
    ['blu', 'syntax'],
    ['constructor', 'syntax'],
    ['inherit', 'syntax'],
    ['blac\u212A', 'syntax'], // KELVIN SIGN, which toLowerCase() would turn into k
    ['red blue', 'syntax'],
    ['rgb(1,2,3', 'syntax'],
    ['rgb 1,2,3', 'syntax'],
    ['rgb (1,2,3)', 'syntax'],
    ['rgb()', 'syntax'],
    ['rgb(1,2)', 'syntax'],
    ['rgb(1,2,3,1,1)', 'syntax'],
    ['rgb(1,2 3)', 'syntax'],
    ['rgb(1,2,3 / 1)', 'syntax'],
    ['rgb(1 2 3 /)', 'syntax'],
    ['rgb(1 2 3 / 1deg)', 'syntax'],
    ['rgb(255,0%,0)', 'syntax'],
    ['rgb(none,0,0)', 'syntax'],
    ['rgb(1px 2 3)', 'syntax'],
    ['rgb(1. 2 3)', 'syntax'],
    ['rgb(1 % 2% 3%)', 'syntax'],
    ['rgb(0x10 0 0)', 'syntax'],
    ['rgb(nonenone 1 2)', 'syntax'],
    ['rgb(1,2,3) rgb(1,2,3)', 'syntax'],
    ['rgb(1 2 3\u00A0)', 'syntax'],
    ['hsl(200,30,40)', 'syntax'],
    ['hsl(20%,30%,40%)', 'syntax'],
    ['hsl(none,30%,40%)', 'syntax'],
    ['hsl(200 30deg 40%)', 'syntax'],
    ['hsl(1deg5 30% 40%)', 'syntax'],
    ['hwb(120,0%,0%)', 'syntax'],
    ['lab(50,0,0)', 'syntax'],
    ['lab(50 0deg 0)', 'syntax'],
    ['lch(50 0 10%)', 'syntax'],
    ['color(1 0 0)', 'syntax'],
    ['color(srgb 1 0)', 'syntax'],
    ['color(srgb 1, 0, 0)', 'syntax'],
    ['color(hsl 1 0 0)', 'syntax'],
    ['color(--mine 1 0 0)', 'syntax'],
    // culori accepts or throws
    ['lch(50 3turn 20)', 'syntax'],
    ['color(--hsv 20 0.5 0.5)', 'syntax'],
    ['rgb(1 2 3 / 1px)', 'syntax'],
    [`rgb(1 2 ${'3'.repeat(256)})`, 'syntax'],
    ['hsv(0,0%,0%)', 'syntax'],
  ])('%j is refused for %s', (text, problem) => {
    expect(outcome(text)).toBe(problem);
  });

  it('rejects every system colour as not fixed, in any case', () => {
    for (const name of UNFIXED_KEYWORDS) expect(outcome(name.toUpperCase()), name).toBe('not-a-fixed-colour');
  });
});

describe('edge rules', () => {
  it.each([
    // unchanged, although a conversion would have another result
    ['hsl(200,0%,50%)', 'hsl(200,0%,50%)'],
    ['hsl(200,30%,0%)', 'hsl(200,30%,0%)'],
    ['hsl(0,0%,0%)', 'hsl(0,0%,0%)'],
    // almost the published form, so converted
    ['hsl(200,0%,50%)\n', 'hsl(0,0%,50%)'],
    ['hsl(360,50%,50%)', 'hsl(0,50%,50%)'],
    ['hsl(007,50%,50%)', 'hsl(7,50%,50%)'],
    ['hsl(7.0,50%,50%)', 'hsl(7,50%,50%)'],
    ['hsl(-0,50%,50%)', 'hsl(0,50%,50%)'],
    // hue wraps
    ['hsl(-60 50% 50%)', 'hsl(300,50%,50%)'],
    ['hsl(359.6 50% 50%)', 'hsl(0,50%,50%)'],
    ['hsl(359.4 50% 50%)', 'hsl(359,50%,50%)'],
    ['hsl(-0.2 50% 50%)', 'hsl(0,50%,50%)'],
    // grey is judged by the rounded result
    ['#7f8080', 'hsl(0,0%,50%)'],
    ['#020000', 'hsl(0,0%,0%)'],
    ['#fffffe', 'hsl(0,0%,100%)'],
    // out-of-range components
    ['rgb(300 -20 0)', 'hsl(0,100%,50%)'],
    ['rgb(1e999 -1e999 0)', 'hsl(0,100%,50%)'],
    ['rgb(0 0 0 / 7)', 'hsl(0,0%,0%)'],
    ['hsl(200 -50% 40%)', 'hsl(0,0%,40%)'],
    ['hsl(200 50% 150%)', 'hsl(0,0%,100%)'],
    ['hsl(120,220%,92%)', 'hsl(120,100%,92%)'], // the older syntax clamps saturation
    ['hwb(-1e-300 0% 0%)', 'hsl(0,100%,50%)'],
    ['rgb(127.5 none 127.5)', 'hsl(300,100%,25%)'],
    ['hsl(200 50% -10%)', 'hsl(0,0%,0%)'],
    ['hwb(200 150% 50%)', 'hsl(0,0%,75%)'],
    ['lab(150 0 0)', 'hsl(0,0%,100%)'],
    ['lab(-10 50 0)', outcome('lab(0 50 0)')],
    ['lch(50 -20 10)', outcome('lab(50 0 0)')],
    ['oklch(150% 0.3 20)', 'hsl(0,0%,100%)'],
    ['oklch(0.5 -0.1 20)', outcome('oklch(0.5 0 20)')],
    ['hsl(1e999 50% 50%)', outcome('hsl(1e9 50% 50%)')],
    // gamut mapping; clipping the channels would result in hsl(0,100%,50%) and hsl(120,100%,50%)
    ['color(display-p3 1 0 0)', 'hsl(0,100%,52%)'],
    ['color(display-p3 0 1 0)', 'hsl(130,100%,49%)'],
    ['color(srgb 1.5 1.5 1.5)', 'hsl(0,0%,100%)'],
    ['color(srgb -1 -1 -1)', 'hsl(0,0%,0%)'],
  ])('%j is published as %s', (text, hsl) => {
    expect(outcome(text)).toBe(hsl);
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
/** Options for the same examples in every run. */
const runs = (numRuns: number) => ({ seed: 20260101, numRuns });

/** Expects the published colour to be the reference colour, rounded to whole numbers. */
function expectNearest(text: string, reference: Color): void {
  const published = outcome(text);
  const [h = NaN, s = NaN, l = NaN] = (PUBLISHED.exec(published) ?? []).slice(1).map(Number);
  const want = toRgb(reference);
  const got = toRgb({ mode: 'hsl', h, s: s / 100, l: l / 100 });
  const worst = Math.max(Math.abs(got.r - want.r), Math.abs(got.g - want.g), Math.abs(got.b - want.b));
  expect(worst, `${text} → ${published}: RGB channels differ`).toBeLessThanOrEqual(4 / 255);

  const { h: hue = 0, s: saturation, l: lightness } = toHsl(reference);
  expect(Math.abs(l - 100 * lightness), `${text} → ${published}: lightness`).toBeLessThanOrEqual(0.501);
  const nearGrey = saturation < 0.02 || lightness < 0.02 || lightness > 0.98;
  if (nearGrey) return;
  expect(Math.abs(s - 100 * saturation), `${text} → ${published}: saturation`).toBeLessThanOrEqual(0.51);
  const turn = Math.abs(h - hue);
  expect(Math.min(turn, 360 - turn), `${text} → ${published}: hue`).toBeLessThanOrEqual(0.51);
}

describe('every notation', () => {
  const channel = fc.nat(65535).map((value) => value / 65535);
  const anyRgb = fc.record({ mode: fc.constant('rgb' as const), r: channel, g: channel, b: channel });

  it('of hex is published to the nearest whole numbers', () => {
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
    'like %s is published to the nearest whole numbers',
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
        expect(outcome(text)).toMatch(
          /^(hsl\(([0-9]|[1-9][0-9]|[12]\d\d|3[0-5]\d),(\d|\d\d|100)%,(\d|\d\d|100)%\)|syntax|alpha|not-a-fixed-colour)$/,
        );
      }),
      runs(3000),
    );
  });

  it('keeps colours in published form unchanged', () => {
    fc.assert(
      fc.property(fc.oneof(colourLike, fc.stringMatching(/^#[\da-f]{6}$/)), (text) => {
        const once = outcome(text);
        fc.pre(once.startsWith('hsl('));
        expect(outcome(once)).toBe(once);
      }),
      runs(500),
    );
  });

  it('takes linear time for a long text', () => {
    for (const text of ['rgb(' + '1'.repeat(50_000), 'rgb(' + '1 '.repeat(50_000) + ')', ' '.repeat(50_000) + 'x'])
      expect(outcome(text)).toBe('syntax');
  });
});
