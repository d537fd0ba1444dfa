import type { KeyKind } from './key.ts';

/** Words (of 32 bits) of a record: three of the digest, then {@link Row.line}, the chunk and theme, and how the key is written. */
export const RECORD_WORDS = 6;

/** The theme of a row whose theme does not exist. Such a record only finds keys that are listed twice. */
export const NO_THEME = 0xffff;

/** The row that a record is of. */
export interface Row {
  kind: KeyKind;
  /** Whether the digest is that of the key in lower case, for case-insensitive hosts; such records only find collisions. */
  isFolded: boolean;
  /** Index of the theme, or {@link NO_THEME}. */
  theme: number;
  /** Index of the chunk that it was read in, and line in it, from 0. */
  chunk: number;
  line: number;
  /** Of the key, from 1; the length is in characters. */
  column: number;
  length: number;
}

const FOLDED = 1 << 30;
const GROUP = 1 << 31;
/** Columns beyond are written as this: only lists in YAML have several keys per line. */
const LAST_COLUMN = 0x3fffff;

/** The fifth and sixth word of a record. */
export function rowWords({ kind, isFolded, theme, chunk, column, length }: Omit<Row, 'line'>): [number, number] {
  const written = (Math.min(column, LAST_COLUMN) << 8) | length;
  return [(chunk << 16) | theme, written | (isFolded ? FOLDED : 0) | (kind === 'group' ? GROUP : 0)];
}

/** The row of the record that starts at this word. */
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

/** Order of the rows as they were read. */
export function compareRows(a: Row, b: Row): number {
  return a.chunk - b.chunk || a.line - b.line || a.column - b.column;
}

/** The place of a row in its chunk. */
export function rowPlace({ line, column, length }: Row): { line: number; column: number; length: number } {
  return { line, column, length };
}
