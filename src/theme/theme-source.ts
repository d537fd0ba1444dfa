import type { Location } from '../diagnostics/diagnostic.ts';
import type { SourceDocument } from '../source/yaml.ts';
import type { ThemeFields } from './schema.ts';

/** A warning that is wanted, as `accept` names it. */
export interface Accepted {
  field: keyof NonNullable<ThemeFields['accept']>;
  code: string;
  /** Where `accept` names it. */
  location: Location;
}

/** A theme as authored: the fields that its own file has, each checked for itself. Plain data, so that it can be stored. */
export interface ThemeSource {
  slug: string;
  /** `theme.yaml` as diagnostics name it. */
  file: string;
  /** `palette_preview` is in its published form. */
  fields: Partial<ThemeFields>;
  /** Fields that are present but invalid, or probably meant by a misspelt name: they are not reported as missing as well. */
  invalid: readonly string[];
  /** A valid `palette_preview` in the spelling of its author. */
  writtenPalette?: readonly string[];
  /** The colours of an invalid `palette_preview`, with nothing in place of those that are none. */
  partialPalette?: readonly (string | null)[];
  /** The warnings that it accepts. Default: none. */
  accepted?: readonly Accepted[];
  /** Where the values are: by field, or field and part (`banner.original`); the first key under the empty name. */
  spans: Readonly<Record<string, Span>>;
}

/** Line and column of the first character, and of the one after the last. */
type Span = readonly [line: number, column: number, endLine: number, endColumn: number];

/** Where a value is in `theme.yaml`; the first key, if there is no such value. */
export function placeIn({ file, spans }: Pick<ThemeSource, 'file' | 'spans'>, field = '', part?: string): Location {
  const span = spans[part === undefined ? field : `${field}.${part}`] ?? spans[field] ?? spans[''];
  if (span === undefined) return { file };
  const [line, column, endLine, endColumn] = span;
  return { file, start: { line, column }, end: { line: endLine, column: endColumn } };
}

/** The spans of some fields of a document, and of their parts. */
export function spansOf(document: SourceDocument, fields: readonly string[]): ThemeSource['spans'] {
  const spans: Record<string, Span> = {};
  const add = (name: string, { start, end }: Location): void => {
    if (start !== undefined && end !== undefined) spans[name] = [start.line, start.column, end.line, end.column];
  };
  add('', document.keyAt([]));
  for (const field of fields.filter((one) => Object.hasOwn(document.data, one))) {
    const value = document.data[field];
    add(field, document.valueAt([field]));
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue;
    for (const part of Object.keys(value)) add(`${field}.${part}`, document.valueAt([field, part]));
  }
  return spans;
}
