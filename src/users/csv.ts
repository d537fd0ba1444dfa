import type { KeyKind } from './key.ts';

/** One cell of a CSV row; the column of its first character counts from 1. */
export interface Cell {
  text: string;
  column: number;
}

/** The cells of one line (RFC 4180: optional quotes); nothing if its quotes are unbalanced. */
export function splitRow(line: string): Cell[] | undefined {
  const cells: Cell[] = [];
  for (let start = 0; ;) {
    const isQuoted = line[start] === '"';
    const from = isQuoted ? start + 1 : start;
    const comma = line.indexOf(',', from);
    const to = isQuoted ? closingQuote(line, from) : comma === -1 ? line.length : comma;
    const end = isQuoted ? to + 1 : to;
    const text = line.slice(from, to);
    if (to === -1 || (end < line.length && line[end] !== ',') || (!isQuoted && text.includes('"'))) return undefined;
    cells.push({ text: text.replaceAll('""', '"'), column: from + 1 });
    if (end === line.length) return cells;
    start = end + 1;
  }
}

/** Not by a regular expression: its stack does not take a row of megabytes. */
function closingQuote(line: string, from: number): number {
  let at = line.indexOf('"', from);
  while (at !== -1 && line[at + 1] === '"') at = line.indexOf('"', at + 2);
  return at;
}

/** The first line of a CSV file. */
export type Header =
  | { kind: KeyKind; column: 'theme' | 'theme_id' }
  /** It is no header; `isRow` if it is a row already, so that only the header is missing. */
  | { meant: KeyKind; isRow: boolean };

/** Reads `user,theme` or `group,theme`, or with `theme_id`. */
export function readHeader(line: string): Header {
  const names = splitRow(line)?.map(({ text }) => text.trim()) ?? [];
  const [kind, theme] = names;
  const column = theme === 'theme' || theme === 'theme_id' ? theme : undefined;
  if (names.length === 2 && (kind === 'user' || kind === 'group') && column !== undefined) return { kind, column };
  const isRow = names.length === 2 && names.every((name) => heading(name) === undefined);
  return { meant: line.split(/[,;\t]/).some((cell) => heading(cell) === 'group') ? 'group' : 'user', isRow };
}

/** The heading that a cell was meant to be, if it was. */
function heading(cell: string): string | undefined {
  return /^\W*(user|group|theme)s?\W*$/i.exec(cell)?.[1]?.toLowerCase();
}
