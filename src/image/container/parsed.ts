/** An image file that is intact as far as is known without decoding it. */
export interface Intact {
  /** Pixels, as stored; 0 where the format does not fix a size (SVG, ICO). */
  width: number;
  height: number;
  isAnimated: boolean;
  /** Whether its colours are in CMYK. */
  isCmyk?: boolean;
  /** The file in order, without its metadata. */
  parts: Buffer[];
  /** Where the image ends, in bytes: what follows is not part of it. */
  end: number;
}

/** A file that is not an intact image of its format, and why. */
export interface Corrupt {
  damage: string;
}

/** The number of bytes after the end of an image, which are not padding. */
export interface Trailing {
  trailing: number;
}

/**
 * Maximum number of segments, chunks or blocks in one file. The largest PNG that libpng writes has 3,200, a JPEG from a camera a
 * hundred; millions of empty ones would take seconds to parse.
 */
export const MAX_PARTS = 20_000;

export const TOO_MANY_PARTS: Corrupt = {
  damage: 'it consists of more than 20,000 parts',
};

/**
 * What a reader returns, or that the file is truncated: readers ask for numbers at their offsets, and Buffer throws a RangeError
 * beyond its end.
 */
export function orTruncated<T>(read: () => T): T | Corrupt {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return { damage: 'it is truncated' };
    throw error;
  }
}

/** The end of the zeros that begin at an offset; the offset itself if there are none. */
export function endOfZeros(bytes: Buffer, start: number): number {
  let at = start;
  while (bytes[at] === 0) at++;
  return at;
}

/** Greatest size of a colour profile, in bytes. Those of printing presses, the largest in use, have up to 3 million. */
export const PROFILE_LIMIT = 4 * 1024 * 1024;
