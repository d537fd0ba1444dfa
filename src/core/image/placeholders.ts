import { PLACEHOLDER_MARK } from './placeholder.ts';
import { type AnyImageField, type FieldsWhere, fieldsWhere } from '../theme/fields/fields.ts';

/** The colours of a placeholder, as `#rrggbb`. */
export interface PlaceholderColours {
  dark: string;
  light: string;
  banner: string;
}

/** Width and height, in pixels, and whether it fills its box. */
interface Shape {
  size: readonly [width: number, height: number];
  kind: 'dark' | 'light' | 'banner';
}

const LOGO = [240, 60] as const;
const COMPACT = [64, 64] as const;
const BANNER: Shape = { size: [2200, 734], kind: 'banner' };
const BANNERS: readonly AnyImageField[] = fieldsWhere({ page: 'banners' });

const SHAPES: Readonly<Record<Exclude<AnyImageField, FieldsWhere<{ page: 'banners' }>>, Shape>> = {
  favicon: { size: COMPACT, kind: 'dark' },
  logo: { size: LOGO, kind: 'dark' },
  logo_inverse: { size: LOGO, kind: 'light' },
  compact_logo: { size: COMPACT, kind: 'dark' },
  compact_logo_inverse: { size: COMPACT, kind: 'light' },
  logo_site: { size: [250, 250], kind: 'dark' },
};

/** Returns an SVG that is easily recognised as a placeholder: a dashed frame around the outline of a picture. */
export function placeholder(field: AnyImageField, colours: PlaceholderColours): string {
  const { size, kind } = BANNERS.includes(field) ? BANNER : SHAPES[field as keyof typeof SHAPES];
  const [width, height] = size;
  const side = Math.min(width, height);
  const line = Math.max(2, Math.round(side / 60));
  const inset = line * 1.5;
  const frame = `<rect x="${inset}" y="${inset}" width="${width - 2 * inset}" height="${height - 2 * inset}" fill="none" stroke-dasharray="${line * 4} ${line * 3}"/>`;
  const ground = kind === 'banner' ? [`<rect width="${width}" height="${height}" fill="${colours.banner}"/>`] : [];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    PLACEHOLDER_MARK,
    ...ground,
    `<g fill="none" stroke="${kind === 'light' ? colours.light : colours.dark}" stroke-width="${line}" stroke-linejoin="round">`,
    frame,
    ...picture(width / 2, height / 2, side * 0.5),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

/** Returns a banner without a picture, in two colours of a theme. */
export function plainBanner(from: string, to: string): string {
  const [width, height] = BANNER.size;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<linearGradient id="a" x2="1" y2="1"><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>`,
    `<rect width="${width}" height="${height}" fill="url(#a)"/>`,
    '</svg>',
    '',
  ].join('\n');
}

/** Draws the outline of a picture: the sun over two hills. @param side - of the square that it fits into */
function picture(x: number, y: number, side: number): string[] {
  const at = (dx: number, dy: number): string => `${round(x + dx * side)} ${round(y + dy * side)}`;
  return [
    `<path d="M${at(-0.5, -0.4)}H${round(x + 0.5 * side)}V${round(y + 0.4 * side)}H${round(x - 0.5 * side)}Z"/>`,
    `<circle cx="${round(x - 0.2 * side)}" cy="${round(y - 0.15 * side)}" r="${round(side * 0.09)}"/>`,
    `<path d="M${at(-0.5, 0.25)}L${at(-0.22, 0.02)}L${at(0.02, 0.22)}L${at(0.22, 0.05)}L${at(0.5, 0.28)}"/>`,
  ];
}

const round = (value: number): number => Math.round(value * 10) / 10;
