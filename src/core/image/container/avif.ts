import { type Items, type ByteRange, readItems, shownItems, UNREADABLE } from './avif-items.ts';
import { type Box, boxesIn, freeBox } from './iso-box.ts';
import type { Corrupt, Parsed } from './parsed.ts';

/** Boxes at the top level of a file (ISO/IEC 14496-12, table 1); anything else is behind the image. */
const TOP_LEVEL = new Set('ftyp meta mdat free skip uuid moov moof sidx styp mfra pdin'.split(' '));
/** Boxes of `meta` that a still image needs; others contain private data of programs. */
const META = new Set('hdlr pitm iloc iinf iprp iref idat grpl'.split(' '));
/** The properties that determine the look of an image (ISO/IEC 23008-12, §6.5; AV1 Image File Format, §2). */
const PROPERTIES = new Set(
  'ispe pasp clap irot imir rloc a1op lsel clli mdcv amve pixi a1lx auxC av1C colr'.split(' '),
);

/** Parses the boxes of an AVIF. Items are found by their offsets, so nothing is cut out: metadata is overwritten with zeros in place. */
export function readAvif(bytes: Buffer): Parsed | Corrupt {
  const { boxes } = boxesIn(bytes, 0, bytes.length);
  const foreign = boxes.findIndex(({ type }) => !TOP_LEVEL.has(type));
  const ours = foreign === -1 ? boxes : boxes.slice(0, foreign);
  if (ours.some(({ type }) => type === 'moov')) return { width: 0, height: 0, isAnimated: true, parts: [bytes] };
  const meta = ours.find(({ type }) => type === 'meta');
  if (meta === undefined) return UNREADABLE;
  const children = boxesIn(bytes, meta.content + 4, meta.end).boxes;
  const items = readItems(bytes, children);
  if ('damage' in items) return items;
  const size = items.sizes.get(items.primary);
  if (size === undefined) return UNREADABLE;
  const displayed = shownItems(items);
  const data = [...ours, ...children].filter(({ type }) => type === 'mdat' || type === 'idat');
  const copy = Buffer.from(bytes.subarray(0, ours.at(-1)?.end ?? 0));
  const needed = [...displayed].flatMap((item) => items.extents.get(item) ?? []).toSorted((a, b) => a.start - b.start);
  if (needed.some(({ end }) => end > copy.length)) return { damage: 'it is truncated' };
  for (const box of ours) if (!['ftyp', 'meta', 'mdat'].includes(box.type)) freeBox(copy, box);
  for (const box of data) blankBetween(copy, box, needed);
  blankHeader(copy, children, items);
  return { ...size, isAnimated: false, parts: [copy] };
}

/** Overwrites the data that no item of the image needs. */
function blankBetween(copy: Buffer, { content, end }: Box, needed: readonly ByteRange[]): void {
  let at = content;
  for (const range of needed) {
    if (range.start >= end) break;
    if (range.start > at) copy.fill(0, at, range.start);
    at = Math.max(at, range.end);
  }
  if (at < end) copy.fill(0, at, end);
}

function blankHeader(copy: Buffer, children: readonly Box[], { properties, types }: Items): void {
  for (const box of children) {
    if (!META.has(box.type)) freeBox(copy, box);
  }
  for (const { box, isUsed } of properties) if (!isUsed || !PROPERTIES.has(box.type)) freeBox(copy, box);
  for (const { text } of types.values()) {
    // Byte by byte, since several texts may follow each other, each ended by a zero.
    for (let at = text.start; at < text.end; at++) if (copy[at] !== 0) copy[at] = 0x20;
  }
}
