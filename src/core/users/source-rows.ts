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

/** The names of columns in other words: `Gruppe`, `Thema`. */
const GROUP_NAME = /^\W?(?:group|grupp|grupo|team|role)/i;
const THEME_NAME = /^\W?(?:them|thèm|tem[ai]\b|brand|design|skin|slug)/i;

/** Returns what is wrong with a first line, and the line to write, with its own separator. */
function headerMistake(line: string): Arguments<'mapping/header'> {
  const separator = separatorOf(line);
  const cells = line.split(separator).map((cell) => cell.trim());
  const filled = cells.filter((cell) => cell !== '');
  const isEmpty = cells.length > filled.length && readHeader(filled.join(separator)) !== undefined;
  return {
    meant: filled.some((cell) => GROUP_NAME.test(cell)) ? 'group' : 'user',
    separator,
    mistake: filled.length === 2 && THEME_NAME.test(filled[0] ?? '') ? 'swapped' : isEmpty ? 'empty' : undefined,
  };
}

/** Recognises by their first bytes formats that people mistake for CSV. Spreadsheets are ZIP files. */
function otherFormat(chunk: Buffer): string | undefined {
  const start = chunk.toString('latin1', 0, 4096);
  if (/^(?:PK\u0003\u0004|\u00d0\u00cf\u0011\u00e0)/.test(start)) return 'a spreadsheet or a ZIP file';
  if (/^\s*<(?:!doctype html|html)\b/i.test(start)) return 'an HTML page';
  return /^\s*(?:\[\s*)?\{\s*"/.test(start) ? 'JSON' : undefined;
}
