import type { Corrupt } from './parsed.ts';

// Markers of the segments that hold tables (ITU-T T.81, §B.2.4).
export const DHT = 0xc4;
export const DQT = 0xdb;
export const DRI = 0xdd;

/** One table, or the restart interval. */
interface Table {
  /** What it replaces if it comes again: `restart`, `quantization 0` to `3`, `huffman 0 0` to `huffman 1 3` (class and number). */
  name: string;
  bytes: Buffer;
  isUsed: boolean;
}

/** The tables of a JPEG in the order of its segments, and which of them a scan uses: no viewer looks at the others. */
export class Tables {
  readonly #segments: { marker: number; tables: Table[]; part: number }[] = [];
  readonly #current = new Map<string, Table>();

  /**
   * Reads a segment of tables.
   * @param part - where it belongs among the parts of the file
   */
  add(marker: number, content: Buffer, part: number): Corrupt | undefined {
    const tables =
      marker === DRI ? restartInterval(content) : marker === DQT ? quantization(content) : huffman(content);
    if (tables === undefined) return { damage: 'one of its tables has the wrong length' };
    for (const table of tables) this.#current.set(table.name, table);
    this.#segments.push({ marker, tables, part });
    return undefined;
  }

  /** Notes that a scan uses tables; those that are not there are missed by a decoder. */
  use(names: readonly string[]): void {
    for (const name of names) {
      const table = this.#current.get(name);
      if (table !== undefined) table.isUsed = true;
    }
  }

  /** Puts the segments where they belong, without the tables that no scan uses. */
  place(parts: Buffer[]): void {
    for (const { marker, tables, part } of this.#segments) {
      const used = tables.filter(({ isUsed }) => isUsed);
      if (used.length === tables.length) continue;
      const head = Buffer.from([0xff, marker, 0, 0]);
      const segment = Buffer.concat([head, ...used.map(({ bytes }) => bytes)]);
      segment.writeUInt16BE(segment.length - 2, 2);
      parts[part] = used.length === 0 ? Buffer.alloc(0) : segment;
    }
  }
}

function restartInterval(content: Buffer): Table[] | undefined {
  return content.length === 2 ? [{ name: 'restart', bytes: content, isUsed: false }] : undefined;
}

/** Tables for quantization (§B.2.4.1): 64 numbers, of one byte or two. */
function quantization(content: Buffer): Table[] | undefined {
  return inARow(content, (at) => {
    const head = content.readUInt8(at);
    return head >> 4 > 1 || (head & 15) > 3
      ? undefined
      : { name: `quantization ${head & 15}`, length: 1 + 64 * (1 + (head >> 4)) };
  });
}

/** Huffman tables (§B.2.4.2): how many codes there are of each length, and what they stand for. */
function huffman(content: Buffer): Table[] | undefined {
  return inARow(content, (at) => {
    const head = content.readUInt8(at);
    const codes = content.subarray(at + 1, at + 17).reduce((sum, count) => sum + count, 0);
    return head >> 4 > 1 || (head & 15) > 3 || codes > 256
      ? undefined
      : { name: `huffman ${head >> 4} ${head & 15}`, length: 17 + codes };
  });
}

/** Tables one after the other; nothing if they do not end where their segment does. */
function inARow(
  content: Buffer,
  tableAt: (at: number) => { name: string; length: number } | undefined,
): Table[] | undefined {
  const tables: Table[] = [];
  let at = 0;
  while (at < content.length) {
    const table = tableAt(at);
    if (table === undefined) return undefined;
    const { name, length } = table;
    tables.push({ name, bytes: content.subarray(at, at + length), isUsed: false });
    at += length;
  }
  return at === content.length ? tables : undefined;
}
