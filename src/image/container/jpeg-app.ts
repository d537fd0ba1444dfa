import { orientationAlone, orientationOf } from './exif.ts';
import { type Corrupt, PROFILE_LIMIT } from './parsed.ts';

export const [APP0, APP15, COM] = [0xe0, 0xef, 0xfe];
const [APP1, APP2, APP14] = [0xe1, 0xe2, 0xee];

/** Before each part of a colour profile (ICC.1:2022, annex B.4). */
const ICC = 'ICC_PROFILE\0';
/** Bytes of JFIF (ITU-T T.871, §10.1) and Adobe segments (Adobe Technical Note 5116, §18), marker and length among them. */
const JFIF_LENGTH = 18;
const ADOBE_LENGTH = 16;
/** Where the last byte of an Adobe segment is, which says how the colours are coded. */
const TRANSFORM = 15;

/**
 * What is needed of the segments APPn and COM: the resolution, how the colours are coded, the colour profile, and how the camera was
 * held. All else is metadata: comments, EXIF, XMP, thumbnails, and what says where the further images of the file are and what they are
 * for (MPF, CIPA DC-007; gain maps, ISO 21496-1), which are not published either.
 */
export class AppSegments {
  #hasExif = false;
  #profileBytes = 0;

  /** Adds what is needed of a segment to the parts. */
  add(marker: number, segment: Buffer, parts: Buffer[]): Corrupt | undefined {
    const is = (name: string): boolean => segment.toString('latin1', 4, 4 + name.length) === name;
    if (marker === APP1 && is('Exif\0\0') && !this.#hasExif) {
      this.#hasExif = true;
      const orientation = orientationOf(segment.subarray(10));
      const exif = [Buffer.from('\xff\xe1\0\0Exif\0\0', 'latin1'), orientationAlone(orientation)];
      if (orientation !== 1) parts.push(sized(Buffer.concat(exif)));
    } else if (marker === APP2 && is(ICC)) {
      this.#profileBytes += segment.length;
      if (this.#profileBytes > PROFILE_LIMIT) return { damage: 'its colour profile is too large' };
      parts.push(segment);
    } else if (marker === APP14 && is('Adobe') && segment.length >= ADOBE_LENGTH) {
      // Version 100, no flags, and how the colours are coded.
      const content = [...Buffer.from('Adobe'), 0, 100, 0, 0, 0, 0, segment.readUInt8(TRANSFORM)];
      parts.push(sized(Buffer.from([0xff, APP14, 0, 0, ...content])));
    } else if (marker === APP0 && is('JFIF\0') && segment.length >= JFIF_LENGTH) {
      parts.push(sized(Buffer.from(segment.subarray(0, JFIF_LENGTH)).fill(0, 16))); // no thumbnail follows
    }
    return undefined;
  }
}

/** A segment that says its own length. */
function sized(segment: Buffer): Buffer {
  segment.writeUInt16BE(segment.length - 2, 2);
  return segment;
}
