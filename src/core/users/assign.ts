import { type Header, readHeader, SEPARATOR_LINE, splitRow } from './csv.ts';

/** The theme to assign to a key: its slug and its id, because a file may use either. */
interface Assignment {
  key: string;
  slug: string;
  id: number;
}

/**
 * Assigns a theme to a user in a users file: changes the user's line, or adds one. All other bytes stay.
 * @param line - the number of the user's line
 * @returns undefined if the file is no table of users, or the line has another key
 */
export function withAssignment(text: string, { key, slug, id }: Assignment, line?: number): string | undefined {
  const lines = text.split('\n');
  const header = headerOf(lines);
  if (header?.kind !== 'user') return undefined;
  const theme = header.hasIds ? String(id) : slug;
  if (line === undefined) {
    const end = text.includes('\r\n') ? '\r\n' : '\n';
    return `${text}${text.endsWith('\n') ? '' : end}${key}${header.separator}${theme}${end}`;
  }
  const row = (lines[line - 1] ?? '').replace(/\r$/, '');
  const [written, cell] = splitRow(row, header.separator) ?? [];
  if (written?.text.trim() !== key || cell === undefined) return undefined;
  const start = cell.column - 1;
  lines[line - 1] = row.slice(0, start) + theme + (lines[line - 1] ?? '').slice(start + cell.text.length);
  return lines.join('\n');
}

/** Removes the line of a user from a users file. @returns undefined if the line has another key */
export function withoutAssignment(text: string, key: string, line: number): string | undefined {
  const lines = text.split('\n');
  const separator = headerOf(lines)?.separator;
  const [written] = splitRow((lines[line - 1] ?? '').replace(/\r$/, ''), separator) ?? [];
  if (written?.text.trim() !== key) return undefined;
  return lines.toSpliced(line - 1, 1).join('\n');
}

/** Returns the header of a table; a byte order mark, empty lines and `sep=` may precede it. */
function headerOf(lines: readonly string[]): Header | undefined {
  const isHeader = (line: string): boolean => line !== '' && !SEPARATOR_LINE.test(line);
  const bare = (line: string): string => line.replaceAll(/^\ufeff|\r$/g, '');
  const first = lines.find((line) => isHeader(bare(line)));
  return first === undefined ? undefined : readHeader(bare(first));
}
