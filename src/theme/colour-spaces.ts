/** Three components, or one row of a matrix. sRGB is gamma-encoded, 0–1, and may lie outside. */
export type Vector = readonly [number, number, number];
type Matrix = readonly [Vector, Vector, Vector];

/** Matrices and white point: CSS Color 4, https://drafts.csswg.org/css-color-4/#color-conversion-code */
const SRGB_TO_XYZ: Matrix = [
  [506752 / 1228815, 87881 / 245763, 12673 / 70218],
  [87098 / 409605, 175762 / 245763, 12673 / 175545],
  [7918 / 409605, 87881 / 737289, 1001167 / 1053270],
];
const XYZ_TO_SRGB: Matrix = [
  [12831 / 3959, -329 / 214, -1974 / 3959],
  [-851781 / 878810, 1648619 / 878810, 36519 / 878810],
  [705 / 12673, -2585 / 12673, 705 / 667],
];
const P3_TO_XYZ: Matrix = [
  [608311 / 1250200, 189793 / 714400, 198249 / 1000160],
  [35783 / 156275, 247089 / 357200, 198249 / 2500400],
  [0, 32229 / 714400, 5220557 / 5000800],
];
const A98_TO_XYZ: Matrix = [
  [573536 / 994567, 263643 / 1420810, 187206 / 994567],
  [591459 / 1989134, 6239551 / 9945670, 374412 / 4972835],
  [53769 / 1989134, 351524 / 4972835, 4929758 / 4972835],
];
const REC2020_TO_XYZ: Matrix = [
  [63426534 / 99577255, 20160776 / 139408157, 47086771 / 278816314],
  [26158966 / 99577255, 472592308 / 697040785, 8267143 / 139408157],
  [0, 19567812 / 697040785, 295819943 / 278816314],
];
const PROPHOTO_TO_XYZ_D50: Matrix = [
  [0.7977666449006423, 0.13518129740053308, 0.0313477341283922],
  [0.2880748288194013, 0.711835234241873, 0.00008993693872564],
  [0, 0, 0.8251046025104602],
];
const D50_TO_D65: Matrix = [
  [0.955473421488075, -0.02309845494876471, 0.06325924320057072],
  [-0.0283697093338637, 1.0099953980813041, 0.021041441191917323],
  [0.012314014864481998, -0.020507649298898964, 1.330365926242124],
];
const XYZ_TO_LMS: Matrix = [
  [0.819022437996703, 0.3619062600528904, -0.1288737815209879],
  [0.0329836539323885, 0.9292868615863434, 0.0361446663506424],
  [0.0481771893596242, 0.2642395317527308, 0.6335478284694309],
];
const LMS_TO_XYZ: Matrix = [
  [1.2268798758459243, -0.5578149944602171, 0.2813910456659647],
  [-0.0405757452148008, 1.112286803280317, -0.0717110580655164],
  [-0.0763729366746601, -0.4214933324022432, 1.5869240198367816],
];
const LMS_TO_OKLAB: Matrix = [
  [0.210454268309314, 0.7936177747023054, -0.0040720430116193],
  [1.9779985324311684, -2.4285922420485799, 0.450593709617411],
  [0.0259040424655478, 0.7827717124575296, -0.8086757549230774],
];
const OKLAB_TO_LMS: Matrix = [
  [1, 0.3963377773761749, 0.2158037573099136],
  [1, -0.1055613458156586, -0.0638541728258133],
  [1, -0.0894841775298119, -1.2914855480194092],
];
const D50_WHITE: Vector = [0.3457 / 0.3585, 1, (1 - 0.3457 - 0.3585) / 0.3585];

const linear = (value: number) => value;
/** Gamma of any sign: negative values are reflected, as CSS Color 4 does. */
const power = (exponent: number) => (value: number) => Math.sign(value) * Math.abs(value) ** exponent;
const decodeSrgb = (value: number) =>
  Math.abs(value) <= 0.04045 ? value / 12.92 : Math.sign(value) * ((Math.abs(value) + 0.055) / 1.055) ** 2.4;
const encodeSrgb = (value: number) =>
  Math.abs(value) <= 0.0031308 ? value * 12.92 : Math.sign(value) * (1.055 * Math.abs(value) ** (1 / 2.4) - 0.055);
const decodeProphoto = (value: number) => (Math.abs(value) <= 16 / 512 ? value / 16 : power(1.8)(value));

const fromXyz = (xyz: Vector) => each(multiply(XYZ_TO_SRGB, xyz), encodeSrgb);
const fromXyzD50 = (xyz: Vector) => fromXyz(multiply(D50_TO_D65, xyz));
const fromOklab = (lab: Vector) => fromXyz(multiply(LMS_TO_XYZ, each(multiply(OKLAB_TO_LMS, lab), power(3))));
const toOklab = (srgb: Vector) => {
  const xyz = multiply(SRGB_TO_XYZ, each(srgb, decodeSrgb));
  return multiply(LMS_TO_OKLAB, each(multiply(XYZ_TO_LMS, xyz), Math.cbrt));
};

export const lab = ([lightness, a, b]: Vector) => {
  const fy = (clamp(lightness, 0, 100) + 16) / 116;
  // 24/116 = 6/29, below which CIE Lab is a straight line of slope 27/24389 · 116.
  const f: Vector = [fy + a / 500, fy, fy - b / 200];
  const [x, y, z] = each(f, (t) => (t > 6 / 29 ? t ** 3 : ((116 * t - 16) * 27) / 24389));
  return fromXyzD50([x * D50_WHITE[0], y * D50_WHITE[1], z * D50_WHITE[2]]);
};
export const oklab = ([lightness, a, b]: Vector) => fromOklab([clamp(lightness, 0, 1), a, b]);
/** Lightness, chroma and hue to lightness, a and b; a negative chroma counts as 0. */
export const fromPolar = ([lightness, chroma, hue]: Vector): Vector => {
  const [radius, angle] = [Math.max(chroma, 0), (hue * Math.PI) / 180];
  return [lightness, radius * Math.cos(angle), radius * Math.sin(angle)];
};
export const rgb = (bytes: Vector) => clip(each(bytes, (byte) => byte / 255));
export const hsl = ([hue, saturation, lightness]: Vector) => {
  const l = lightness / 100;
  const reach = (Math.max(saturation, 0) / 100) * Math.min(l, 1 - l);
  return each([0, 8, 4], (offset) => {
    const k = (offset + turn(hue) / 30) % 12;
    return l - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1));
  });
};
export const hwb = ([hue, white, black]: Vector) => {
  const scale = Math.max(white + black, 100);
  const pure = hsl([hue, 100, 50]);
  return each(pure, (channel) => (channel * Math.max(100 - white - black, 0) + white) / scale);
};
const rgbSpace = (decode: (value: number) => number, toXyz: Matrix) => (rgb: Vector) =>
  fromXyz(multiply(toXyz, each(rgb, decode)));

/** The spaces of `color()`. */
export const COLOUR_SPACES: ReadonlyMap<string, (components: Vector) => Vector> = new Map([
  ['srgb', (rgb) => rgb],
  ['srgb-linear', (rgb) => each(rgb, encodeSrgb)],
  ['display-p3', rgbSpace(decodeSrgb, P3_TO_XYZ)],
  ['display-p3-linear', rgbSpace(linear, P3_TO_XYZ)],
  ['a98-rgb', rgbSpace(power(563 / 256), A98_TO_XYZ)],
  ['prophoto-rgb', (rgb) => fromXyzD50(multiply(PROPHOTO_TO_XYZ_D50, each(rgb, decodeProphoto)))],
  // Gamma 2.4 since 2025, before that the camera curve: https://github.com/w3c/csswg-drafts/issues/12574
  ['rec2020', rgbSpace(power(2.4), REC2020_TO_XYZ)],
  ['xyz', fromXyz],
  ['xyz-d50', fromXyzD50],
  ['xyz-d65', fromXyz],
]);

/** Rounding noise of the conversions: this far outside a limit still counts as inside. */
const NOISE = 1e-6;
/** In Oklab: the difference nobody sees, and how exactly the search below finds it. */
const JUST_NOTICEABLE = 0.02;
const SEARCH_STEP = 0.0001;

/**
 * Lowers the Oklch chroma until clipping the channels makes no visible difference:
 * https://drafts.csswg.org/css-color-4/#css-gamut-mapping. The `min_inGamut` flag of the
 * pseudocode is not needed, for a colour in gamut differs by 0 from itself clipped.
 */
export function toGamut(srgb: Vector): Vector {
  let clipped = clip(srgb);
  if (clipped.every((channel, index) => Math.abs(channel - (srgb[index] ?? 0)) <= NOISE)) return clipped;
  const [lightness, a, b] = toOklab(srgb);
  if (lightness >= 1 - NOISE) return [1, 1, 1];
  if (lightness <= NOISE) return [0, 0, 0];
  if (difference(clipped, srgb) < JUST_NOTICEABLE) return clipped;

  const chroma = Math.hypot(a, b);
  let [low, high] = [0, chroma];
  while (high - low > SEARCH_STEP) {
    const middle = (low + high) / 2;
    const candidate = fromOklab([lightness, (a * middle) / chroma, (b * middle) / chroma]);
    clipped = clip(candidate);
    const excess = difference(clipped, candidate) - JUST_NOTICEABLE;
    if (excess < 0 && excess > -SEARCH_STEP) break;
    if (excess < 0) low = middle;
    else high = middle;
  }
  return clipped;
}

const difference = (one: Vector, other: Vector) => {
  const [a, b] = [toOklab(one), toOklab(other)];
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
};
export const clamp = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high);
const clip = (srgb: Vector) => each(srgb, (channel) => clamp(channel, 0, 1));
/** An angle of any size as 0 ≤ degrees < 360. */
export const turn = (degrees: number) => ((degrees % 360) + 360) % 360;
const each = ([x, y, z]: Vector, change: (value: number) => number): Vector => [change(x), change(y), change(z)];
const dot = (one: Vector, other: Vector) => one[0] * other[0] + one[1] * other[1] + one[2] * other[2];
const multiply = ([x, y, z]: Matrix, vector: Vector): Vector => [dot(x, vector), dot(y, vector), dot(z, vector)];
