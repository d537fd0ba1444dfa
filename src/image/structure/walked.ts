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
}

/** A file that cannot be a whole picture of its format, and why. */
export interface Damaged {
  damage: string;
}

/** A picture with this many bytes after its end. */
export interface Trailing {
  trailing: number;
}

/**
 * Segments, chunks or blocks in one file. A PNG of the greatest size that libpng writes has 3,200, a JPEG from a camera a hundred;
 * millions of empty ones would take seconds to walk over.
 */
export const PIECE_LIMIT = 20_000;

export const TOO_MANY_PIECES: Damaged = {
  damage: `it is in more than 20,000 pieces, and pictures have a few`,
};
