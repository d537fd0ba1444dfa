import type { KeyKind } from './key.ts';

/** Words (of 32 bits) of a record: three of the digest, then {@link Row.line}, the chunk and theme, and how the key is written. */
export const RECORD_WORDS = 6;

/** Stands for a theme that does not exist. Such a record only helps to find keys that are listed twice. */
export const NO_THEME = 0xffff;

/** The row from which a record was made. */
export interface Row {
  kind: KeyKind;
  /** Whether the key was lower-cased before it was hashed: such records find collisions on case-insensitive hosts. */
  isFolded: boolean;
  /** Index of the theme, or {@link NO_THEME}. */
  theme: number;
  /** Index of its chunk; the line in the chunk is counted from 0. */
  chunk: number;
  line: number;
  /** Column of the key, from 1; the length is in characters. */
  column: number;
  length: number;
}

const FOLDED = 1 << 30;
const GROUP = 1 << 31;
/** The largest column that a record can contain; larger ones become this. */
const LAST_COLUMN = 0x3fffff;

/** Encodes the fifth and sixth word of a record. */
export function rowWords({ kind, isFolded, theme, chunk, column, length }: Omit<Row, 'line'>): [number, number] {
  const written = (Math.min(column, LAST_COLUMN) << 8) | length;
  return [(chunk << 16) | theme, written | (isFolded ? FOLDED : 0) | (kind === 'group' ? GROUP : 0)];
}

/** Decodes the row of the record that starts at a word. */
export function rowOf(records: Uint32Array, at: number): Row {
  const [line = 0, place = 0, written = 0] = records.subarray(at + 3, at + RECORD_WORDS);
  return {
    kind: (written & GROUP) === 0 ? 'user' : 'group',
    isFolded: (written & FOLDED) !== 0,
    theme: place & 0xffff,
    chunk: place >>> 16,
    line,
    column: (written >>> 8) & LAST_COLUMN,
    length: written & 0xff,
  };
}

/** Compares rows by the order in which they were read. */
export function compareRows(a: Row, b: Row): number {
  return a.chunk - b.chunk || a.line - b.line || a.column - b.column;
}

/** Returns the place of a row in its chunk. */
export function rowPlace({ line, column, length }: Row): { line: number; column: number; length: number } {
  return { line, column, length };
}
