/** The ways to make a version of a logo for dark pages: all white, or with inverted lightness. */
export const LIGHT_VERSIONS = ['white', 'inverted'] as const;
export type LightVersion = (typeof LIGHT_VERSIONS)[number];

/**
 * Makes the pixels of a logo light, in place. Inverted colours keep their hue and saturation (HSL).
 * @param rgba - not premultiplied
 * @param isBoxed - whether the logo has a white background, which becomes transparent
 */
export function makeLight(rgba: Uint8Array, version: LightVersion, isBoxed: boolean): void {
  for (let at = 0; at < rgba.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = rgba.subarray(at, at + 4);
    const [low, high] = [Math.min(red, green, blue), Math.max(red, green, blue)];
    // On white, the ink is the complement of the darkest channel.
    if (isBoxed) rgba[at + 3] = Math.round((alpha * (255 - low)) / 255);
    for (const [channel, value] of [red, green, blue].entries())
      rgba[at + channel] = version === 'white' ? 255 : 255 - low - high + value;
  }
}
