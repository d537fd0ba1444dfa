/** Pixels per unit (CSS Values 3, §6.2); `em` and `ex` with the default font size of browsers. */
export const PIXELS_PER_UNIT: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 4 / 3,
  pc: 16,
  mm: 96 / 25.4,
  cm: 96 / 2.54,
  in: 96,
  q: 96 / 101.6,
  rem: 16,
  em: 16,
  ex: 8,
};

const NUMBER = String.raw`[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?`;
const LENGTH = new RegExp(String.raw`^\s*(${NUMBER})(px|pt|pc|mm|cm|in|q|r?em|ex|%)?\s*$`, 'i');
const VIEW_BOX = new RegExp(String.raw`^\s*${NUMBER}(?:(?:\s+|\s*,\s*)${NUMBER}){3}\s*$`);

/** A length relative to something that differs between machines and sizes: the font, or the viewport. */
export const SYSTEM_UNIT =
  /(?<![\w#.-])[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:ex|ch|ic|cap|r?lh|[sld]?v(?:[whbi]|min|max))(?![\w-])/i;

/** Minimum width and height in pixels: browsers draw nothing of less. */
const MIN_SIDE_PX = 1;
/** Maximum width and height in pixels: the limit of cairo, which draws for librsvg. */
const MAX_SIDE_PX = 32_767;
/** Maximum number in a `viewBox`: coordinates are single-precision numbers, which lose their decimals from here on. */
const MAX_VIEW_BOX_NUMBER = 1_000_000;

/** Maximum ratio of the sides: beyond it, drawings are less than a pixel high. */
const MAX_SIDE_RATIO = 1000;

/** The attributes of the outermost element that state the size of the image. */
export interface Size {
  width: string | undefined;
  height: string | undefined;
  viewBox: string | undefined;
}

/** A problem of the size, with its attribute; without an attribute if none of them states a size. */
export type SizeProblem =
  | { attribute: keyof Size; value: string; expected: string; hasViewBox: boolean }
  | { attribute: undefined };

export function sizeProblems(size: Size): SizeProblem[] {
  const problems: SizeProblem[] = [];
  for (const attribute of ['width', 'height'] as const) {
    const value = size[attribute];
    if (value !== undefined && !isLength(value)) {
      const expected = `a length from ${MIN_SIDE_PX} to ${MAX_SIDE_PX.toLocaleString('en')} pixels`;
      problems.push({ attribute, value, expected, hasViewBox: size.viewBox !== undefined });
    }
  }
  const { width = '%', height = '%', viewBox } = size;
  if (viewBox === undefined) {
    // A percentage of nothing is no size.
    if (problems.length === 0 && (width.includes('%') || height.includes('%'))) problems.push({ attribute: undefined });
  } else if (!isViewBox(viewBox)) {
    const expected = `four numbers up to ${MAX_VIEW_BOX_NUMBER.toLocaleString('en')}, the last two greater than 0 and neither more than ${MAX_SIDE_RATIO.toLocaleString('en')} times the other`;
    problems.push({ attribute: 'viewBox', value: viewBox, expected, hasViewBox: true });
  }
  return problems;
}

/** Whether a value of the property `width` or `height` leaves the outermost element a size that can be drawn. */
export function isDrawableSide(value: string): boolean {
  return value.trim() === 'auto' || isLength(value);
}

function isLength(value: string): boolean {
  const [, number, unit] = LENGTH.exec(value) ?? [];
  if (unit === '%') return Number(number) > 0 && Number(number) <= 100;
  const pixels = lengthOf(value) ?? 0;
  return pixels >= MIN_SIDE_PX && pixels <= MAX_SIDE_PX;
}

/** Returns a length in pixels; nothing if the value is no length, or a percentage. */
export function lengthOf(value: string): number | undefined {
  const [, number, unit = ''] = LENGTH.exec(value) ?? [];
  const pixels = PIXELS_PER_UNIT[unit.toLowerCase()];
  return number === undefined || pixels === undefined ? undefined : Number(number) * pixels;
}

export interface Dimensions {
  width: number;
  height: number;
}

/** Returns width and height: in pixels if both are stated so, otherwise from the `viewBox`, of which only the ratio is meaningful. */
export function dimensionsOf({
  width: across = '',
  height: down = '',
  viewBox = '',
}: Partial<Size>): Dimensions | undefined {
  const [width, height] = [lengthOf(across), lengthOf(down)];
  if (width !== undefined && height !== undefined) return { width, height };
  return isViewBox(viewBox) ? viewBoxOf(viewBox) : undefined;
}

export function isViewBox(value: string): boolean {
  if (!VIEW_BOX.test(value)) return false;
  const { x, y, width, height } = viewBoxOf(value);
  const isDrawable = width > 0 && height > 0 && Math.max(width, height) <= Math.min(width, height) * MAX_SIDE_RATIO;
  return isDrawable && [x, y, width, height].every((number) => Math.abs(number) <= MAX_VIEW_BOX_NUMBER);
}

export function viewBoxOf(value: string): Dimensions & { x: number; y: number } {
  const [x = 0, y = 0, width = 0, height = 0] = value
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  return { x, y, width, height };
}
