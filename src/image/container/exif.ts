/** The EXIF tag for the orientation of the camera (EXIF 2.32, §4.6.4): 1 is upright. */
const ORIENTATION = 0x0112;

/**
 * Returns the orientation of the camera, 1 to 8; 1 if the block does not contain it.
 * @param tiff - an EXIF block from its TIFF header on (TIFF 6.0, §2)
 */
export function orientationOf(tiff: Buffer): number {
  const order = tiff.toString('latin1', 0, 4);
  if ((order !== 'II*\0' && order !== 'MM\0*') || tiff.length < 8) return 1;
  const isLittle = order === 'II*\0';
  const number16 = (at: number): number => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (directory + 2 > tiff.length) return 1;
  const entries = number16(directory);
  for (let entry = 0; entry < entries; entry++) {
    const at = directory + 2 + entry * 12;
    if (at + 12 > tiff.length) return 1;
    if (number16(at) !== ORIENTATION) continue;
    const value = number16(at + 8);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}

/** Returns an EXIF block, from its TIFF header on, with nothing but the orientation of the camera. */
export function orientationAlone(orientation: number): Buffer {
  const tiff = Buffer.from('MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\0\0\0\0\0\0\0', 'latin1');
  tiff.writeUInt16BE(orientation, 18);
  return tiff;
}
