// A payload at every place of an image file that viewers may ignore: between its parts, at the end of each, in parts of its own.
import { deflateSync, inflateSync } from 'node:zlib';
import { icoOf, isoBox, jpegSegment, pngChunk, riffChunk } from './sample-images.js';

/** @import { Sample } from './sample-images.js' */
/** @typedef {{ place: string, bytes: Buffer }} HiddenPayload */
/** @typedef {{ name: string, start: number, end: number }} Part */

const ICC = 'ICC_PROFILE\0';

/** @type {(bytes: Buffer, at: number, added: Buffer | string, until?: number) => Buffer} */
const spliced = (bytes, at, added, until = at) =>
  Buffer.concat([bytes.subarray(0, at), Buffer.from(added), bytes.subarray(until)]);

/**
 * Inserts the payload into the sample, at one place after the other.
 * @param {Pick<Sample, 'format' | 'bytes'>} sample
 * @param {Buffer} payload - ASCII, 40 bytes or so
 * @returns {HiddenPayload[]}
 */
export function withHiddenData({ format, bytes }, payload) {
  if (format === 'svg') return [];
  const all = { png: inPng, jpeg: inJpeg, webp: inWebp, gif: inGif, avif: inAvif, ico: inIco }[format](bytes, payload);
  return [...all, { place: 'after the end', bytes: Buffer.concat([bytes, payload]) }];
}

/** @type {(bytes: Buffer, payload: Buffer) => HiddenPayload[]} */
function inPng(png, payload) {
  const types =
    'PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD pHYs eXIf tEXt zTXt iTXt sPLT acTL prVt'.split(
      ' ',
    );
  const profile = Buffer.concat([Buffer.from('name\0\0'), deflateSync(Buffer.alloc(200, payload))]);
  return pngParts(png).flatMap(({ name, start, end }) => {
    const content = png.subarray(start + 8, end - 4);
    const withContent = (/** @type {Buffer} */ changed) => spliced(png, start, pngChunk(name, changed), end);
    const own = [
      { place: `before ${name}`, bytes: spliced(png, start, payload) },
      { place: `in ${name}`, bytes: withContent(Buffer.concat([content, payload])) },
      { place: `no profile before ${name}`, bytes: spliced(png, start, pngChunk('iCCP', profile)) },
      ...types.map((type) => ({
        place: `${type} before ${name}`,
        bytes: spliced(png, start, pngChunk(type, payload)),
      })),
    ];
    if (name !== 'iCCP') return own;
    const packed = content.indexOf(0) + 2;
    const longer = deflateSync(Buffer.concat([inflateSync(content.subarray(packed)), payload]), { level: 0 });
    return [
      ...own,
      { place: 'in the profile', bytes: withContent(Buffer.concat([content.subarray(0, packed), longer])) },
    ];
  });
}

/** @type {(png: Buffer) => Part[]} */
function pngParts(png) {
  const parts = [];
  for (let start = 8; start < png.length;) {
    const end = start + 12 + png.readUInt32BE(start);
    parts.push({ name: png.toString('latin1', start + 4, start + 8), start, end });
    start = end;
  }
  return parts;
}

/** @type {(bytes: Buffer, payload: Buffer) => HiddenPayload[]} */
function inJpeg(jpeg, payload) {
  const profile = Buffer.concat([Buffer.from(`${ICC}\x01\x01`), Buffer.alloc(200, payload)]);
  const counted = Buffer.concat([Buffer.from(`${ICC}\x02\x02`), payload]);
  const values = Buffer.concat([Buffer.from([payload.length]), Buffer.alloc(15), payload]);
  const markers = Array.from({ length: 16 }, (_, index) => 0xe0 + index);
  const added = [
    ...markers.map((marker) => ({ name: `APP${marker - 0xe0}`, bytes: jpegSegment(marker, payload) })),
    { name: 'COM', bytes: jpegSegment(0xfe, payload) },
    { name: 'JFIF', bytes: jpegSegment(0xe0, Buffer.concat([Buffer.from('JFIF\0\x01\x02\0\0\x01\0\x01'), payload])) },
    { name: 'Adobe', bytes: jpegSegment(0xee, Buffer.concat([Buffer.from('Adobe\0d\0\0\0\0\x01'), payload])) },
    { name: 'Exif', bytes: jpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0MM\0*\0\0\0\x08\0\0'), payload])) },
    { name: 'MPF', bytes: jpegSegment(0xe2, Buffer.concat([Buffer.from('MPF\0'), payload])) },
    { name: 'no profile', bytes: jpegSegment(0xe2, profile) },
    { name: 'a part of no profile', bytes: jpegSegment(0xe2, counted) },
    { name: 'an unused Huffman table', bytes: jpegSegment(0xc4, Buffer.concat([Buffer.from([0x13]), values])) },
    { name: 'a replaced Huffman table', bytes: jpegSegment(0xc4, Buffer.concat([Buffer.from([0x10]), values])) },
    { name: 'an unused table', bytes: jpegSegment(0xdb, Buffer.concat([Buffer.from([3]), Buffer.alloc(64, payload)])) },
    {
      name: 'a replaced table',
      bytes: jpegSegment(0xdb, Buffer.concat([Buffer.from([0]), Buffer.alloc(64, payload)])),
    },
    { name: 'DRI', bytes: jpegSegment(0xdd, payload) },
    { name: 'DAC', bytes: jpegSegment(0xcc, payload) },
    { name: 'JPG0', bytes: jpegSegment(0xf0, payload) },
    { name: 'SOS', bytes: Buffer.concat([jpegSegment(0xda, '\x01\x01\0\0\x3f\0'), payload]) },
    { name: 'nothing', bytes: payload },
    { name: 'a restart', bytes: Buffer.concat([Buffer.from([0xff, 0xd0]), payload]) },
    { name: 'EOI', bytes: Buffer.concat([Buffer.from([0xff, 0xd9]), payload]) },
  ];
  const before = (/** @type {string} */ name, /** @type {number} */ start) =>
    added.map((one) => ({ place: `${one.name} before ${name}`, bytes: spliced(jpeg, start, one.bytes) }));
  return jpegParts(jpeg).flatMap(({ name, start, end }) => {
    if (name === 'd9') return [{ place: 'after EOI', bytes: spliced(jpeg, end, payload) }, ...before(name, start)];
    const longer = spliced(jpeg, end, payload);
    if (end - start > 3) longer.writeUInt16BE(end - start - 2 + payload.length, start + 2);
    return [{ place: `in ${name}`, bytes: longer }, ...before(name, start)];
  });
}

/** @type {(jpeg: Buffer) => Part[]} */
function jpegParts(jpeg) {
  const parts = [];
  for (let start = 2; start < jpeg.length;) {
    const marker = jpeg.readUInt8(start + 1);
    let end = marker === 0xd9 ? start + 2 : marker === 0xff ? start + 1 : start + 2 + jpeg.readUInt16BE(start + 2);
    parts.push({ name: marker.toString(16), start, end });
    if (marker === 0xda) {
      // Each restart marker and each end of a scan is a place; coded pixels between them are not.
      for (let at = jpeg.indexOf(0xff, end); ; at = jpeg.indexOf(0xff, at + 2)) {
        const next = jpeg.readUInt8(at + 1);
        if (next === 0) continue;
        end = at;
        if (next < 0xd0 || next > 0xd7) break;
        parts.push({ name: next.toString(16), start: at, end: at + 2 });
      }
    }
    if (marker === 0xd9) break; // what follows, if anything, is another image
    start = end;
  }
  return parts;
}

/** @type {(bytes: Buffer, payload: Buffer) => HiddenPayload[]} */
function inWebp(webp, payload) {
  const even = payload.length % 2 === 0 ? payload : Buffer.concat([payload, Buffer.from('!')]);
  const types = ['VP8X', 'ICCP', 'ANIM', 'ALPH', 'VP8 ', 'VP8L', 'EXIF', 'XMP ', 'junk'];
  const sized = (/** @type {Buffer} */ bytes) => {
    bytes.writeUInt32LE(bytes.length - 8, 4);
    return bytes;
  };
  return webpParts(webp).flatMap(({ name, start, end }) => {
    const longer = sized(spliced(webp, end, even));
    if (name !== 'end') longer.writeUInt32LE(webp.readUInt32LE(start + 4) + even.length, start + 4);
    return [
      { place: `in ${name}`, bytes: longer },
      { place: `before ${name}`, bytes: sized(spliced(webp, start, even)) },
      ...types.map((type) => ({
        place: `${type} before ${name}`,
        bytes: sized(spliced(webp, start, riffChunk(type, even))),
      })),
    ];
  });
}

/** @type {(webp: Buffer) => Part[]} */
function webpParts(webp) {
  const parts = [];
  for (let start = 12; start < webp.length;) {
    const length = webp.readUInt32LE(start + 4);
    const end = start + 8 + length + (length % 2);
    parts.push({ name: webp.toString('latin1', start, start + 4), start, end });
    start = end;
  }
  return [...parts, { name: 'end', start: webp.length, end: webp.length }];
}

/** @type {(bytes: Buffer, payload: Buffer) => HiddenPayload[]} */
function inGif(gif, payload) {
  const block = Buffer.concat([Buffer.from([payload.length]), payload]);
  const extension = (/** @type {number} */ label) =>
    Buffer.concat([Buffer.from([0x21, label]), block, Buffer.from([0])]);
  return gifParts(gif).flatMap(({ name, start, end }) => [
    { place: `before ${name}`, bytes: spliced(gif, start, payload) },
    ...[0x01, 0xf9, 0xfe, 0xff, 0x42].map((label) => ({
      place: `extension ${label} before ${name}`,
      bytes: spliced(gif, start, extension(label)),
    })),
    ...(name === '3b' ? [] : [{ place: `in ${name}`, bytes: spliced(gif, end - 1, block) }]),
  ]);
}

/** @type {(gif: Buffer) => Part[]} */
function gifParts(gif) {
  const table = (/** @type {number} */ flags) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  const parts = [];
  for (let start = 13 + table(gif.readUInt8(10)); start < gif.length;) {
    const kind = gif.readUInt8(start);
    let end = start + (kind === 0x3b ? 1 : kind === 0x2c ? 11 + table(gif.readUInt8(start + 9)) : 2);
    if (kind !== 0x3b) {
      while (gif.readUInt8(end) > 0) end += 1 + gif.readUInt8(end);
      end++;
    }
    parts.push({ name: kind.toString(16), start, end });
    start = end;
  }
  return parts;
}

/** Boxes that contain boxes, and the offset of the first of these. */
const CONTAINERS = /** @type {Record<string, number>} */ ({ meta: 4, iinf: 6, iprp: 0, ipco: 0, iref: 4 });

/** @type {(bytes: Buffer, payload: Buffer) => HiddenPayload[]} */
function inAvif(avif, payload) {
  const types = [
    'free',
    'skip',
    'uuid',
    'junk',
    'mdat',
    'idat',
    'ftyp',
    'hdlr',
    'infe',
    'colr',
    'ispe',
    'auxC',
    'grpl',
    'cdsc',
  ];
  return avifParts(avif, 0, avif.length, []).flatMap(({ name, start, end, inside }) => {
    const put = (/** @type {number} */ at, /** @type {Buffer} */ added, /** @type {number[]} */ grown) => {
      const bytes = Buffer.from(avif);
      for (const box of grown) bytes.writeUInt32BE(avif.readUInt32BE(box) + added.length, box);
      shiftItems(bytes, at, added.length);
      return spliced(bytes, at, added);
    };
    return [
      { place: `before ${name}`, bytes: put(start, payload, inside) },
      { place: `in ${name}`, bytes: put(end, payload, [...inside, start]) },
      { place: `at the start of ${name}`, bytes: put(start + 8, payload, [...inside, start]) },
      ...types.map((type) => ({ place: `${type} before ${name}`, bytes: put(start, isoBox(type, payload), inside) })),
    ];
  });
}

/** @type {(avif: Buffer, from: number, to: number, inside: number[]) => (Part & { inside: number[] })[]} */
function avifParts(avif, from, to, inside) {
  const parts = [];
  for (let start = from; start < to;) {
    const end = start + avif.readUInt32BE(start);
    const name = avif.toString('latin1', start + 4, start + 8);
    parts.push({ name, start, end, inside });
    const head = CONTAINERS[name];
    if (head !== undefined) parts.push(...avifParts(avif, start + 8 + head, end, [...inside, start]));
    start = end;
  }
  return parts;
}

/**
 * Shifts the offsets of the items after a place, as libheif writes them: base, offset and length of four bytes each.
 * @param {Buffer} avif
 * @param {number} at
 * @param {number} count
 */
function shiftItems(avif, at, count) {
  const iloc = avif.indexOf('iloc') + 4;
  if (avif.readUInt8(iloc) !== 0 || avif.readUInt16BE(iloc + 4) !== 0x4440)
    throw new Error('Another iloc than expected.');
  for (let left = avif.readUInt16BE(iloc + 6), item = iloc + 8; left > 0; left--, item += 18) {
    if (avif.readUInt32BE(item + 4) >= at) avif.writeUInt32BE(avif.readUInt32BE(item + 4) + count, item + 4);
  }
}

/** @type {(bytes: Buffer, payload: Buffer) => HiddenPayload[]} */
function inIco(ico, payload) {
  const icons = Array.from({ length: ico.readUInt16LE(4) }, (_, index) => {
    const at = 6 + 16 * index;
    const start = ico.readUInt32LE(at + 12);
    return { size: ico.readUInt8(at) || 256, bytes: ico.subarray(start, start + ico.readUInt32LE(at + 8)) };
  });
  return [
    { place: 'before the icons', bytes: icoOf(icons, payload.toString('latin1')) },
    ...icons.flatMap(({ size, bytes }, index) => {
      const within = (/** @type {Buffer} */ changed) => icoOf(icons.with(index, { size, bytes: changed }));
      const isPng = bytes.subarray(1, 4).equals(Buffer.from('PNG'));
      const header = Buffer.from(bytes);
      if (!isPng) payload.copy(header, 20, 0, 12);
      return [
        { place: `in icon ${index}`, bytes: within(Buffer.concat([bytes, payload])) },
        ...(isPng
          ? inPng(bytes, payload).map((one) => ({ place: `icon ${index}, ${one.place}`, bytes: within(one.bytes) }))
          : [{ place: `header of icon ${index}`, bytes: within(header) }]),
      ];
    }),
  ];
}
