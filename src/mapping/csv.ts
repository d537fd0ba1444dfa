import type { KeyKind } from './key.ts';

/** One cell of a CSV row; the column of its first character counts from 1. */
export interface Cell {
  text: string;
  column: number;
}

/** The cells of one line (RFC 4180: optional quotes); nothing if its quotes do not pair. */
export function splitRow(line: string): Cell[] | undefined {
  const cells: Cell[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y;
  for (;;) {
    const start = cell.lastIndex;
    const found = cell.exec(line);
    if (found === null) return undefined;
    const [, quoted, plain, end] = found;
    cells.push(
      quoted === undefined
        ? { text: plain ?? '', column: start + 1 }
        : { text: quoted.replaceAll('""', '"'), column: start + 2 },
    );
    if (end === '') return cells;
  }
}

/** What the first line of a CSV file says. */
export type Header =
  | { kind: KeyKind }
  /** It is no header; `isRow` if it is a row already, so that only the header is missing. */
  | { separator: string | undefined; isRow: boolean };

/** Reads `user,theme` or `group,theme`; nothing if the quotes of the line do not pair. */
export function readHeader(line: string): Header | undefined {
  const names = splitRow(line)?.map(({ text }) => text.trim());
  if (names === undefined) return undefined;
  const [kind, theme] = names;
  if (names.length === 2 && (kind === 'user' || kind === 'group') && theme === 'theme') return { kind };
  const isRow = names.length === 2 && !names.some((name) => /^(?:users?|groups?|themes?)$/i.test(name));
  return { separator: otherSeparator(line), isRow };
}

/** What a spreadsheet may write between columns instead of commas. */
function otherSeparator(line: string): string | undefined {
  return line.includes(';') ? 'semicolons' : line.includes('\t') ? 'tabs' : undefined;
}
