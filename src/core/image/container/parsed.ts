/** The container of an image file, as far as it was parsed: whether the image is intact, the decoder judges. */
export interface Parsed {
  /** Pixels, as stored; 0 where the format does not fix a size (SVG). */
  width: number;
  height: number;
  isAnimated: boolean;
  isCmyk?: boolean;
  /** The number of pictures in an ICO. */
  icons?: number;
  /** The published file. */
  parts: Buffer[];
}

/** The reason why a file cannot be parsed. */
export interface Corrupt {
  damage: string;
}

/** Returns a range of bytes; throws a RangeError if the file is shorter. */
export function within(bytes: Buffer, start: number, end: number): Buffer {
  if (end > bytes.length) throw new RangeError('The file is truncated.');
  return bytes.subarray(start, end);
}
