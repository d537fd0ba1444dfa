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
  /** Where the segments are that may be there once, among the parts of the file. */
  readonly #places = new Map<string, number>();

  /** Adds what is needed of a segment to the parts. */
  add(marker: number, segment: Buffer, parts: Buffer[]): Corrupt | undefined {
    const is = (name: string): boolean => segment.toString('latin1', 4, 4 + name.length) === name;
    if (marker === APP1 && is('Exif\0\0') && !this.#hasExif) {
      this.#hasExif = true;
      const orientation = orientationOf(segment.subarray(10));
      if (orientation !== 1) parts.push(orientationSegment(orientation));
    } else if (marker === APP2 && is(ICC)) {
      this.#profileBytes += segment.length;
      if (this.#profileBytes > PROFILE_LIMIT) return { damage: 'its colour profile is too large' };
      parts.push(segment);
    } else if (marker === APP14 && is('Adobe') && segment.length >= ADOBE_LENGTH) {
      this.#put('Adobe', adobeSegment(segment.readUInt8(TRANSFORM)), parts);
    } else if (marker === APP0 && is('JFIF\0') && segment.length >= JFIF_LENGTH) {
      const jfif = lengthened(segment.subarray(0, JFIF_LENGTH));
      this.#put('JFIF', jfif.fill(0, 16), parts); // no thumbnail follows
    }
    return undefined;
  }

  /** Viewers go by the last one. */
  #put(name: string, segment: Buffer, parts: Buffer[]): void {
    const before = this.#places.get(name);
    if (before !== undefined) parts[before] = Buffer.alloc(0);
    this.#places.set(name, parts.push(segment) - 1);
  }
}

/** Version 100, no flags, and how the colours are coded. */
function adobeSegment(transform: number): Buffer {
  return Buffer.from([0xff, APP14, 0, 14, ...Buffer.from('Adobe'), 0, 100, 0, 0, 0, 0, transform]);
}

/** A copy of the start of a segment that says its own length. */
function lengthened(start: Buffer): Buffer {
  const segment = Buffer.from(start);
  segment.writeUInt16BE(segment.length - 2, 2);
  return segment;
}

function orientationSegment(orientation: number): Buffer {
  return lengthened(Buffer.concat([Buffer.from('\xff\xe1\0\0Exif\0\0', 'latin1'), orientationAlone(orientation)]));
}
