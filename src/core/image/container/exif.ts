// Tags (EXIF 2.32, §4.6.4 and §4.6.5).
const [ORIENTATION, X_RESOLUTION, Y_RESOLUTION, RESOLUTION_UNIT] = [0x0112, 0x011a, 0x011b, 0x0128];
const [EXIF_DIRECTORY, X_DIMENSION, Y_DIMENSION] = [0x8769, 0xa002, 0xa003];
// Types (TIFF 6.0, §2).
const [SHORT, LONG, RATIONAL] = [3, 4, 5];
const INCH = 2;
/** The resolution at which a pixel of an image is a pixel of a page. */
const DEFAULT_DPI = 72;

/**
 * Returns an EXIF block, from its TIFF header on, with nothing but what browsers use: the orientation of the camera, and a resolution that changes
 * the natural size; nothing if there is neither.
 * @param tiff - an EXIF block from its TIFF header on
 * @param size - of the stored image, in pixels
 */
export function neededExif(tiff: Buffer, size: { width: number; height: number }): Buffer | undefined {
  const tags = readTags(tiff);
  const orientation = tags.get(ORIENTATION) ?? 1;
  const [width = 0, height = 0, dpiX = 0, dpiY = 0] = [X_DIMENSION, Y_DIMENSION, X_RESOLUTION, Y_RESOLUTION].map(
    (tag) => tags.get(tag),
  );
  // Browsers use a resolution only if it agrees with the dimensions (Chromium 156).
  const agrees = (shown: number, stored: number, dpi: number): boolean =>
    shown > 0 && Math.abs((stored * DEFAULT_DPI) / dpi - shown) < 1;
  const isScaled =
    tags.get(RESOLUTION_UNIT) === INCH &&
    width !== size.width &&
    agrees(width, size.width, dpiX) &&
    agrees(height, size.height, dpiY);
  if (!isScaled) return orientation > 1 && orientation <= 8 ? withTags([[ORIENTATION, SHORT, orientation]]) : undefined;
  return withTags([
    [ORIENTATION, SHORT, orientation],
    [X_RESOLUTION, RATIONAL, dpiX],
    [Y_RESOLUTION, RATIONAL, dpiY],
    [RESOLUTION_UNIT, SHORT, INCH],
    [EXIF_DIRECTORY, LONG, 0],
    [X_DIMENSION, LONG, width],
    [Y_DIMENSION, LONG, height],
  ]);
}

/** Reads the single numbers in the directory of an image and in that of EXIF. Like browsers, it reads an orientation only as one SHORT. */
function readTags(tiff: Buffer): ReadonlyMap<number, number> {
  const tags = new Map<number, number>();
  const order = tiff.toString('latin1', 0, 4);
  if (order !== 'II*\0' && order !== 'MM\0*') return tags;
  const number = (at: number, bytes: number): number =>
    order === 'II*\0' ? tiff.readUIntLE(at, bytes) : tiff.readUIntBE(at, bytes);
  const readDirectory = (start: number): void => {
    const end = start + 2 + number(start, 2) * 12;
    for (let at = start + 2; at < end && at + 12 <= tiff.length; at += 12) {
      const [tag, type, count] = [number(at, 2), number(at + 2, 2), number(at + 4, 4)];
      if (count !== 1 || tags.has(tag) || (tag === ORIENTATION && type !== SHORT)) continue;
      if (type === SHORT || type === LONG) tags.set(tag, number(at + 8, type === SHORT ? 2 : 4));
      else if (type === RATIONAL && number(at + 8, 4) + 8 <= tiff.length)
        tags.set(tag, number(number(at + 8, 4), 4) / number(number(at + 8, 4) + 4, 4));
    }
  };
  try {
    readDirectory(number(4, 4));
    const exif = tags.get(EXIF_DIRECTORY);
    if (exif !== undefined) readDirectory(exif);
  } catch (error) {
    // Cut off: browsers use what comes before.
    if (!(error instanceof RangeError)) throw error;
  }
  return tags;
}

/** Writes a block with a directory; the tags from the dimensions on are in the directory of EXIF. */
function withTags(tags: readonly (readonly [tag: number, type: number, value: number])[]): Buffer {
  const own = tags.filter(([tag]) => tag < X_DIMENSION);
  const exif = 8 + 2 + own.length * 12 + 4;
  const rationals = exif + (own.length < tags.length ? 2 + (tags.length - own.length) * 12 + 4 : 0);
  const fractions: Buffer[] = [];
  const directory = (entries: typeof tags): Buffer => {
    const bytes = Buffer.alloc(2 + entries.length * 12 + 4);
    bytes.writeUInt16BE(entries.length);
    for (const [index, [tag, type, value]] of entries.entries()) {
      const at = 2 + index * 12;
      bytes.writeUInt16BE(tag, at);
      bytes.writeUInt16BE(type, at + 2);
      bytes.writeUInt32BE(1, at + 4);
      if (type === SHORT) bytes.writeUInt16BE(value, at + 8);
      else
        bytes.writeUInt32BE(
          tag === EXIF_DIRECTORY ? exif : type === LONG ? value : rationals + fractions.length * 8,
          at + 8,
        );
      if (type !== RATIONAL) continue;
      const fraction = Buffer.alloc(8);
      fraction.writeUInt32BE(Math.round(value * 1000));
      fraction.writeUInt32BE(1000, 4);
      fractions.push(fraction);
    }
    return bytes;
  };
  const image = directory(own);
  const inner = own.length < tags.length ? [directory(tags.slice(own.length))] : [];
  return Buffer.concat([Buffer.from('MM\0*\0\0\0\x08', 'latin1'), image, ...inner, ...fractions]);
}
