import { NAMED_COLOURS } from '../../theme/colour/colour.ts';
import type { Declaration } from '../css/css.ts';
import { isViewBox, lengthOf, viewBoxOf } from './dimensions.ts';

/** Attributes of the outermost element with their values. */
type Values = Readonly<Record<string, string>>;

/** The outermost element in pixels, and the position of its `viewBox` in it. */
export interface RootBox {
  /** The sides stated by its attributes; undefined for a percentage. */
  sides: { width: number | undefined; height: number | undefined };
  width: number;
  height: number;
  scale: readonly [x: number, y: number];
  offset: readonly [x: number, y: number];
}

/** Returns the size of the outermost element. For an image, browsers use its attributes alone (measured with Chromium 156). */
export function rootBox(attributes: Values, fontSize: string): RootBox {
  const font = sideOf(fontSize, 16) ?? 16;
  const sides = { width: sideOf(attributes['width'] ?? '', font), height: sideOf(attributes['height'] ?? '', font) };
  const viewBox = attributes['viewBox'] ?? '';
  if (!isViewBox(viewBox))
    return { sides, width: sides.width ?? 300, height: sides.height ?? 150, scale: [1, 1], offset: [0, 0] };
  const view = viewBoxOf(viewBox);
  // Without a size, the image fills 300 × 150 pixels as far as its proportions allow (CSS Images 3, §5.3).
  const fitted = Math.min(300 / view.width, 150 / view.height) * view.width;
  const width = sides.width ?? (sides.height === undefined ? fitted : (sides.height * view.width) / view.height);
  const height = sides.height ?? (width * view.height) / view.width;
  const [across, down] = [width / view.width, height / view.height];
  const [, align = 'xMidYMid', slice] =
    /^\s*(none|x\w{3}Y\w{3})(?:\s+(slice))?/.exec(attributes['preserveAspectRatio'] ?? '') ?? [];
  const same = slice === undefined ? Math.min(across, down) : Math.max(across, down);
  const scale = align === 'none' ? ([across, down] as const) : ([same, same] as const);
  const share = (at: number): number => ({ Min: 0, Max: 1 })[align.slice(at, at + 3)] ?? 0.5;
  const offset = [
    (width - view.width * scale[0]) * share(1) - view.x * scale[0],
    (height - view.height * scale[1]) * share(5) - view.y * scale[1],
  ] as const;
  return { sides, width, height, scale, offset };
}

/** Returns a side in pixels; nothing for `auto` and percentages. */
function sideOf(value: string, font: number): number | undefined {
  const [, number, unit = ''] = /^\s*([+-]?[\d.]+(?:e[+-]?\d+)?)(em|ex)\s*$/i.exec(value) ?? [];
  return number === undefined ? lengthOf(value) : (Number(number) * font) / (/ex/i.test(unit) ? 2 : 1);
}

/** Returns the colour that browsers paint behind an image; nothing if there is none. */
export function backgroundOf(style: readonly Declaration[]): string | undefined {
  // The shorthand sets the colour too, even if it does not name one.
  const value = style.findLast(({ property }) => /^background(?:-color)?$/.test(property))?.value ?? '';
  return value
    .match(/#[\da-f]+|[\w-]+\([^()]*\)|[\w-]+/gi)
    ?.find((part) => /[#(]|^currentcolor$/i.test(part) || NAMED_COLOURS.includes(part.toLowerCase()));
}
