import type { Arguments, Code } from '../diagnostics/catalogue.ts';
import type { Separator } from './csv.ts';
import type { KeyKind } from './key.ts';

/** Maximum number of diagnostics per chunk and in all: further ones repeat the same mistake. */
export const MAX_DIAGNOSTICS = 50;

/** Maximum number of unknown theme names that are stored. */
export const MAX_UNKNOWN = 1000;
/** Maximum length of a stored unknown name, in characters; a slug has at most 64. */
export const MAX_UNKNOWN_LENGTH = 100;

export interface RowForm {
  kind: KeyKind;
  separator: Separator;
  /** The ids of the themes as text, in the order of {@link ScanOptions.themes}, if rows refer to themes by id. */
  ids?: readonly string[] | undefined;
}

/** A place in a chunk: the line from 0, the column from 1. */
export interface RowPlace {
  line: number;
  column: number;
  length: number;
}

/** A diagnostic about a row. Its location is known once the lines of earlier chunks are counted. */
export interface RowDiagnostic extends RowPlace {
  code: Code;
  args: Arguments<Code>;
}

/** A theme that does not exist, the place of its first use, and the number of its users. */
export interface UnknownTheme extends RowPlace {
  theme: string;
  isId: boolean;
  users: number;
}

/** The result of a chunk without its records. */
export interface Scan {
  lines: number;
  /** Number of keys of each kind, by theme. */
  counts: Record<KeyKind, number[]>;
  first: Partial<Record<KeyKind, RowPlace>>;
  diagnostics: RowDiagnostic[];
  /** Number of diagnostics beyond the limit. */
  more: number;
  unknown: UnknownTheme[];
  /** Keys and themes in the format of `pairs.ts`, if requested; otherwise empty. */
  pairs: Buffer;
}

/** Adds the record of a key: see `digest-records.ts`. */
export type AddRecord = (...words: [number, number, number, number, number, number]) => void;

export interface ScanOptions {
  /** Slugs in any fixed order; the index identifies a theme. */
  themes: readonly string[];
  secret: Uint8Array;
  /** Whether to find keys that differ only by case. */
  foldsCase: boolean;
  /** Whether to store keys and themes as text. */
  retainsPairs: boolean;
  /** Whether every group must be a hostname, because all rules look groups up by hostname. */
  groupsAreHostnames?: boolean | undefined;
}

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
