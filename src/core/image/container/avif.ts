import { type Box, boxesIn, freeBox } from './iso-box.ts';
import type { Corrupt, Parsed } from './parsed.ts';

/** Boxes at the top level of a file (ISO/IEC 14496-12, table 1); anything else is behind the image. */
const TOP_LEVEL = new Set('ftyp meta mdat free skip uuid moov moof sidx styp mfra pdin'.split(' '));
/** Boxes of `meta` that a still image needs; others contain private data of programs. */
const META = new Set('hdlr pitm iloc iinf iprp iref idat grpl'.split(' '));
/** The types of items with metadata: EXIF, XMP (`mime`) and links. */
const METADATA = new Set(['Exif', 'mime', 'uri ']);

const UNREADABLE: Corrupt = { damage: 'its header cannot be read' };

/** A range of bytes in the file; `end` is exclusive. */
interface ByteRange {
  start: number;
  end: number;
}

/** Parses the boxes of an AVIF. Items are found by their offsets, so nothing is cut out: metadata is overwritten with zeros in place. */
export function readAvif(bytes: Buffer): Parsed | Corrupt {
  const { boxes } = boxesIn(bytes, 0, bytes.length);
  const foreign = boxes.findIndex(({ type }) => !TOP_LEVEL.has(type));
  const ours = foreign === -1 ? boxes : boxes.slice(0, foreign);
  if (ours.some(({ type }) => type === 'moov')) return { width: 0, height: 0, isAnimated: true, parts: [bytes] };
  const meta = ours.find(({ type }) => type === 'meta');
  if (meta === undefined) return UNREADABLE;
  const children = boxesIn(bytes, meta.content + 4, meta.end).boxes;
  const boxOf = (type: string): Box | undefined => children.find((box) => box.type === type);
  const [iinf, iloc, iprp] = [boxOf('iinf'), boxOf('iloc'), boxOf('iprp')];
  const extents = iloc && readExtents(bytes, iloc, boxOf('idat'));
  const size = iprp && largestSize(bytes, iprp);
  if (iinf === undefined || extents === undefined || size === undefined) return UNREADABLE;
  const copy = Buffer.from(bytes.subarray(0, ours.at(-1)?.end ?? 0));
  if ([...extents.values()].flat().some(({ end }) => end > copy.length)) return { damage: 'it is truncated' };
  for (const box of ours) if (!['ftyp', 'meta', 'mdat'].includes(box.type)) freeBox(copy, box);
  for (const box of children) if (!META.has(box.type)) freeBox(copy, box);
  const data = [...ours, ...children].filter(({ type }) => type === 'mdat' || type === 'idat');
  for (const item of metadataItems(bytes, iinf))
    for (const { start, end } of extents.get(item) ?? [])
      for (const box of data)
        if (start < box.end && end > box.content) copy.fill(0, Math.max(start, box.content), Math.min(end, box.end));
  return { ...size, isAnimated: false, parts: [copy] };
}

/** Returns the size of the whole image (ISO/IEC 23008-12, §6.5.3): tiles, transparency and previews are smaller or equal. */
function largestSize(bytes: Buffer, iprp: Box): { width: number; height: number } | undefined {
  return boxesIn(bytes, iprp.content, iprp.end)
    .boxes.flatMap(({ content, end }) => boxesIn(bytes, content, end).boxes)
    .filter(({ type }) => type === 'ispe')
    .map(({ content }) => ({ width: bytes.readUInt32BE(content + 4), height: bytes.readUInt32BE(content + 8) }))
    .toSorted((a, b) => b.width * b.height - a.width * a.height)[0];
}

function isVersion0(bytes: Buffer, box: Box): boolean {
  return bytes[box.content] === 0;
}

/** Returns the ids of the items with metadata, from `iinf` (§8.11.6). */
function metadataItems(bytes: Buffer, iinf: Box): number[] {
  return boxesIn(bytes, iinf.content + (isVersion0(bytes, iinf) ? 6 : 8), iinf.end).boxes.flatMap(({ content }) => {
    const at = content + (bytes[content] === 2 ? 6 : 8);
    const isMetadata = METADATA.has(bytes.toString('latin1', at + 2, at + 6));
    return isMetadata ? [bytes.readUIntBE(content + 4, at - content - 4)] : [];
  });
}

/** Reads the byte ranges of each item from `iloc` (§8.11.3). */
function readExtents(bytes: Buffer, iloc: Box, idat: Box | undefined): ReadonlyMap<number, ByteRange[]> | undefined {
  const version = bytes.readUInt8(iloc.content);
  const sizes = bytes.readUInt16BE(iloc.content + 4);
  const [offsetSize, lengthSize, baseSize] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15];
  // A length field of zero bytes means "all of it", and would let a short box list four billion extents; an index is for
  // derived items.
  if (version > 2 || lengthSize === 0 || (version > 0 && (sizes & 15) > 0)) return undefined;
  let at = iloc.content + 6;
  const number = (size: number): number => {
    const value = size === 8 ? Number(bytes.readBigUInt64BE(at)) : size === 0 ? 0 : bytes.readUIntBE(at, size);
    at += size;
    return value;
  };
  const extents = new Map<number, ByteRange[]>();
  for (let left = number(version === 2 ? 4 : 2); left > 0; left--) {
    const item = number(version === 2 ? 4 : 2);
    const method = version === 0 ? 0 : number(2);
    const file = number(2); // 0: this file
    const origin = method === 1 ? idat?.content : 0;
    if (method > 1 || file > 0 || origin === undefined) return undefined;
    const base = origin + number(baseSize);
    const ranges: ByteRange[] = [];
    for (let count = number(2); count > 0; count--) {
      const start = base + number(offsetSize);
      ranges.push({ start, end: start + number(lengthSize) });
    }
    extents.set(item, ranges);
  }
  return extents;
}
