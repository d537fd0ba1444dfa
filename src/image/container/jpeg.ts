import { APP0, APP15, AppSegments, COM } from './jpeg-app.ts';
import { DHT, DQT, DRI, Tables } from './jpeg-tables.ts';
import { type Corrupt, endOfZeros, orTruncated, MAX_PARTS, TOO_MANY_PARTS, type Intact } from './parsed.ts';

// Markers (ITU-T T.81, table B.1): the byte after 0xFF.
const RST = [0xd0, 0xd7] as const;
const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
/** Start of frame: baseline, extended, progressive. Browsers decode no others. */
const SOF = new Set([0xc0, 0xc1, 0xc2]);
const PROGRESSIVE = 0xc2;

/** Scans in one image: programs write ten. libvips reads no more than this either. */
const SCAN_LIMIT = 100;

/**
 * Walks over the segments of a JPEG. What phones write after the image, further images that are whole JPEGs (previews, depth and gain
 * maps: CIPA DC-007, Ultra HDR), is left out like metadata.
 */
export function readJpeg(bytes: Buffer): Intact | Corrupt {
  const image = readImage(bytes, 0);
  return 'damage' in image ? image : { ...image, end: endOfFurtherImages(bytes, image.end) };
}

/** Where the JPEGs end that follow a JPEG, with nothing but zeros between them. */
function endOfFurtherImages(bytes: Buffer, start: number): number {
  let end = start;
  for (let at = endOfZeros(bytes, end); at + 1 < bytes.length; at = endOfZeros(bytes, end)) {
    const next = at;
    const further = bytes.readUInt16BE(next) === 0xff00 + SOI ? orTruncated(() => readImage(bytes, next)) : undefined;
    if (further === undefined || 'damage' in further) break;
    end = further.end;
  }
  return end;
}

/** What is known of an image while its segments are read. */
interface Reading {
  parts: Buffer[];
  app: AppSegments;
  tables: Tables;
  frame?: Frame;
  scans: number;
  /** Components that have been coded whole. */
  coded: Set<number>;
}

interface Frame {
  width: number;
  height: number;
  isProgressive: boolean;
  /** The identifier of each component, and its table for quantization. */
  components: { id: number; quantization: number }[];
}

/** @param start - where its SOI is */
function readImage(bytes: Buffer, start: number): Intact | Corrupt {
  const parts = [bytes.subarray(start, start + 2)];
  const reading: Reading = { parts, app: new AppSegments(), tables: new Tables(), scans: 0, coded: new Set() };
  let pieces = 0;
  for (let at = start + 2; at < bytes.length;) {
    if (bytes[at] !== 0xff) return { damage: 'it contains something that is not a JPEG segment' };
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xff) {
      at++; // segments may be padded (T.81, §B.1.1.2)
      continue;
    }
    if (++pieces > MAX_PARTS) return TOO_MANY_PARTS;
    if (marker === EOI) return finish(reading, bytes.subarray(at, at + 2), at + 2);
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    if (end < at + 4 || end > bytes.length) return { damage: 'it is truncated' };
    const problem = readSegment(reading, marker, bytes.subarray(at, end));
    if (problem !== undefined) return problem;
    at = end;
    if (marker !== SOS) continue;
    const next = endOfScan(bytes, end);
    if (next === undefined) return { damage: 'it is truncated' };
    at = next;
    parts.push(bytes.subarray(end, withoutFill(bytes, next)));
  }
  return { damage: 'it is truncated' };
}

function finish({ parts, app, tables, frame, scans }: Reading, eoi: Buffer, end: number): Intact | Corrupt {
  if (frame === undefined || scans === 0) return { damage: 'it has no pixels' };
  const problem = app.problem();
  if (problem !== undefined) return problem;
  tables.place(parts);
  parts.push(eoi);
  const { width, height, components } = frame;
  // Four components are CMYK or a transformation of it (Adobe Technical Note 5116, §18).
  return { width, height, isCmyk: components.length === 4, frames: 1, parts, end };
}

/** @param segment - from its marker on */
function readSegment(reading: Reading, marker: number, segment: Buffer): Corrupt | undefined {
  const { parts, app, tables } = reading;
  const content = segment.subarray(4);
  if ((marker >= APP0 && marker <= APP15) || marker === COM) {
    // Viewers have made up their mind when the pixels begin.
    return reading.scans === 0 ? app.add(marker, segment, parts) : undefined;
  }
  const part = parts.push(segment) - 1;
  if (marker === DHT || marker === DQT || marker === DRI) return tables.add(marker, content, part);
  if (SOF.has(marker)) return readFrame(reading, marker, content);
  if (marker === SOS) return readScan(reading, content);
  const isMarker = marker !== SOI && marker >= 0xc0;
  return {
    damage: isMarker ? 'browsers do not support this kind of JPEG' : 'it contains something that is not a JPEG segment',
  };
}

/** A frame header (§B.2.2). */
function readFrame(reading: Reading, marker: number, content: Buffer): Corrupt | undefined {
  if (reading.frame !== undefined) return { damage: 'it has two headers' };
  const [height, width, count] = [content.readUInt16BE(1), content.readUInt16BE(3), content.readUInt8(5)];
  if (width * height === 0 || content.length !== 6 + 3 * count) return { damage: 'its header cannot be read' };
  const components = Array.from({ length: count }, (_, index) => ({
    id: content.readUInt8(6 + 3 * index),
    quantization: content.readUInt8(8 + 3 * index),
  }));
  reading.frame = { width, height, isProgressive: marker === PROGRESSIVE, components };
  return undefined;
}

/** A scan header (§B.2.3). */
function readScan(reading: Reading, content: Buffer): Corrupt | undefined {
  const { frame, coded } = reading;
  const count = content.readUInt8(0);
  const ids = Array.from({ length: count }, (_, index) => content.readUInt8(1 + 2 * index));
  const components = frame?.components.filter(({ id }) => ids.includes(id)) ?? [];
  if (frame === undefined || count === 0 || content.length !== 4 + 2 * count || components.length !== count)
    return { damage: 'its scan header cannot be read' };
  if (++reading.scans > SCAN_LIMIT) return { damage: `its pixels are in more than ${SCAN_LIMIT} scans` };
  // Viewers stop when they have seen every component; only those of a progressive JPEG are coded little by little.
  if (!frame.isProgressive && ids.some((id) => coded.has(id))) return { damage: 'it has pixels that no viewer reads' };
  const [from, to, high] = [content.readUInt8(1 + 2 * count), content.readUInt8(2 + 2 * count), content.at(-1) ?? 0];
  reading.tables.use([
    'restart',
    // Of those that were coded before it is settled how they are quantized.
    ...components.filter(({ id }) => !coded.has(id)).map(({ quantization }) => `quantization ${quantization}`),
    ...ids.flatMap((_, index) => {
      const selector = content.readUInt8(2 + 2 * index);
      const [dc, ac] = [`huffman 0 ${selector >> 4}`, `huffman 1 ${selector & 15}`];
      // The first coefficient is coded when it comes for the first time, and in bits from then on (§G.1.2.1).
      return [...(from === 0 && high >> 4 === 0 ? [dc] : []), ...(to > 0 ? [ac] : [])];
    }),
  ]);
  for (const id of ids) coded.add(id);
  return undefined;
}

/** Where the coded pixels end: at the next marker that is neither a restart nor a stuffed byte (T.81, §B.1.1.5). */
function endOfScan(bytes: Buffer, start: number): number | undefined {
  for (let at = bytes.indexOf(0xff, start); at !== -1 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at)) {
    const next = bytes.readUInt8(at + 1);
    if (next === 0xff) at++;
    else if (next === 0 || (next >= RST[0] && next <= RST[1])) at += 2;
    else return at;
  }
  return undefined;
}

/** Where pixels end before which there may be fill bytes. */
function withoutFill(bytes: Buffer, end: number): number {
  let at = end;
  while (bytes[at - 1] === 0xff) at--;
  return at;
}
