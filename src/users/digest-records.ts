import type { KeyKind } from './key.ts';

/**
 * Length of a record, in 32-bit words: three for the digest, one for {@link Row.line}, one for chunk and theme, and one for the rest: column and
 * length of the key, its kind, and whether it is lower-cased.
 */
export const RECORD_WORDS = 6;

/** The index of a theme that does not exist. Such a record only serves to find keys that are listed twice. */
export const NO_THEME = 0xffff;

/** The assignment that a record was made from. */
export interface Row {
  kind: KeyKind;
  /** Whether the key was lower-cased before it was hashed: such records find collisions on case-insensitive hosts. */
  isFolded: boolean;
  /** Index of the theme, or {@link NO_THEME}. */
  theme: number;
  /** The index of its chunk; its line in the chunk, from 0. */
  chunk: number;
  line: number;
  /** The column of its key, from 1; the length in characters. */
  column: number;
  length: number;
}

const FOLDED = 1 << 30;
const GROUP = 1 << 31;
/** The largest column that fits into a record; larger columns become this one. */
const LAST_COLUMN = 0x3fffff;

/** Encodes the fifth and sixth word of a record. */
export function rowWords({ kind, isFolded, theme, chunk, column, length }: Omit<Row, 'line'>): [number, number] {
  const written = (Math.min(column, LAST_COLUMN) << 8) | length;
  return [(chunk << 16) | theme, written | (isFolded ? FOLDED : 0) | (kind === 'group' ? GROUP : 0)];
}

/** Decodes the record that starts at a word. */
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

/** Compares two rows by their order in the files. */
export function compareRows(a: Row, b: Row): number {
  return a.chunk - b.chunk || a.line - b.line || a.column - b.column;
}

export function rowPlace({ line, column, length }: Row): { line: number; column: number; length: number } {
  return { line, column, length };
}
