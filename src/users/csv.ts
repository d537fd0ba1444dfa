import type { KeyKind } from './key.ts';

/** One cell of a CSV row; the column of its first character counts from 1. */
export interface Cell {
  text: string;
  column: number;
}

/** Cells of which there is more than their number. Measured: a row of 20 MB of commas took 926 MB. */
const MAX_CELLS = 1000;
const MORE: Cell = { text: '', column: 0 };

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
    cells.push(cells.length < MAX_CELLS ? { text: text.replaceAll('""', '"'), column: from + 1 } : MORE);
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

/** The first line of a CSV file: the kind of its keys, and whether themes are named by id. */
export interface Header {
  kind: KeyKind;
  hasIds: boolean;
}

/** Reads `user,theme` or `group,theme`, or with `theme_id`; nothing if the line is no such header. */
export function readHeader(line: string): Header | undefined {
  const [kind, theme, ...more] = splitRow(line)?.map(({ text }) => text.trim()) ?? [];
  if ((kind !== 'user' && kind !== 'group') || more.length > 0) return undefined;
  return theme === 'theme' || theme === 'theme_id' ? { kind, hasIds: theme === 'theme_id' } : undefined;
}
