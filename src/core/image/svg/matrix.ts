/** An affine transformation: x′ = a x + c y + e, y′ = b x + d y + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];
export type Point = readonly [x: number, y: number];

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

export const translation = (x: number, y: number): Matrix => [1, 0, 0, 1, x, y];

/** Returns the transformation that applies the second one first. */
export function times([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix {
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

export function pointIn([a, b, c, d, e, f]: Matrix, [x, y]: Point): Point {
  return [a * x + c * y + e, b * x + d * y + f];
}

/** Returns a transformation as the attribute `transform`. */
export function attributeOf(matrix: Matrix): string {
  return `matrix(${matrix.map((number) => Number(number.toPrecision(9))).join(' ')})`;
}

/** Rounds away the noise of binary fractions. */
export function rounded(number: number): number {
  return Math.round(number * 1e6) / 1e6;
}

const turned = (degrees: number): Matrix => {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  return [cos, sin, -sin, cos, 0, 0];
};
const tan = (degrees: number): number => Math.tan((degrees * Math.PI) / 180);

/** The functions of transformations: what their arguments are in CSS, how many there may be, and the matrix. */
const FUNCTIONS: Readonly<Record<string, readonly [unit: RegExp, counts: string, of: (...n: number[]) => Matrix]>> = {
  matrix: [/^$/, '6', (a = 1, b = 0, c = 0, d = 1, e = 0, f = 0) => [a, b, c, d, e, f]],
  translate: [/^(?:px|%)$/, '12', (x = 0, y = 0) => [1, 0, 0, 1, x, y]],
  translatex: [/^(?:px|%)$/, '1', (x = 0) => [1, 0, 0, 1, x, 0]],
  translatey: [/^(?:px|%)$/, '1', (y = 0) => [1, 0, 0, 1, 0, y]],
  scale: [/^%?$/, '12', (x = 1, y = x) => [x, 0, 0, y, 0, 0]],
  scalex: [/^%?$/, '1', (x = 1) => [x, 0, 0, 1, 0, 0]],
  scaley: [/^%?$/, '1', (y = 1) => [1, 0, 0, y, 0, 0]],
  rotate: [
    /^(?:deg|grad|rad|turn)$/,
    '13',
    (angle = 0, x = 0, y = 0) => times(times([1, 0, 0, 1, x, y], turned(angle)), [1, 0, 0, 1, -x, -y]),
  ],
  skew: [/^(?:deg|grad|rad|turn)$/, '12', (x = 0, y = 0) => [1, tan(y), tan(x), 1, 0, 0]],
  skewx: [/^(?:deg|grad|rad|turn)$/, '1', (x = 0) => [1, 0, tan(x), 1, 0, 0]],
  skewy: [/^(?:deg|grad|rad|turn)$/, '1', (y = 0) => [1, tan(y), 0, 1, 0, 0]],
};

/** Degrees per unit of an angle (CSS Values 4, §6.1). */
const DEGREES: Readonly<Record<string, number>> = { grad: 0.9, rad: 180 / Math.PI, turn: 360 };

/**
 * Reads a transformation, as an attribute or as CSS, where lengths and angles need a unit and commas are between arguments.
 * @param value - with lengths in px
 * @returns nothing if it is not valid
 */
export function readTransform(value: string, isCss = false): Matrix | undefined {
  let matrix = IDENTITY;
  if (/^\s*(?:none\s*)?$/.test(value)) return matrix;
  for (const [whole, written, list = ''] of value.trim().matchAll(/([a-z]+)\s*\(([^()]*)\)\s*|\S/gi)) {
    if (written === undefined && !isCss && whole === ',') continue;
    const name = written?.toLowerCase() ?? '';
    const [unitOf, counts, of] = FUNCTIONS[name] ?? [];
    const parts = list.trim().split(isCss ? /\s*,\s*/ : /\s*,\s*|\s+|(?<=[\d.])(?=[+-])/);
    if (unitOf === undefined || counts === undefined || of === undefined) return undefined;
    if (!counts.includes(`${parts.length}`) || (isCss && name === 'rotate' && parts.length > 1)) return undefined;
    const numbers = parts.map((part) => {
      const [, number, unit = ''] = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(%|[a-z]+)?$/i.exec(part) ?? [];
      const lower = unit.toLowerCase();
      if (
        number === undefined ||
        (isCss ? !unitOf.test(lower) && !(lower === '' && Number(number) === 0) : unit !== '')
      )
        return Number.NaN;
      return Number(number) * (lower === '%' ? 0.01 : (DEGREES[lower] ?? 1));
    });
    if (numbers.some(Number.isNaN)) return undefined;
    matrix = times(matrix, of(...numbers));
  }
  return matrix;
}
