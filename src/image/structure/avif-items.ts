import { type Box, boxesIn } from './iso-box.ts';
import type { Damaged } from './walked.ts';

/** Bytes of the file, without the last. */
export interface Range {
  start: number;
  end: number;
}

/** The header of an AVIF: what is in it, and where (ISO/IEC 14496-12, §8.11). */
export interface Items {
  primary: number;
  /** By item. */
  types: Map<number, { type: string; isHidden: boolean }>;
  extents: Map<number, Range[]>;
  sizes: Map<number, { width: number; height: number }>;
  references: { type: string; from: number; to: number[] }[];
  properties: Box[];
  /** Names and other texts about items. */
  texts: Range[];
}

/** Greatest size of a part of the header, in bytes: hundreds do for a picture, a colour profile apart. */
const PART_LIMIT = 1024 * 1024;

/** Item types that are pictures, and so may be one of several in a file. */
const PICTURES = new Set(['av01', 'grid', 'iovl', 'iden']);

/** @param children - the boxes of `meta` */
export function readItems(bytes: Buffer, children: readonly Box[]): Items | Damaged {
  const one = (type: string): Box | undefined => children.find((box) => box.type === type);
  const [pitm, iinf, iloc, iprp, iref] = [one('pitm'), one('iinf'), one('iloc'), one('iprp'), one('iref')];
  if (pitm === undefined || iinf === undefined || iloc === undefined || iprp === undefined)
    return { damage: 'its header cannot be read' };
  if ([iinf, iloc, iprp, iref].some((box) => box !== undefined && box.end - box.start > PART_LIMIT))
    return { damage: 'its header is larger than that of a picture' };
  const texts: Range[] = [];
  const extents = readExtents(bytes, iloc, one('idat'));
  if ('damage' in extents) return extents;
  return {
    primary: isVersion0(bytes, pitm) ? bytes.readUInt16BE(pitm.content + 4) : bytes.readUInt32BE(pitm.content + 4),
    types: readTypes(bytes, iinf, texts),
    extents,
    ...readProperties(bytes, iprp),
    references: iref === undefined ? [] : readReferences(bytes, iref),
    texts,
  };
}

/** The items that make up the picture shown: the primary one, what it is put together from, its transparency and its gain map. */
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
  for (const item of shown) for (const other of next.get(item) ?? []) shown.add(other); // a Set is walked to what is added
  return shown;
}

/** How many pictures the file shows: one, and those that have nothing to do with it. */
export function picturesIn({ types, references }: Items, shown: ReadonlySet<number>): number {
  const thumbnails = new Set(references.filter(({ type }) => type === 'thmb').map(({ from }) => from));
  const others = [...types].filter(
    ([item, { type, isHidden }]) => PICTURES.has(type) && !isHidden && !shown.has(item) && !thumbnails.has(item),
  );
  return 1 + others.length;
}

function isVersion0(bytes: Buffer, box: Box): boolean {
  return bytes[box.content] === 0;
}

/** Item types from `iinf` (§8.11.6). */
function readTypes(bytes: Buffer, iinf: Box, texts: Range[]): Items['types'] {
  const types: Items['types'] = new Map();
  const { boxes } = boxesIn(bytes, iinf.content + (isVersion0(bytes, iinf) ? 6 : 8), iinf.end);
  for (const { type, content, end } of boxes) {
    const version = bytes[content];
    if (type !== 'infe' || (version !== 2 && version !== 3)) continue;
    const at = content + (version === 2 ? 6 : 8);
    const item = version === 2 ? bytes.readUInt16BE(content + 4) : bytes.readUInt32BE(content + 4);
    types.set(item, { type: bytes.toString('latin1', at + 2, at + 6), isHidden: (bytes[content + 3] ?? 0) % 2 === 1 });
    texts.push({ start: Math.min(at + 6, end), end });
  }
  return types;
}

/** Where the bytes of each item are, from `iloc` (§8.11.3). */
function readExtents(bytes: Buffer, iloc: Box, idat: Box | undefined): Items['extents'] | Damaged {
  const version = bytes.readUInt8(iloc.content);
  const sizes = bytes.readUInt16BE(iloc.content + 4);
  const [offsetSize, lengthSize, baseSize] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15];
  const indexSize = version === 0 ? 0 : sizes & 15;
  // A length of no bytes means "all of it", and would let a short box list four billion extents.
  if (version > 2 || lengthSize === 0) return { damage: 'its header cannot be read' };
  let at = iloc.content + 6;
  const number = (size: number): number => {
    const value = size === 8 ? Number(bytes.readBigUInt64BE(at)) : size === 0 ? 0 : bytes.readUIntBE(at, size);
    at += size;
    return value;
  };
  const extents: Items['extents'] = new Map();
  for (let left = number(version === 2 ? 4 : 2); left > 0; left--) {
    const item = number(version === 2 ? 4 : 2);
    const method = version === 0 ? 0 : number(2) & 15;
    number(2); // data reference: 0, this file
    const origin = method === 1 ? idat?.content : 0;
    if (method > 1 || origin === undefined || at > iloc.end) return { damage: 'its header cannot be read' };
    const base = origin + number(baseSize);
    const ranges: Range[] = [];
    for (let count = number(2); count > 0; count--) {
      number(indexSize);
      const start = base + number(offsetSize);
      ranges.push({ start, end: start + number(lengthSize) });
    }
    extents.set(item, ranges);
  }
  return extents;
}

/** Properties and the sizes in pixels that they give items, from `iprp` (ISO/IEC 23008-12, §9.3). */
function readProperties(bytes: Buffer, iprp: Box): Pick<Items, 'properties' | 'sizes'> {
  const { boxes } = boxesIn(bytes, iprp.content, iprp.end);
  const properties = boxes
    .filter(({ type }) => type === 'ipco')
    .flatMap((ipco) => boxesIn(bytes, ipco.content, ipco.end).boxes);
  const sizes: Items['sizes'] = new Map();
  for (const ipma of boxes.filter(({ type }) => type === 'ipma')) {
    const idSize = isVersion0(bytes, ipma) ? 2 : 4;
    const isWide = (bytes[ipma.content + 3] ?? 0) % 2 === 1;
    let at = ipma.content + 8;
    for (let left = bytes.readUInt32BE(ipma.content + 4); left > 0 && at < ipma.end; left--) {
      const item = bytes.readUIntBE(at, idSize);
      at += idSize + 1;
      for (let count = bytes.readUInt8(at - 1); count > 0; count--) {
        const index = isWide ? bytes.readUInt16BE(at) & 0x7fff : bytes.readUInt8(at) & 0x7f;
        at += isWide ? 2 : 1;
        const property = properties[index - 1];
        if (property?.type !== 'ispe') continue;
        const { content } = property;
        sizes.set(item, { width: bytes.readUInt32BE(content + 4), height: bytes.readUInt32BE(content + 8) });
      }
    }
  }
  return { properties, sizes };
}

/** What items are to each other, from `iref` (§8.11.12). */
function readReferences(bytes: Buffer, iref: Box): Items['references'] {
  const idSize = isVersion0(bytes, iref) ? 2 : 4;
  return boxesIn(bytes, iref.content + 4, iref.end).boxes.map(({ type, content, end }) => {
    const first = content + idSize + 2;
    const count = Math.min(bytes.readUInt16BE(content + idSize), Math.floor((end - first) / idSize));
    const to = Array.from({ length: count }, (_, index) => bytes.readUIntBE(first + index * idSize, idSize));
    return { type, from: bytes.readUIntBE(content, idSize), to };
  });
}
