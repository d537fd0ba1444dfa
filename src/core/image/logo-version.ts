import type { Mode } from './backgrounds.ts';

/** The ways to make a version of a logo for the pages of another mode: with inverted lightness, which keeps its colours, or in one colour. */
export const LOGO_VERSIONS = ['inverted', 'plain'] as const;
export type LogoVersion = (typeof LOGO_VERSIONS)[number];

/**
 * Changes the pixels of a logo in place. Inverted colours keep their hue and saturation (HSL); one colour is white for dark pages, and black
 * for light ones.
 * @param rgba - not premultiplied
 * @param mode - of the pages that shall show it
 * @param isBoxed - whether the logo has a white background, which becomes transparent
 */
export function recolour(rgba: Uint8Array, version: LogoVersion, mode: Mode, isBoxed: boolean): void {
  const plain = mode === 'dark' ? 255 : 0;
  for (let at = 0; at < rgba.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = rgba.subarray(at, at + 4);
    const [low, high] = [Math.min(red, green, blue), Math.max(red, green, blue)];
    // On white, the ink is the complement of the darkest channel.
    if (isBoxed) rgba[at + 3] = Math.round((alpha * (255 - low)) / 255);
    for (const [channel, value] of [red, green, blue].entries())
      rgba[at + channel] = version === 'plain' ? plain : 255 - low - high + value;
  }
}
