/** A picture file that is whole as far as can be told without decoding it. */
export interface Whole {
  /** Pixels, as stored; 0 where the format does not fix a size (SVG, ICO). */
  width: number;
  height: number;
  /** Pictures in it; `several` if it holds a film whose frames were not counted. */
  frames: number | 'several';
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
