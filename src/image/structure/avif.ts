import { type Items, picturesIn, type Range, readItems, shownItems } from './avif-items.ts';
import { type Box, boxesIn, freeBox } from './iso-box.ts';
import type { Damaged, Trailing, Whole } from './walked.ts';

/** Boxes that a file may have at its top (ISO/IEC 14496-12, table 1); what is not one of them is not part of the picture. */
const TOP = new Set(['ftyp', 'meta', 'mdat', 'free', 'skip', 'uuid', 'moov', 'moof', 'sidx', 'styp', 'mfra', 'pdin']);
/** Those of them that a still picture needs. */
const NEEDED = new Set(['ftyp', 'meta', 'mdat']);
/** Boxes of `meta` that a still picture needs; the others hold what programs keep for themselves. */
const META = new Set(['hdlr', 'pitm', 'iloc', 'iinf', 'iprp', 'iref', 'idat', 'grpl']);
/** Properties that decide how a picture looks (ISO/IEC 23008-12, §6.5; AV1 Image File Format, §2.2; MIAF, §7.3). */
const PROPERTIES = new Set(
  'ispe pixi av1C colr pasp clap irot imir auxC a1op lsel a1lx clli mdcv cclv amve rloc'.split(' '),
);

/** Boxes that hold pixels; one is usual. */
const DATA_LIMIT = 16;

/**
 * Walks over the boxes of an AVIF. Items are found by their place in the file, so nothing is taken out of it: metadata is
 * overwritten with zeros where it stands, and everything else stays where it is.
 */
export function readAvif(bytes: Buffer): Whole | Damaged | Trailing {
  const { boxes, rest } = boxesIn(bytes, 0, bytes.length);
  const foreign = boxes.find(({ type }) => !TOP.has(type)) ?? rest;
  const own = boxes.filter(({ start }) => foreign === undefined || start < foreign.start);
  if (own.some(({ type }) => type === 'moov')) return { width: 0, height: 0, frames: 'several', parts: [bytes] };
  if (foreign !== undefined) {
    const isCutOff = TOP.has(foreign.type) || !own.some(({ type }) => type === 'mdat');
    return isCutOff ? { damage: 'it is cut off' } : { trailing: bytes.length - foreign.start };
  }
  const [meta, another] = own.filter(({ type }) => type === 'meta');
  if (meta === undefined || another !== undefined) return { damage: 'its header cannot be read' };
  const children = boxesIn(bytes, meta.content + 4, meta.end);
  if (children.rest !== undefined) return { damage: 'its header cannot be read' };
  const items = readItems(bytes, children.boxes);
  if ('damage' in items) return items;
  const size = items.sizes.get(items.primary);
  if (size === undefined || size.width * size.height === 0) return { damage: 'its header cannot be read' };
  const shown = shownItems(items);
  const needed = [...shown].flatMap((item) => items.extents.get(item) ?? []).toSorted((a, b) => a.start - b.start);
  const data = [...own.filter(({ type }) => type === 'mdat'), ...children.boxes.filter(({ type }) => type === 'idat')];
  if (data.length > DATA_LIMIT) return { damage: 'it is in more pieces than a picture has' };
  if (!needed.every((range) => data.some(({ content, end }) => range.start >= content && range.end <= end)))
    return { damage: 'a part of it lies outside the file' };

  const copy = Buffer.from(bytes);
  for (const box of own) if (!NEEDED.has(box.type)) freeBox(copy, box);
  for (const box of data) blankBetween(copy, box, needed);
  blankHeader(copy, children.boxes, items);
  return { ...size, frames: picturesIn(items, shown), parts: [copy] };
}

/** Overwrites what no item of the picture needs. */
function blankBetween(copy: Buffer, { content, end }: Box, needed: readonly Range[]): void {
  let at = content;
  for (const range of needed) {
    if (range.start >= end) break;
    if (range.start > at) copy.fill(0, at, range.start);
    at = Math.max(at, range.end);
  }
  if (at < end) copy.fill(0, at, end);
}

function blankHeader(copy: Buffer, children: readonly Box[], { properties, texts }: Items): void {
  for (const box of children) {
    if (!META.has(box.type)) freeBox(copy, box);
    if (box.type === 'hdlr') copy.fill(0, Math.min(box.content + 24, box.end), box.end); // the name of the program
  }
  for (const property of properties) if (!PROPERTIES.has(property.type)) freeBox(copy, property);
  // Letter by letter, for several texts may follow each other, each ended by a zero.
  for (const { start, end } of texts) for (let at = start; at < end; at++) if (copy[at] !== 0) copy[at] = 0x20;
}
