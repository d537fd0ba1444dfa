import { type Items, type Range, readItems, shownItems, UNREADABLE } from './avif-items.ts';
import { type Box, boxesIn, freeBox } from './iso-box.ts';
import { type Corrupt, endOfZeros, PROFILE_LIMIT, type Trailing, type Intact } from './parsed.ts';

/** Boxes that a file may have at its top (ISO/IEC 14496-12, table 1); what is not one of them is not part of the image. */
const TOP = new Set(['ftyp', 'meta', 'mdat', 'free', 'skip', 'uuid', 'moov', 'moof', 'sidx', 'styp', 'mfra', 'pdin']);
/** Boxes of `meta` that a still image needs; the others hold what programs keep for themselves. */
const META = new Set(['hdlr', 'pitm', 'iloc', 'iinf', 'iprp', 'iref', 'idat', 'grpl']);
/** Boxes that hold pixels; one is usual. */
const DATA_LIMIT = 16;
/** The properties that decide how an image looks (ISO/IEC 23008-12, §6.5; AV1 Image File Format, §2), with their maximum number of bytes. */
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
  colr: PROFILE_LIMIT,
};
/** The items that an image is put together from, with their maximum number of bytes: pixels, a grid, how to apply a gain map. */
const ITEMS: Readonly<Record<string, number>> = { av01: Infinity, grid: 12, tmap: 256, iden: 0 };
const TOO_MANY_AVIF_PARTS = 'it consists of more parts than an image needs';

/**
 * Walks over the boxes of an AVIF. Items are found by their place in the file, so nothing is taken out of it: metadata is
 * overwritten with zeros where it stands, and everything else stays where it is.
 */
export function readAvif(bytes: Buffer): Intact | Corrupt | Trailing {
  const { boxes, rest } = boxesIn(bytes, 0, bytes.length);
  const foreign = boxes.find(({ type }) => !TOP.has(type)) ?? rest;
  const own = boxes.filter(({ start }) => foreign === undefined || start < foreign.start);
  if (own.some(({ type }) => type === 'moov'))
    return { width: 0, height: 0, isAnimated: true, parts: [bytes], end: bytes.length };
  if (foreign !== undefined && endOfZeros(bytes, foreign.start) < bytes.length) {
    const isCutOff = TOP.has(foreign.type) || !own.some(({ type }) => type === 'mdat');
    return isCutOff ? { damage: 'it is truncated' } : { trailing: bytes.length - foreign.start };
  }
  const [meta, another] = own.filter(({ type }) => type === 'meta');
  if (meta === undefined || another !== undefined) return UNREADABLE;
  const children = boxesIn(bytes, meta.content + 4, meta.end);
  if (children.rest !== undefined) return UNREADABLE;
  const items = readItems(
    bytes,
    children.boxes.filter(({ type }) => META.has(type)),
  );
  if ('damage' in items) return items;
  const size = items.sizes.get(items.primary);
  if (size === undefined || size.width * size.height === 0) return UNREADABLE;
  const data = [...own.filter(({ type }) => type === 'mdat'), ...children.boxes.filter(({ type }) => type === 'idat')];
  if (data.length > DATA_LIMIT) return { damage: TOO_MANY_AVIF_PARTS };
  const isWithin = ({ start, end }: Range): boolean => data.some((box) => start >= box.content && end <= box.end);
  if (![...items.extents.values()].flat().every(isWithin)) return { damage: 'a part of it is outside the file' };
  const shown = shownItems(items);
  const damage = problem(items, shown);
  if (damage !== undefined) return { damage };

  const end = own.at(-1)?.end ?? 0;
  const copy = Buffer.from(bytes.subarray(0, end));
  for (const box of own) if (!['ftyp', 'meta', 'mdat'].includes(box.type)) freeBox(copy, box);
  const needed = [...shown].flatMap((item) => items.extents.get(item) ?? []).toSorted((a, b) => a.start - b.start);
  for (const box of data) blankBetween(copy, box, needed);
  blankHeader(copy, children.boxes, items);
  return { ...size, isAnimated: false, parts: [copy], end };
}

/** What holds more than it should, if anything does. */
function problem({ properties, types, extents }: Items, shown: ReadonlySet<number>): string | undefined {
  for (const { box, isUsed } of properties) {
    const { type, content, end } = box;
    if (isUsed && end - content > (PROPERTIES[type] ?? Infinity)) return `its property ${type} is too large`;
  }
  for (const item of shown) {
    const length = (extents.get(item) ?? []).reduce((sum, { start, end }) => sum + end - start, 0);
    if (length > (ITEMS[types.get(item)?.type ?? ''] ?? -1)) return 'it holds data that no viewer reads';
  }
  return undefined;
}

/** Overwrites what no item of the image needs. */
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
    // Letter by letter, for several texts may follow each other, each ended by a zero.
    for (let at = text.start; at < text.end; at++) if (copy[at] !== 0) copy[at] = 0x20;
  }
}
