import { orientationAlone, orientationOf } from './exif.ts';
import { type Corrupt, MAX_PROFILE_BYTES } from './parsed.ts';

export const [APP0, APP15, COM] = [0xe0, 0xef, 0xfe];
const [APP1, APP2, APP14] = [0xe1, 0xe2, 0xee];

/** Start of each part of a colour profile (ICC.1:2022, annex B.4). */
const ICC = 'ICC_PROFILE\0';
/** Bytes of a JFIF segment (ITU-T T.871, §10.1) and an Adobe segment (Adobe Technical Note 5116, §18), including marker and length. */
const JFIF_BYTES = 18;
const ADOBE_BYTES = 16;
/** Offset of the colour coding, the last byte of an Adobe segment. */
const TRANSFORM_OFFSET = 15;

/**
 * Selects the necessary parts of the segments APPn and COM: resolution, colour coding, colour profile, and orientation of the camera. Everything
 * else is metadata and not published: comments, EXIF, XMP, thumbnails, and the index of further images in the file (MPF, CIPA DC-007; gain maps,
 * ISO 21496-1).
 */
export class AppSegments {
  #hasExif = false;
  #profileBytes = 0;

  /** Adds the necessary parts of a segment. */
  add(marker: number, segment: Buffer, parts: Buffer[]): Corrupt | undefined {
    const is = (name: string): boolean => segment.toString('latin1', 4, 4 + name.length) === name;
    if (marker === APP1 && is('Exif\0\0') && !this.#hasExif) {
      this.#hasExif = true;
      const orientation = orientationOf(segment.subarray(10));
      const exif = [Buffer.from('\xff\xe1\0\0Exif\0\0', 'latin1'), orientationAlone(orientation)];
      if (orientation !== 1) parts.push(withLength(Buffer.concat(exif)));
    } else if (marker === APP2 && is(ICC)) {
      this.#profileBytes += segment.length;
      if (this.#profileBytes > MAX_PROFILE_BYTES) return { damage: 'its colour profile is too large' };
      parts.push(segment);
    } else if (marker === APP14 && is('Adobe') && segment.length >= ADOBE_BYTES) {
      // Version 100, no flags, and the colour coding.
      const content = [...Buffer.from('Adobe'), 0, 100, 0, 0, 0, 0, segment.readUInt8(TRANSFORM_OFFSET)];
      parts.push(withLength(Buffer.from([0xff, APP14, 0, 0, ...content])));
    } else if (marker === APP0 && is('JFIF\0') && segment.length >= JFIF_BYTES) {
      parts.push(withLength(Buffer.from(segment.subarray(0, JFIF_BYTES)).fill(0, 16))); // no thumbnail follows
    }
    return undefined;
  }
}

/** Writes the length of a segment into it. */
function withLength(segment: Buffer): Buffer {
  segment.writeUInt16BE(segment.length - 2, 2);
  return segment;
}
