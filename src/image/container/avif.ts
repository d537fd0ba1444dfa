import { type Items, type Range, readItems, shownItems, UNREADABLE } from './avif-items.ts';
import { type Box, boxesIn, freeBox } from './iso-box.ts';
import { type Corrupt, endOfZeros, MAX_PROFILE_BYTES, type Trailing, type Intact } from './parsed.ts';

/** Boxes allowed at the top level of a file (ISO/IEC 14496-12, table 1); any other box is not part of the image. */
const TOP_LEVEL = new Set([
  'ftyp',
  'meta',
  'mdat',
  'free',
  'skip',
  'uuid',
  'moov',
  'moof',
  'sidx',
  'styp',
  'mfra',
  'pdin',
]);
/** Boxes of `meta` that a still image needs; others contain private data of programs. */
const META = new Set(['hdlr', 'pitm', 'iloc', 'iinf', 'iprp', 'iref', 'idat', 'grpl']);
/** Maximum number of boxes with pixels; one is usual. */
const MAX_DATA_BOXES = 16;
/** The properties that determine the look of an image (ISO/IEC 23008-12, §6.5; AV1 Image File Format, §2), with their maximum number of bytes. */
const PROPERTIES: Readonly<Record<string, number>> = {
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
  pixi: 260,
  a1lx: 13,
  auxC: 64,
  av1C: 4096,
  colr: MAX_PROFILE_BYTES,
};
/** The types of items that an image consists of, with their maximum number of bytes: pixels, a grid, how to apply a gain map. */
const ITEM_TYPES: Readonly<Record<string, number>> = { av01: Infinity, grid: 12, tmap: 256, iden: 0 };
const TOO_MANY_AVIF_PARTS = 'it consists of more parts than an image needs';

/** Parses the boxes of an AVIF. Items are found by their offsets, so nothing is cut out: metadata is overwritten with zeros in place. */
export function readAvif(bytes: Buffer): Intact | Corrupt | Trailing {
  const { boxes, incomplete } = boxesIn(bytes, 0, bytes.length);
  const foreign = boxes.find(({ type }) => !TOP_LEVEL.has(type)) ?? incomplete;
  const ours = boxes.filter(({ start }) => foreign === undefined || start < foreign.start);
  if (ours.some(({ type }) => type === 'moov'))
    return { width: 0, height: 0, isAnimated: true, parts: [bytes], end: bytes.length };
  if (foreign !== undefined && endOfZeros(bytes, foreign.start) < bytes.length) {
    const isCutOff = TOP_LEVEL.has(foreign.type) || !ours.some(({ type }) => type === 'mdat');
    return isCutOff ? { damage: 'it is truncated' } : { trailing: bytes.length - foreign.start };
  }
  const [meta, secondMeta] = ours.filter(({ type }) => type === 'meta');
  if (meta === undefined || secondMeta !== undefined) return UNREADABLE;
  const children = boxesIn(bytes, meta.content + 4, meta.end);
  if (children.incomplete !== undefined) return UNREADABLE;
  const items = readItems(
    bytes,
    children.boxes.filter(({ type }) => META.has(type)),
  );
  if ('damage' in items) return items;
  const size = items.sizes.get(items.primary);
  if (size === undefined || size.width * size.height === 0) return UNREADABLE;
  const data = [...ours.filter(({ type }) => type === 'mdat'), ...children.boxes.filter(({ type }) => type === 'idat')];
  if (data.length > MAX_DATA_BOXES) return { damage: TOO_MANY_AVIF_PARTS };
  const isWithin = ({ start, end }: Range): boolean => data.some((box) => start >= box.content && end <= box.end);
  if (![...items.extents.values()].flat().every(isWithin)) return { damage: 'a part of it is outside the file' };
  const displayed = shownItems(items);
  const damage = excess(items, displayed);
  if (damage !== undefined) return { damage };

  const end = ours.at(-1)?.end ?? 0;
  const copy = Buffer.from(bytes.subarray(0, end));
  for (const box of ours) if (!['ftyp', 'meta', 'mdat'].includes(box.type)) freeBox(copy, box);
  const needed = [...displayed].flatMap((item) => items.extents.get(item) ?? []).toSorted((a, b) => a.start - b.start);
  for (const box of data) blankBetween(copy, box, needed);
  blankHeader(copy, children.boxes, items);
  return { ...size, isAnimated: false, parts: [copy], end };
}

/** Returns the first part that contains more than it may; nothing if there is none. */
function excess({ properties, types, extents }: Items, displayed: ReadonlySet<number>): string | undefined {
  for (const { box, isUsed } of properties) {
    const { type, content, end } = box;
    if (isUsed && end - content > (PROPERTIES[type] ?? Infinity)) return `its property ${type} is too large`;
  }
  for (const item of displayed) {
    const length = (extents.get(item) ?? []).reduce((sum, { start, end }) => sum + end - start, 0);
    if (length > (ITEM_TYPES[types.get(item)?.type ?? ''] ?? -1)) return 'it holds data that no viewer reads';
  }
  return undefined;
}

/** Overwrites the data that no item of the image needs. */
function blankBetween(copy: Buffer, { content, end }: Box, needed: readonly Range[]): void {
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
  for (const { box, isUsed } of properties) if (!isUsed || !(box.type in PROPERTIES)) freeBox(copy, box);
  for (const { text } of types.values()) {
    // Byte by byte, since several texts may follow each other, each ended by a zero.
    for (let at = text.start; at < text.end; at++) if (copy[at] !== 0) copy[at] = 0x20;
  }
}
