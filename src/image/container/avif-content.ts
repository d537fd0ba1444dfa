import { isWholeProfile } from './icc.ts';
import type { Box } from './iso-box.ts';

/** Bytes of the properties that always have the same length (ISO/IEC 23008-12, §6.5; AV1 Image File Format, §2.3; MIAF, §7.3). */
const LENGTHS: Readonly<Record<string, number>> = {
  ispe: 12,
  pasp: 8,
  clap: 32,
  irot: 1,
  imir: 1,
  rloc: 12,
  a1op: 1,
  lsel: 2,
  clli: 4,
  mdcv: 24,
  amve: 8,
};

/** What an auxiliary image is for (§6.5.8; AV1 Image File Format, §4.1). */
const AUXILIARY = /^urn:mpeg:(?:mpegB:cicp:systems:auxiliary:(?:alpha|depth)|hevc:2015:auxid:[12])\0$/;

/** Whether a property decides how an image looks. */
export function isNeededProperty(type: string): boolean {
  return type in LENGTHS || ['pixi', 'av1C', 'colr', 'auxC', 'a1lx'].includes(type);
}

/** Whether a property has exactly the bytes that it should have. */
export function isExactProperty(bytes: Buffer, { type, content, end }: Box): boolean {
  const value = bytes.subarray(content, end);
  if (type === 'pixi') return value.length === 5 + value.readUInt8(4);
  if (type === 'a1lx') return value.length === 1 + 3 * (value.readUInt8(0) % 2 === 1 ? 4 : 2);
  if (type === 'auxC') return AUXILIARY.test(value.toString('latin1', 4));
  if (type === 'av1C') return areNeededObus(value.subarray(4));
  if (type === 'colr') {
    return value.toString('latin1', 0, 4) === 'nclx' ? value.length === 11 : isWholeProfile(value.subarray(4));
  }
  return value.length === LENGTHS[type];
}

/** Whether an item of an image is of a known type, and holds nothing but what that needs. */
export function isExactItem(type: string, data: Buffer): boolean {
  if (type === 'av01') return areNeededObus(data);
  if (type === 'grid') return data.length === 8 || data.length === 12; // §6.6.2.3.2
  if (type === 'tmap') return data.length <= 256; // how to apply a gain map (ISO 21496-1, annex C): numbers for three colours
  return type === 'iden' && data.length === 0;
}

// Open bitstream units (AV1 specification, §6.2.2).
const SEQUENCE_HEADER = 1;
const TEMPORAL_DELIMITER = 2;
const METADATA = 5;
/** Frames, their headers and their tiles. */
const PICTURE_UNITS = new Set([3, 4, 6, 7]);
/** Bytes of the light levels that metadata may say, by its type (§6.7.3, §6.7.4), with type and trailing bits. */
const LIGHT_LEVELS: Readonly<Record<number, number>> = { 1: 6, 2: 26 };

/** Whether data is a row of units that decoding needs: no padding, and none that a decoder would pass over. */
function areNeededObus(data: Buffer): boolean {
  for (let at = 0; at < data.length;) {
    const head = data.readUInt8(at);
    const type = head >> 3; // the highest bit, which no unit has, among it
    at += (head & 4) > 0 ? 2 : 1;
    let length = data.length - at;
    if ((head & 2) > 0) {
      length = 0;
      for (let shift = 0, more = true; more; shift += 7, at++) {
        const byte = data.readUInt8(at);
        length += (byte & 127) * 2 ** shift;
        more = byte > 127 && shift < 49;
      }
    }
    const isNeeded =
      type === SEQUENCE_HEADER ||
      PICTURE_UNITS.has(type) ||
      (type === TEMPORAL_DELIMITER && length === 0) ||
      (type === METADATA && length === LIGHT_LEVELS[data[at] ?? 0]);
    at += length;
    if (!isNeeded || at > data.length) return false;
  }
  return true;
}
