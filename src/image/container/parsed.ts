/** An image file that is intact as far as can be checked without decoding. */
export interface Intact {
  /** Pixels, as stored; 0 where the format does not fix a size (SVG, ICO). */
  width: number;
  height: number;
  isAnimated: boolean;
  isCmyk?: boolean;
  parts: Buffer[];
  /** The end of the image, in bytes; further bytes are not part of it. */
  end: number;
}

/** The reason why a file is not an intact image of its format. */
export interface Corrupt {
  damage: string;
}

/** Number of bytes after the end of an image that are not padding. */
export interface Trailing {
  trailing: number;
}

/**
 * Maximum number of segments, chunks or blocks in one file. The largest PNG that libpng writes has 3,200, a JPEG from a camera a hundred; millions
 * of empty ones would take seconds to parse.
 */
export const MAX_PARTS = 20_000;

export const TOO_MANY_PARTS: Corrupt = {
  damage: 'it consists of more than 20,000 parts',
};

/** Returns the result of a reader, or that the file is truncated: readers read numbers at offsets, and Buffer throws a RangeError beyond its end. */
export function orTruncated<T>(read: () => T): T | Corrupt {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return { damage: 'it is truncated' };
    throw error;
  }
}

/** Returns the end of a run of zeros at an offset; the offset itself if there are none. */
export function endOfZeros(bytes: Buffer, start: number): number {
  let at = start;
  while (bytes[at] === 0) at++;
  return at;
}

/** Maximum size of a colour profile, in bytes. The largest in use, for printing presses, have up to 3 million. */
export const MAX_PROFILE_BYTES = 4 * 1024 * 1024;
