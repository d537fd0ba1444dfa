import type { Location } from '../diagnostics/diagnostic.ts';
import type { SourceDocument } from '../source/yaml.ts';
import type { Palette } from './fields/fields.ts';
import type { ThemeFields } from './schema.ts';

/** An entry of `accept`: a warning that the theme accepts. */
export interface AcceptedWarning {
  field: keyof NonNullable<ThemeFields['accept']>;
  code: string;
  location: Location;
}

/** The fields of a theme's own file, each checked alone. Plain data, so that it can be cached. */
export interface ThemeSource {
  slug: string;
  /** The path of `theme.yaml` in diagnostics. */
  file: string;
  /** Palettes are in their published form. */
  fields: Partial<ThemeFields>;
  /** Fields that are invalid, or probably present under a misspelt name: they are not reported as missing too. */
  invalid: readonly string[];
  /** The valid palettes, as their author wrote them. */
  written: Readonly<Partial<Record<Palette, readonly string[]>>>;
  /** The colours of an invalid `palette_preview`; `null` for entries that are not colours. */
  partialPalette?: readonly (string | null)[];
  accepted?: readonly AcceptedWarning[];
  /** The locations of the values: by field, or by field and part (`banner.original`). The empty name has the first key. */
  spans: Readonly<Record<string, Span>>;
}

/** Line and column of the first character, and of the character after the last. */
type Span = readonly [line: number, column: number, endLine: number, endColumn: number];

/** Returns the location of a value in `theme.yaml`; without such a value, of the first key. */
export function placeIn({ file, spans }: Pick<ThemeSource, 'file' | 'spans'>, field = '', part?: string): Location {
  const span = spans[part === undefined ? field : `${field}.${part}`] ?? spans[field] ?? spans[''];
  if (span === undefined) return { file };
  const [line, column, endLine, endColumn] = span;
  return { file, start: { line, column }, end: { line: endLine, column: endColumn } };
}

/** Returns the spans of some fields of a document, and of their parts. */
export function spansOf(document: SourceDocument, fields: readonly string[]): ThemeSource['spans'] {
  const spans: Record<string, Span> = {};
  const add = (name: string, { start, end }: Location): void => {
    if (start !== undefined && end !== undefined) spans[name] = [start.line, start.column, end.line, end.column];
  };
  add('', document.keyAt([]));
  for (const field of fields.filter((name) => Object.hasOwn(document.data, name))) {
    const value = document.data[field];
    add(field, document.valueAt([field]));
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue;
    for (const part of Object.keys(value)) add(`${field}.${part}`, document.valueAt([field, part]));
  }
  return spans;
}
