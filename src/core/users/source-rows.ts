import type { Location, Position, Report } from '../diagnostics/diagnostic.ts';
import type { Arguments } from '../diagnostics/catalogue.ts';
import { BYTE_ORDER_MARK, readHeader, type Separator, SEPARATOR_LINE, separatorOf } from './csv.ts';
import type { KeyKind } from './key.ts';
import { decodeText } from '../source/text.ts';
import { rowChunks } from './row-chunks.ts';

/** CSV as a stream of bytes. */
export interface UsersSource {
  file: string;
  /** Opens the file only when it is read, so that few are open at a time; returns undefined and reports why if it is unreadable. */
  open: () => Promise<AsyncIterable<Buffer> | undefined>;
  /** The ids of the themes, for rows that refer to themes by id. */
  ids?: readonly string[];
}

/** How the rows of a file are written. */
export interface RowForm {
  kind: KeyKind;
  separator: Separator;
  /** The ids of the themes as text, in the order of the slugs, if rows refer to themes by id. */
  ids?: readonly string[] | undefined;
}

/** The file of a chunk, and its first line if known. */
export interface ChunkPlace {
  file: string;
  /** The number of its first line; undefined if it follows the previous chunk. */
  firstLine: number | undefined;
}

export interface Rows {
  place: ChunkPlace;
  form: RowForm;
  bytes: Buffer;
}

/** Yields the rows of all sources in chunks. @param chunk - minimum size of every chunk except the last of a source, in bytes */
export async function* allRows(sources: readonly UsersSource[], chunk: number, report: Report): AsyncGenerator<Rows> {
  for (const source of sources) yield* sourceRows(source, chunk, report);
}

/** Yields the rows of a source, or reports why it has none. */
async function* sourceRows(source: UsersSource, chunk: number, report: Report): AsyncGenerator<Rows> {
  const { file } = source;
  const opened = await source.open();
  if (opened === undefined) return;
  let form: RowForm | undefined;
  for await (const bytes of rowChunks(opened, chunk)) {
    if (form !== undefined) {
      yield { place: { file, firstLine: undefined }, form, bytes };
      continue;
    }
    const start = readStart(file, bytes, source.ids, report);
    if (start === undefined) return;
    ({ form } = start);
    yield { place: { file, firstLine: start.lines + 1 }, form, bytes: bytes.subarray(start.bytes) };
  }
  if (form === undefined) report('mapping/header', { file }, { meant: 'user' });
}

/**
 * Returns the form of the rows in a file, and where they start; undefined if they cannot be read.
 * @param ids - the ids of the themes, for rows that refer to themes by id
 */
function readStart(
  file: string,
  chunk: Buffer,
  ids: readonly string[] | undefined,
  report: Report,
): { form: RowForm; bytes: number; lines: number } | undefined {
  const format = otherFormat(chunk);
  if (format !== undefined) {
    report('mapping/not-a-table', { file }, { found: format });
    return undefined;
  }
  let bytes = chunk.indexOf(BYTE_ORDER_MARK) === 0 ? BYTE_ORDER_MARK.length : 0;
  let lines = 0;
  while (chunk[bytes] === 10 || chunk[bytes] === 13) {
    if (chunk[bytes] === 10) lines++;
    bytes++;
  }
  if (SEPARATOR_LINE.test(chunk.toString('latin1', bytes, bytes + 8).split(/\r?\n/)[0] ?? '')) {
    bytes = chunk.indexOf(10, bytes) + 1 || chunk.length;
    lines++;
  }
  const end = chunk.indexOf(10, bytes);
  const stop = end === -1 ? chunk.length : end;
  const written = chunk.subarray(bytes, chunk[stop - 1] === 13 ? stop - 1 : stop);
  const line = decodeText({ file, bytes: written }, (code, { start, end: last }, args) => {
    const at = ({ column = 1 } = {}): Position => ({ line: lines + 1, column });
    report(code, { file, start: at(start), end: at(last) }, args);
  });
  if (line === undefined) return undefined;
  if (line === '') {
    report('mapping/header', { file }, { meant: 'user' });
    return undefined;
  }
  const firstLine: Location = {
    file,
    start: { line: lines + 1, column: 1 },
    end: { line: lines + 1, column: line.length + 1 },
  };
  const header = readHeader(line);
  if (header === undefined) {
    report('mapping/header', firstLine, headerMistake(line));
    return undefined;
  }
  const { kind, hasIds, separator } = header;
  const form = { kind, separator, ...(hasIds ? { ids } : {}) };
  return { form, bytes: Math.min(stop + 1, chunk.length), lines: lines + 1 };
}

/** The names of the columns in other words, for the first line of a table: `User name`, `Benutzer`, `Gruppe`. */
const COLUMN_NAMES = {
  user: /^\W?(?:users?|benutzer|nutzer|utilisateurs?|usuarios?|utenti|utente|members?|mitglied(?:er)?|e-?mails?|logins?|accounts?|keys?|ids?|uid)\b/i,
  group: /^\W?(?:groups?|gruppen?|groupes?|grupos?|gruppi|gruppo|teams?|roles?)\b/i,
  theme: /^\W?(?:themes?|themen?|thema|thèmes?|temas?|temi|tema|brands?|branding|design|skin|slug)\b/i,
};

/** Returns what is wrong with a first line, and the line to write, with its own separator. */
function headerMistake(line: string): Arguments<'mapping/header'> {
  const separator = separatorOf(line);
  const cells = line.split(separator).map((cell) => cell.trim());
  const filled = cells.filter((cell) => cell !== '');
  const [first = '', second = ''] = filled;
  const meant = filled.some((cell) => COLUMN_NAMES.group.test(cell)) ? 'group' : 'user';
  const isName = (cell: string): boolean => COLUMN_NAMES.user.test(cell) || COLUMN_NAMES.group.test(cell);
  const mistake =
    filled.length === 2 && COLUMN_NAMES.theme.test(first) && isName(second)
      ? 'swapped'
      : cells.length > filled.length && readHeader(filled.join(separator)) !== undefined
        ? 'empty'
        : filled.length === 2 && isName(first) && COLUMN_NAMES.theme.test(second)
          ? 'name'
          : undefined;
  return { meant, separator, mistake };
}

/** Recognises by their first bytes formats that people mistake for CSV. Spreadsheets are ZIP files; their first entries reveal the program. */
function otherFormat(chunk: Buffer): string | undefined {
  const start = chunk.toString('latin1', 0, 4096);
  if (start.startsWith('PK\u0003\u0004')) {
    if (start.includes('opendocument')) return 'an OpenDocument spreadsheet';
    if (/\[Content_Types\]|xl\//.test(start)) return 'an Excel workbook';
    return start.includes('Index/') ? 'a Numbers spreadsheet' : 'a ZIP file';
  }
  if (start.startsWith('\u00d0\u00cf\u0011\u00e0')) return 'an Excel workbook';
  if (/^\s*<(?:!doctype html|html)\b/i.test(start)) return 'an HTML page';
  return /^\s*(?:\[\s*)?\{\s*"/.test(start) ? 'JSON' : undefined;
}
