/** Decoded pixels, scaled to the common size of two images: 4 bytes each (RGBA), not premultiplied. */
export interface Pixels {
  width: number;
  height: number;
  rgba: Uint8Array;
}

/** The distance between two images, in steps of 8-bit channels (0 to 255), on white or on black, whichever is larger. */
export interface PixelDifference {
  mean: number;
  /** The largest distance of a pixel of either image from the nearest colour in the other image, at most one pixel away. */
  max: number;
}

/**
 * Compares two images of the same size. Scalers and encoders place edges differently by up to a pixel. So a pixel is compared with the range of the
 * 3 × 3 pixels around its place in the other image. A shifted or recoloured area is still found, by the mean or by its inside.
 */
export function comparePixels(first: Pixels, second: Pixels): PixelDifference {
  const { width, height } = first;
  if (second.width !== width || second.height !== height) throw new Error('Bug: images of different sizes.');
  let total = 0;
  let max = 0;
  for (const background of isOpaque(first) && isOpaque(second) ? [255] : [255, 0]) {
    let sum = 0;
    const distance = new Uint8Array(width * height);
    for (const channel of [0, 1, 2]) {
      const a = onBackground(first, channel, background);
      const b = onBackground(second, channel, background);
      for (let at = 0; at < a.length; at++)
        distance[at] = Math.max(distance[at] ?? 0, Math.abs((a[at] ?? 0) - (b[at] ?? 0)));
      max = Math.max(max, outside(a, b, width, height), outside(b, a, width, height));
    }
    for (const value of distance) sum += value;
    total = Math.max(total, sum / distance.length);
  }
  return { mean: total, max };
}

function isOpaque({ rgba }: Pixels): boolean {
  for (let at = 3; at < rgba.length; at += 4) if (rgba[at] !== 255) return false;
  return true;
}

/** Returns one channel of an image on a grey background. */
function onBackground({ rgba }: Pixels, channel: number, background: number): Uint8Array {
  const values = new Uint8Array(rgba.length / 4);
  for (let at = 0; at < values.length; at++) {
    const alpha = rgba[at * 4 + 3] ?? 255;
    values[at] = Math.round(((rgba[at * 4 + channel] ?? 0) * alpha + background * (255 - alpha)) / 255);
  }
  return values;
}

/** Returns the largest distance of a value from the range of the 3 × 3 values around the same place in the other channel. */
function outside(values: Uint8Array, around: Uint8Array, width: number, height: number): number {
  let max = 0;
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++) {
      const value = values[at] ?? 0;
      if (value === around[at]) continue;
      let [low, high] = [255, 0];
      for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row++)
        for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column++) {
          const near = around[row * width + column] ?? 0;
          if (near < low) low = near;
          if (near > high) high = near;
        }
      max = Math.max(max, value - high, low - value);
    }
  return max;
}
