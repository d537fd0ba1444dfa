import type { KeyKind } from './key.ts';

/** U+FEFF in UTF-8. A decoder would drop it at the start of each text. */
export const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** A cell of a CSV row, and the column of its first character, from 1. */
export interface Cell {
  text: string;
  column: number;
}

/** The characters between columns. Excel writes semicolons in locales with decimal commas, and tabs as “Text (Tab delimited)”. */
export const SEPARATORS = [',', ';', '\t'] as const;
export type Separator = (typeof SEPARATORS)[number];

/** Matches a first line that tells Excel the separator. */
export const SEPARATOR_LINE = /^sep=[,;\t]$/i;

/** Returns the separator of a table by its header, because no column name contains one. */
export function separatorOf(header: string): Separator {
  return SEPARATORS.find((separator) => header.includes(separator)) ?? ',';
}

/** Checks whether a row has only separators, which spreadsheets write for empty rows. */
export function isEmptyRow(line: string): boolean {
  return /^[,;\s]*$/.test(line);
}

/** Maximum number of cells of a row that are stored: 20 MB of commas took 926 MB of memory (measured). */
const MAX_CELLS = 1000;
const MORE: Cell = { text: '', column: 0 };

/** Splits a line into cells (RFC 4180: optional quotes); returns undefined if its quotes are unbalanced. */
export function splitRow(line: string, separator: Separator = ','): Cell[] | undefined {
  const cells: Cell[] = [];
  for (let start = 0; ;) {
    const isQuoted = line[start] === '"';
    const from = isQuoted ? start + 1 : start;
    const next = line.indexOf(separator, from);
    const to = isQuoted ? closingQuote(line, from) : next === -1 ? line.length : next;
    const end = isQuoted ? to + 1 : to;
    const text = line.slice(from, to);
    if (to === -1 || (end < line.length && line[end] !== separator) || (!isQuoted && text.includes('"')))
      return undefined;
    cells.push(cells.length < MAX_CELLS ? { text: text.replaceAll('""', '"'), column: from + 1 } : MORE);
    if (end === line.length) return cells;
    start = end + 1;
  }
}

/** Finds the closing quote. The stack of a regular expression would overflow on a row of megabytes. */
function closingQuote(line: string, from: number): number {
  let at = line.indexOf('"', from);
  while (at !== -1 && line[at + 1] === '"') at = line.indexOf('"', at + 2);
  return at;
}

/** The first line of a CSV file: the kind of its keys, whether it has ids of themes, and the separator. */
export interface Header {
  kind: KeyKind;
  hasIds: boolean;
  separator: Separator;
}

/** Parses `user,theme` or `group,theme`, or either with `theme_id`; returns undefined for any other line. */
export function readHeader(line: string): Header | undefined {
  const separator = separatorOf(line);
  const [kind, theme, ...more] = splitRow(line, separator)?.map(({ text }) => text.trim()) ?? [];
  if ((kind !== 'user' && kind !== 'group') || more.length > 0) return undefined;
  return theme === 'theme' || theme === 'theme_id' ? { kind, hasIds: theme === 'theme_id', separator } : undefined;
}
