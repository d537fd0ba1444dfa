/** A picture file that is whole as far as can be told without decoding it. */
export interface Whole {
  /** Pixels, as stored; 0 where the format does not fix a size (SVG, ICO). */
  width: number;
  height: number;
  /** Pictures in it; `several` if it holds a film whose frames were not counted. */
  frames: number | 'several';
  /** Whether its colours are those of printing inks. */
  isCmyk?: boolean;
  /** The file in order, without its metadata. */
  parts: Buffer[];
  /** Where the image ends, in bytes: what follows is not part of it. */
  end: number;
}

/** A file that cannot be a whole picture of its format, and why. */
export interface Damaged {
  damage: string;
}

/** An image with this many bytes after its end that are not padding. */
export interface Trailing {
  trailing: number;
}

/**
 * Segments, chunks or blocks in one file. A PNG of the greatest size that libpng writes has 3,200, a JPEG from a camera a hundred;
 * millions of empty ones would take seconds to walk over.
 */
export const PIECE_LIMIT = 20_000;

export const TOO_MANY_PIECES: Damaged = {
  damage: 'it consists of more than 20,000 parts',
};

/**
 * What a reader returns, or that the file is cut off: the readers ask for numbers where they should be, and Buffer throws a
 * RangeError where there is nothing.
 */
export function orCutOff<T>(read: () => T): T | Damaged {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return { damage: 'it is truncated' };
    throw error;
  }
}

/** Where the zeros end that begin at a place of a file; that place if there are none. */
export function endOfZeros(bytes: Buffer, start: number): number {
  let at = start;
  while (bytes[at] === 0) at++;
  return at;
}
