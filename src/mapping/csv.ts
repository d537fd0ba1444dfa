import type { Location, Report } from '../diagnostics/diagnostic.ts';
import type { Assignment } from './assignments.ts';

interface Cell {
  text: string;
  column: number;
}

/** Reads `user,theme` rows (RFC 4180: optional quotes, LF or CRLF). Blank lines are passed over. */
export function parseCsv(file: string, text: string, report: Report): Assignment[] {
  const assignments: Assignment[] = [];
  let header = true;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line === '') continue;
    const at = (column: number, length: number): Location => ({
      file,
      start: { line: index + 1, column },
      end: { line: index + 1, column: column + length },
    });
    const cells = splitRow(line);
    if (cells === undefined) {
      report('mapping/quotes', at(1, line.length), {});
      header = false;
      continue;
    }
    if (header) {
      header = false;
      const names = cells.map((cell) => cell.text.trim());
      if (names.join() === 'user,theme') continue;
      report('mapping/header', at(1, line.length), { separator: otherSeparator(line) });
      // Other columns would be misread; a missing header leaves the rows as they are.
      if (names.length !== 2 || names.some((name) => /^(?:users?|themes?)$/i.test(name))) return [];
    }
    const [user, theme] = cells;
    if (cells.length !== 2 || user === undefined || theme === undefined) {
      report('mapping/columns', at(1, line.length), { found: cells.length });
      continue;
    }
    assignments.push({
      kind: 'user',
      key: user.text,
      theme: theme.text,
      location: at(user.column, user.text.length),
      themeLocation: at(theme.column, theme.text.length),
    });
  }
  if (header) report('mapping/header', { file }, { separator: undefined });
  return assignments;
}

/** What a spreadsheet may write between columns instead of commas. */
function otherSeparator(line: string): string | undefined {
  return line.includes(';') ? 'semicolons' : line.includes('\t') ? 'tabs' : undefined;
}

/** The cells of one line; nothing if its quotes do not pair. */
function splitRow(line: string): Cell[] | undefined {
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
