import { type Box, boxesIn } from './iso-box.ts';
import type { Corrupt } from './parsed.ts';

/** Bytes of the file, without the last. */
export interface Range {
  start: number;
  end: number;
}

/** The header of an AVIF: what is in it, and where (ISO/IEC 14496-12, §8.11). */
export interface Items {
  primary: number;
  /** By item. */
  types: ReadonlyMap<number, Item>;
  extents: ReadonlyMap<number, Range[]>;
  sizes: ReadonlyMap<number, { width: number; height: number }>;
  references: { type: string; from: number; to: number[] }[];
  /** In their order, with those that no item has. */
  properties: { box: Box; isUsed: boolean }[];
}

interface Item {
  type: string;
  /** Its name and other texts. */
  text: Range;
}

export const UNREADABLE: Corrupt = { damage: 'its header cannot be read' };

/** Greatest size of a part of the header, in bytes: hundreds do for an image, a colour profile apart. */
const PART_LIMIT = 1024 * 1024;

/**
 * Reads the boxes of `meta`. Each must end where what it holds ends, and name only items that there are: a reader that goes by what
 * it knows would pass over anything else.
 */
export function readItems(bytes: Buffer, children: readonly Box[]): Items | Corrupt {
  const one = (type: string): Box | undefined => children.find((box) => box.type === type);
  const [pitm, iinf, iloc, iprp, iref] = [one('pitm'), one('iinf'), one('iloc'), one('iprp'), one('iref')];
  if (pitm === undefined || iinf === undefined || iloc === undefined || iprp === undefined) return UNREADABLE;
  if (new Set(children.map(({ type }) => type)).size < children.length) return UNREADABLE;
  if ([iinf, iloc, iprp, iref].some((box) => box !== undefined && box.end - box.start > PART_LIMIT))
    return { damage: 'its header is too large for an image' };
  const idSize = isVersion0(bytes, pitm) ? 2 : 4;
  const primary = bytes.readUIntBE(pitm.content + 4, idSize);
  const types = readTypes(bytes, iinf);
  const extents = types && readExtents(bytes, iloc, one('idat'), types);
  const properties = types && readProperties(bytes, iprp, types);
  const references = types && (iref === undefined ? [] : readReferences(bytes, iref, types));
  if (types === undefined || extents === undefined || properties === undefined || references === undefined)
    return UNREADABLE;
  if (pitm.content + 4 + idSize !== pitm.end) return UNREADABLE;
  return { primary, types, extents, ...properties, references };
}

/** The items that make up the image shown: the primary one, what it is put together from, its transparency and its gain map. */
export function shownItems({ primary, types, references }: Items): Set<number> {
  const next = new Map<number, number[]>();
  const link = (from: number, to: number): unknown => next.get(from)?.push(to) ?? next.set(from, [to]);
  for (const { type, from, to } of references) {
    for (const other of to) {
      if (type === 'dimg' || type === 'prem') link(from, other);
      if (type === 'auxl' || (type === 'dimg' && types.get(from)?.type === 'tmap')) link(other, from);
    }
  }
  const shown = new Set([primary]);
  for (const item of shown) for (const other of next.get(item) ?? []) shown.add(other); // a Set is parsed to what is added
  return shown;
}

function isVersion0(bytes: Buffer, box: Box): boolean {
  return bytes[box.content] === 0;
}

/** Item types from `iinf` (§8.11.6). */
function readTypes(bytes: Buffer, iinf: Box): Items['types'] | undefined {
  const types = new Map<number, Item>();
  const first = iinf.content + (isVersion0(bytes, iinf) ? 6 : 8);
  const { boxes, rest } = boxesIn(bytes, first, iinf.end);
  for (const { type, content, end } of boxes) {
    const version = bytes[content];
    if (type !== 'infe' || (version !== 2 && version !== 3)) return undefined;
    const at = content + (version === 2 ? 6 : 8);
    types.set(version === 2 ? bytes.readUInt16BE(content + 4) : bytes.readUInt32BE(content + 4), {
      type: bytes.toString('latin1', at + 2, at + 6),
      text: { start: Math.min(at + 6, end), end },
    });
  }
  const count = bytes.readUIntBE(iinf.content + 4, first - iinf.content - 4);
  return rest === undefined && count === boxes.length && types.size === count ? types : undefined;
}

/** Where the bytes of each item are, from `iloc` (§8.11.3). */
function readExtents(
  bytes: Buffer,
  iloc: Box,
  idat: Box | undefined,
  types: Items['types'],
): Items['extents'] | undefined {
  const version = bytes.readUInt8(iloc.content);
  const sizes = bytes.readUInt16BE(iloc.content + 4);
  const [offsetSize, lengthSize, baseSize] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15];
  // A length of no bytes means "all of it", and would let a short box list four billion extents; an index is for derived items.
  if (version > 2 || lengthSize === 0 || (version > 0 && (sizes & 15) > 0)) return undefined;
  let at = iloc.content + 6;
  const number = (size: number): number => {
    const value = size === 8 ? Number(bytes.readBigUInt64BE(at)) : size === 0 ? 0 : bytes.readUIntBE(at, size);
    at += size;
    return value;
  };
  const extents = new Map<number, Range[]>();
  for (let left = number(version === 2 ? 4 : 2); left > 0; left--) {
    const item = number(version === 2 ? 4 : 2);
    const method = version === 0 ? 0 : number(2);
    const file = number(2); // 0: this one
    const origin = method === 1 ? idat?.content : 0;
    if (method > 1 || file > 0 || origin === undefined || at > iloc.end) return undefined;
    if (!types.has(item) || extents.has(item)) return undefined;
    const base = origin + number(baseSize);
    const ranges: Range[] = [];
    for (let count = number(2); count > 0; count--) {
      const start = base + number(offsetSize);
      ranges.push({ start, end: start + number(lengthSize) });
    }
    extents.set(item, ranges);
  }
  return at === iloc.end ? extents : undefined;
}

/** Properties, and the sizes in pixels that they give items, from `iprp` (ISO/IEC 23008-12, §9.3). */
function readProperties(
  bytes: Buffer,
  iprp: Box,
  types: Items['types'],
): Pick<Items, 'properties' | 'sizes'> | undefined {
  const { boxes, rest } = boxesIn(bytes, iprp.content, iprp.end);
  const [ipco, ...ipmas] = boxes;
  if (rest !== undefined || ipco?.type !== 'ipco' || ipmas.some(({ type }) => type !== 'ipma')) return undefined;
  const listed = boxesIn(bytes, ipco.content, ipco.end);
  const properties = listed.boxes.map((box) => ({ box, isUsed: false }));
  const sizes = new Map<number, { width: number; height: number }>();
  for (const ipma of ipmas) {
    const idSize = isVersion0(bytes, ipma) ? 2 : 4;
    const isWide = (bytes[ipma.content + 3] ?? 0) % 2 === 1;
    let at = ipma.content + 8;
    for (let left = bytes.readUInt32BE(ipma.content + 4); left > 0 && at < ipma.end; left--) {
      const item = bytes.readUIntBE(at, idSize);
      if (!types.has(item)) return undefined;
      at += idSize + 1;
      for (let count = bytes.readUInt8(at - 1); count > 0; count--) {
        const index = isWide ? bytes.readUInt16BE(at) & 0x7fff : bytes.readUInt8(at) & 0x7f;
        at += isWide ? 2 : 1;
        const property = properties[index - 1];
        if (property === undefined) continue;
        property.isUsed = true;
        const { type, content } = property.box;
        if (type !== 'ispe') continue;
        sizes.set(item, { width: bytes.readUInt32BE(content + 4), height: bytes.readUInt32BE(content + 8) });
      }
    }
    if (at !== ipma.end) return undefined;
  }
  return listed.rest === undefined ? { properties, sizes } : undefined;
}

/** What items are to each other, from `iref` (§8.11.12). */
function readReferences(bytes: Buffer, iref: Box, types: Items['types']): Items['references'] | undefined {
  const idSize = isVersion0(bytes, iref) ? 2 : 4;
  const references: Items['references'] = [];
  const { boxes, rest } = boxesIn(bytes, iref.content + 4, iref.end);
  for (const { type, content, end } of boxes) {
    const first = content + idSize + 2;
    const count = bytes.readUInt16BE(content + idSize);
    if (first + count * idSize !== end) return undefined;
    const to = Array.from({ length: count }, (_, index) => bytes.readUIntBE(first + index * idSize, idSize));
    const from = bytes.readUIntBE(content, idSize);
    if (![from, ...to].every((item) => types.has(item))) return undefined;
    references.push({ type, from, to });
  }
  return rest === undefined ? references : undefined;
}
