import type { Arguments, Code } from '../diagnostics/catalogue.ts';
import type { Separator } from './csv.ts';
import type { KeyKind } from './key.ts';

/** Maximum number of diagnostics retained of one chunk, and printed of all: more of them are one mistake, repeated. */
export const MAX_DIAGNOSTICS = 50;

/** Maximum number of unknown theme names that are retained, and of characters of each: no slug is longer than 64. */
export const MAX_UNKNOWN = 1000;
export const MAX_UNKNOWN_LENGTH = 100;

/** The form of the rows in a chunk. */
export interface RowForm {
  kind: KeyKind;
  separator: Separator;
  /** The ids of the themes as text, in the order of {@link ScanOptions.themes}, where rows name themes by id. */
  ids?: readonly string[] | undefined;
}

/** A place in a chunk: the line from 0, the column from 1. */
export interface RowPlace {
  line: number;
  column: number;
  length: number;
}

/** A diagnostic about one row; its place becomes a location when the lines before the chunk are known. */
export interface RowDiagnostic extends RowPlace {
  code: Code;
  args: Arguments<Code>;
}

/** A theme that does not exist, where it is first used, and for how many users. */
export interface UnknownTheme extends RowPlace {
  theme: string;
  /** Whether it is an id. */
  isId: boolean;
  users: number;
}

/** The result for one chunk besides its records. */
export interface Scan {
  lines: number;
  /** Keys of each kind, by theme. */
  counts: Record<KeyKind, number[]>;
  /** Where the first key of each kind is. */
  first: Partial<Record<KeyKind, RowPlace>>;
  diagnostics: RowDiagnostic[];
  /** Diagnostics that were not retained. */
  more: number;
  unknown: UnknownTheme[];
  /** Keys and themes, in the format of `pairs.ts`; empty unless they are retained. */
  pairs: Buffer;
}

/** Takes the record of one key: see `digest-records.ts`. */
export type AddRecord = (...words: [number, number, number, number, number, number]) => void;

export interface ScanOptions {
  /** Slugs, in any fixed order: a theme is identified by its index. */
  themes: readonly string[];
  secret: Uint8Array;
  /** Whether to look for keys that differ only in case. */
  foldsCase: boolean;
  /** Whether keys and themes are retained as text. */
  retainsPairs: boolean;
  /** Whether every group must be a hostname, because nothing else is looked up among groups. */
  groupsAreHostnames?: boolean | undefined;
}

/** Makes the scan of a chunk without rows. */
export function emptyScan(themes: number): Scan {
  return {
    lines: 0,
    counts: { user: Array.from({ length: themes }, () => 0), group: Array.from({ length: themes }, () => 0) },
    first: {},
    diagnostics: [],
    more: 0,
    unknown: [],
    pairs: Buffer.alloc(0),
  };
}
