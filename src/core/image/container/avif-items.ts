import { type Box, boxesIn } from './iso-box.ts';
import type { Corrupt } from './parsed.ts';

/** A range of bytes in the file; `end` is exclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

/** The contents of the header of an AVIF (ISO/IEC 14496-12, §8.11). */
export interface Items {
  primary: number;
  /** By item id. */
  types: ReadonlyMap<number, Item>;
  extents: ReadonlyMap<number, ByteRange[]>;
  sizes: ReadonlyMap<number, { width: number; height: number }>;
  references: { type: string; from: number; to: number[] }[];
  /** In their order, including properties that no item uses. */
  properties: { box: Box; isUsed: boolean }[];
}

interface Item {
  type: string;
  text: ByteRange;
}

export const UNREADABLE: Corrupt = { damage: 'its header cannot be read' };

/** Returns the items of an AVIF. @param children - the boxes in its `meta` */
export function readItems(bytes: Buffer, children: readonly Box[]): Items | Corrupt {
  const boxOf = (type: string): Box | undefined => children.find((box) => box.type === type);
  const [pitm, iinf, iloc, iprp, iref] = [boxOf('pitm'), boxOf('iinf'), boxOf('iloc'), boxOf('iprp'), boxOf('iref')];
  if (pitm === undefined || iinf === undefined || iloc === undefined || iprp === undefined) return UNREADABLE;
  const extents = readExtents(bytes, iloc, boxOf('idat'));
  if (extents === undefined) return UNREADABLE;
  const primary = bytes.readUIntBE(pitm.content + 4, isVersion0(bytes, pitm) ? 2 : 4);
  const references = iref === undefined ? [] : readReferences(bytes, iref);
  return { primary, types: readTypes(bytes, iinf), extents, ...readProperties(bytes, iprp), references };
}

/** Returns the items of the displayed image: the primary item, its tiles, its transparency and its gain map. */
export function shownItems({ primary, types, references }: Items): Set<number> {
  const next = new Map<number, number[]>();
  const link = (from: number, to: number): unknown => next.get(from)?.push(to) ?? next.set(from, [to]);
  for (const { type, from, to } of references) {
    for (const target of to) {
      if (type === 'dimg' || type === 'prem') link(from, target);
      if (type === 'auxl' || (type === 'dimg' && types.get(from)?.type === 'tmap')) link(target, from);
    }
  }
  const displayed = new Set([primary]);
  for (const item of displayed) for (const linked of next.get(item) ?? []) displayed.add(linked); // iterating a Set includes items added meanwhile
  return displayed;
}

function isVersion0(bytes: Buffer, box: Box): boolean {
  return bytes[box.content] === 0;
}

/** Reads item types from `iinf` (§8.11.6). */
function readTypes(bytes: Buffer, iinf: Box): Items['types'] {
  const types = new Map<number, Item>();
  for (const { type, content, end } of boxesIn(bytes, iinf.content + (isVersion0(bytes, iinf) ? 6 : 8), iinf.end)
    .boxes) {
    if (type !== 'infe') continue;
    const at = content + (bytes[content] === 2 ? 6 : 8);
    types.set(bytes.readUIntBE(content + 4, at - content - 4), {
      type: bytes.toString('latin1', at + 2, at + 6),
      text: { start: Math.min(at + 6, end), end },
    });
  }
  return types;
}

/** Reads the byte ranges of each item from `iloc` (§8.11.3). */
function readExtents(bytes: Buffer, iloc: Box, idat: Box | undefined): Items['extents'] | undefined {
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

/** Reads properties, and the pixel sizes that they assign to items, from `iprp` (ISO/IEC 23008-12, §9.3). */
function readProperties(bytes: Buffer, iprp: Box): Pick<Items, 'properties' | 'sizes'> {
  const { boxes } = boxesIn(bytes, iprp.content, iprp.end);
  const properties = boxes
    .filter(({ type }) => type === 'ipco')
    .flatMap(({ content, end }) => boxesIn(bytes, content, end).boxes)
    .map((box) => ({ box, isUsed: false }));
  const sizes = new Map<number, { width: number; height: number }>();
  for (const ipma of boxes.filter(({ type }) => type === 'ipma')) {
    const idSize = isVersion0(bytes, ipma) ? 2 : 4;
    const isWide = (bytes[ipma.content + 3] ?? 0) % 2 === 1;
    let at = ipma.content + 8;
    for (let left = bytes.readUInt32BE(ipma.content + 4); left > 0 && at < ipma.end; left--) {
      const item = bytes.readUIntBE(at, idSize);
      at += idSize + 1;
      for (let count = bytes.readUInt8(at - 1); count > 0; count--) {
        const property = properties[(isWide ? bytes.readUInt16BE(at) & 0x7fff : bytes.readUInt8(at) & 0x7f) - 1];
        at += isWide ? 2 : 1;
        if (property === undefined) continue;
        property.isUsed = true;
        const { type, content } = property.box;
        if (type === 'ispe')
          sizes.set(item, { width: bytes.readUInt32BE(content + 4), height: bytes.readUInt32BE(content + 8) });
      }
    }
  }
  return { properties, sizes };
}

/** Reads the references between items from `iref` (§8.11.12). */
function readReferences(bytes: Buffer, iref: Box): Items['references'] {
  const idSize = isVersion0(bytes, iref) ? 2 : 4;
  return boxesIn(bytes, iref.content + 4, iref.end).boxes.map(({ type, content, end }) => {
    const first = content + idSize + 2;
    const count = Math.min(bytes.readUInt16BE(content + idSize), (end - first) / idSize);
    const to = Array.from({ length: count }, (_, index) => bytes.readUIntBE(first + index * idSize, idSize));
    return { type, from: bytes.readUIntBE(content, idSize), to };
  });
}
