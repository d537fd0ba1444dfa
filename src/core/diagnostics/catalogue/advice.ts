import { quote } from '../quote.ts';
import { warning } from './entry.ts';

type Mode = 'light' | 'dark';

/** Formats a size: `1.5 MB`. */
function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/** Diagnostics about images that can be published, but hardly look as intended. Thresholds: docs/adr/image-advice.md. */
export const adviceCatalogue = {
  'image/faint': warning('a logo that is hardly visible in a mode that shows it', {
    message: ({ path, mode, percent, theme }: FaintArguments) =>
      `${percent === 100 ? '' : `${percent} % of `}${quote(path)} is nearly invisible in ${mode} mode${theme === undefined ? '' : ` of the theme ${quote(theme)}`}: its contrast with the background is below 1.5:1.`,
    hint: ({ mode, setting, isInverse }) =>
      isInverse === (mode === 'dark')
        ? `Use a ${mode === 'dark' ? 'lighter' : 'darker'} logo here.`
        : `Write \`${setting}: ${isInverse ? 'NORMAL' : 'INVERSE'}\`, or use a ${mode === 'dark' ? 'lighter' : 'darker'} logo here.`,
  }),
  'image/blank': warning('a logo that is fully transparent', {
    message: ({ path }: { path: string }) => `${quote(path)} is fully transparent, so nothing is visible.`,
    hint: () => 'Export it with the layers of the logo visible.',
  }),
  'image/opaque-background': warning('a logo with a white background, shown in dark mode', {
    message: ({ path }: { path: string }) => `${quote(path)} has an opaque white background, a white box in dark mode.`,
    hint: () => 'Export it with a transparent background.',
  }),
  'image/small': warning('a banner or site logo that is enlarged wherever it is shown', {
    message: ({ path, width, height, isBanner, min }: SmallArguments) =>
      `The ${isBanner ? 'banner' : 'site logo'} ${quote(path)} is only ${width}×${height} pixels: with less than ${min} pixels ${isBanner ? 'across' : 'along the longer side'} it looks blurred.`,
    hint: ({ isBanner, box }) =>
      isBanner
        ? `Export it larger, ideally ${box} pixels wide.`
        : `Export it larger, ideally to fill ${box}×${box} pixels, or as SVG.`,
  }),
  'image/heavy': warning('an image with far more bytes than its display needs', {
    message: ({ path, bytes, width, height }: HeavyArguments) =>
      `${quote(path)} has ${megabytes(bytes)}${width === undefined ? '' : `, ${width}×${height} pixels`}.`,
    hint: ({ box, width }) =>
      box !== undefined
        ? `Export it with at most ${box} pixels along the longer side: nothing larger is shown.`
        : width === undefined
          ? 'Simplify the drawing: every page loads it as it is.'
          : 'Export it at the size that it is shown at, or as SVG: every page loads it as it is.',
  }),
};

export interface FaintArguments {
  path: string;
  mode: Mode;
  /** Percentage of the drawn pixels. */
  percent: number;
  /** The setting that selects the logo for the mode. */
  setting: string;
  isInverse: boolean;
  /** Set if another theme inherits the image. */
  theme: string | undefined;
}

export interface SmallArguments {
  path: string;
  width: number;
  height: number;
  isBanner: boolean;
  min: number;
  /** Size of its thumbnail's bounding box, in pixels. */
  box: number;
}

export interface HeavyArguments {
  path: string;
  bytes: number;
  /** Undefined for a drawing. */
  width?: number;
  height?: number;
  /** Size of its thumbnail's bounding box, in pixels; undefined for an image without thumbnail. */
  box: number | undefined;
}
