import type { Arguments, Code } from '../diagnostics/catalogue.ts';
import { characterName } from '../diagnostics/characters.ts';
import type { Location, Report } from '../diagnostics/diagnostic.ts';
import { decodeText } from '../source/text.ts';
import { BYTE_ORDER_MARK, type Cell, isEmptyRow, separatorOf, splitRow } from './csv.ts';
import {
  isDate,
  isShortenedNumber,
  KEY_CHARACTERS,
  KEY_LENGTH,
  type KeyKind,
  keyMistake,
  keyProblem,
  longNumber,
} from './key.ts';
import { CHUNK } from './row-chunks.ts';
import { allRows, type RowForm, type UsersSource } from './source-rows.ts';

/** An assignment and its place. */
export interface UserRow {
  kind: KeyKind;
  key: string;
  /** The index of the theme; undefined if it does not exist. */
  theme: number | undefined;
  file: string;
  line: number;
  /** The column of the key, from 1. */
  column: number;
}

/** Receives the mistakes in rows. */
export interface RowMistakes {
  add: <C extends Code>(code: C, location: Location, args: Arguments<C>) => void;
  addUnknownTheme: (location: Location, name: string, isId: boolean) => void;
}

/** Limits of the work. */
export interface Sizes {
  /** Minimum size of every chunk except the last of a file, in bytes. */
  chunk: number;
  /** Maximum number of rows. */
  rows: number;
}

export interface RowReading {
  /** The slugs of the themes; the index identifies a theme. */
  themes: readonly string[];
  /** Receives the problems of whole files. */
  report: Report;
  /** Without it, rows with mistakes are skipped in silence. */
  mistakes?: RowMistakes;
  sizes?: Partial<Sizes> | undefined;
}

const NO_MISTAKES: RowMistakes = { add: () => undefined, addUnknownTheme: () => undefined };

/** Matches `key,theme` without quotes: nearly every row. */
const PLAIN_ROW = new RegExp(
  `^(?!~|=[A-Z]{1,3}\\d)([${KEY_CHARACTERS}]{1,${KEY_LENGTH}})([,;\\t])([^",;\\t\\r]+)\\r?$`,
);

/** Git's lines between and after the two sides of a conflict. */
const CONFLICT_LINE = /^(?:={7}$|>{7} |\|{7} )/;

/** Reads all files as a stream, and calls `onRow` for each valid key, in the order of the files. */
export async function readRows(
  sources: readonly UsersSource[],
  { themes, report, mistakes = NO_MISTAKES, sizes = {} }: RowReading,
  onRow: (row: UserRow) => void,
): Promise<void> {
  const bySlug = namesOf(themes);
  let reader: RowReader | undefined;
  let line = 0;
  for await (const { place, form, bytes } of allRows(sources, sizes.chunk ?? CHUNK, report)) {
    if (place.firstLine !== undefined || reader === undefined) {
      line = place.firstLine ?? 1;
      const names = form.ids === undefined ? bySlug : namesOf(form.ids);
      reader?.end();
      reader = new RowReader(place.file, form, names, mistakes, onRow);
    }
    // One character per byte, which plain rows do not need to be decoded for.
    const lines = bytes.toString('latin1').split('\n');
    if (lines.at(-1) === '') lines.pop();
    for (const text of lines) reader.read(text, line++);
  }
  reader?.end();
}

/** Returns the index of each name; empty names are omitted. */
function namesOf(names: readonly string[]): Map<string, number> {
  return new Map(names.flatMap((name, index) => (name === '' ? [] : [[name, index]])));
}

/** Reads the rows of a file. */
class RowReader {
  readonly #file: string;
  readonly #form: RowForm;
  readonly #names: ReadonlyMap<string, number>;
  readonly #mistakes: RowMistakes;
  readonly #onRow: (row: UserRow) => void;
  #hasConflict = false;
  /** The first keys that look as if a spreadsheet had changed them, and whether a number shows that it has not. */
  #date: UserRow | undefined;
  #rounded: UserRow | undefined;
  #isExact = false;

  constructor(
    file: string,
    form: RowForm,
    names: ReadonlyMap<string, number>,
    mistakes: RowMistakes,
    onRow: (row: UserRow) => void,
  ) {
    this.#file = file;
    this.#form = form;
    this.#names = names;
    this.#mistakes = mistakes;
    this.#onRow = onRow;
  }

  /** @param text - a line, one character per byte */
  read(text: string, line: number): void {
    const [, key, separator, name = ''] = PLAIN_ROW.exec(text) ?? [];
    const theme = this.#names.get(name);
    if (key === undefined || theme === undefined || separator !== this.#form.separator || isShortenedNumber(key))
      this.#readOther(text, line);
    else this.#add({ kind: this.#form.kind, key, theme, file: this.#file, line, column: 1 });
  }

  /** Warns about keys that a spreadsheet may have changed; called after the last row. */
  end(): void {
    if (this.#date !== undefined) this.#mistakes.add('mapping/date', locationOf(this.#date), {});
    if (this.#rounded !== undefined && !this.#isExact)
      this.#mistakes.add('mapping/rounded-number', locationOf(this.#rounded), {});
  }

  #add(row: UserRow): void {
    const number = longNumber(row.key);
    if (number === 'exact') this.#isExact = true;
    else if (number === 'rounded') this.#rounded ??= row;
    else if (this.#date === undefined && isDate(row.key)) this.#date = row;
    this.#onRow(row);
  }

  /** Reads a line that is empty, has quotes or is wrong. */
  #readOther(bytes: string, line: number): void {
    const text = this.#decode(Buffer.from(bytes.replace(/\r$/, ''), 'latin1'), line);
    if (text === undefined || isEmptyRow(text)) return;
    const { separator } = this.#form;
    const cells = splitRow(text, separator);
    const [key, theme] = cells ?? [];
    const wholeLine = this.#at(line, 1, text.length);
    if (cells === undefined) this.#mistakes.add('mapping/quotes', wholeLine, {});
    else if (cells.length !== 2 || key === undefined || theme === undefined) {
      const isOther = separatorOf(text) !== separator;
      this.#mistakes.add('mapping/columns', wholeLine, { found: cells.length, separator, isOther });
    } else this.#readCells(key, theme, line);
  }

  #decode(bytes: Buffer, line: number): string | undefined {
    const text = decodeText({ file: '.csv', bytes }, (code, { start }, args) => {
      this.#mistakes.add(code, this.#at(line, start?.column ?? 1, 1), args);
      this.#hasConflict ||= code === 'file/conflict';
    });
    if (text === undefined || (this.#hasConflict && CONFLICT_LINE.test(text))) return undefined;
    if (bytes.indexOf(BYTE_ORDER_MARK) !== 0) return text;
    this.#mistakes.add('file/character', this.#at(line, 1, 1), { character: characterName('\ufeff'), escaped: false });
    return undefined;
  }

  #readCells(keyCell: Cell, themeCell: Cell, line: number): void {
    const at = ({ column, text }: Cell): Location => this.#at(line, column, text.length);
    const { kind, ids } = this.#form;
    const { text: key, column } = keyCell;
    const reason = keyProblem(key);
    const isShortened = isShortenedNumber(key);
    if (isShortened) this.#mistakes.add('mapping/shortened-number', at(keyCell), {});
    else if (reason !== undefined)
      this.#mistakes.add('mapping/user-key', at(keyCell), { reason, mistake: keyMistake(key) });
    const theme = this.#names.get(themeCell.text);
    if (theme === undefined) this.#mistakes.addUnknownTheme(at(themeCell), themeCell.text, ids !== undefined);
    if (reason !== undefined || isShortened) return;
    // Even if its theme does not exist, so that a repeated key is reported.
    this.#add({ kind, key, theme, file: this.#file, line, column });
  }

  #at(line: number, column: number, length: number): Location {
    return { file: this.#file, start: { line, column }, end: { line, column: column + length } };
  }
}

export function locationOf({ file, line, column, key }: UserRow): Location {
  return { file, start: { line, column }, end: { line, column: column + key.length } };
}
