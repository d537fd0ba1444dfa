import { characterName } from '../diagnostics/characters.ts';
import type { Report } from '../diagnostics/diagnostic.ts';
import { groupHostnameProblem } from '../theme/hostnames.ts';
import { decodeText } from '../source/text.ts';
import { BYTE_ORDER_MARK, type Cell, isEmptyRow, type Separator, separatorOf, splitRow } from './csv.ts';
import { KeyDigest, wordOf } from './key-digest.ts';
import { isShortenedNumber, KEY_BYTES, KEY_LENGTH, type KeyKind, keyMistake, keyProblem } from './key.ts';
import { Pairs } from './pairs.ts';
import { hashed, Names } from './theme-names.ts';
import { NO_THEME, rowWords } from './digest-records.ts';
import {
  type AddRecord,
  emptyScan,
  MAX_UNKNOWN_LENGTH,
  MAX_DIAGNOSTICS,
  MAX_UNKNOWN,
  type RowDiagnostic,
  type RowForm,
  type RowPlace,
  type Scan,
  type ScanOptions,
  type UnknownTheme,
} from './scan.ts';

const [LF, CR, PLUS, TILDE] = [10, 13, 43, 126] as const;

/**
 * Scans rows as bytes. Plain rows, nearly all of them, are never decoded to text; other rows are, and their mistakes are reported.
 */
export class RowScanner {
  readonly #slugs: Names;
  /** The slugs or ids that the current rows use for themes. */
  #names: Names;
  #separator: Separator = ',';
  readonly #digest: KeyDigest;
  readonly #foldsCase: boolean;
  readonly #retainsPairs: boolean;
  readonly #groupsAreHostnames: boolean;
  readonly #addRecord: AddRecord;
  readonly #pairs = new Pairs();
  #chunk = 0;
  #scan: Scan;
  #unknown = new Map<string, UnknownTheme>();
  #hasConflict = false;

  constructor(
    { themes, secret, foldsCase, retainsPairs, groupsAreHostnames = false }: ScanOptions,
    addRecord: AddRecord,
  ) {
    this.#slugs = new Names(themes);
    this.#names = this.#slugs;
    this.#digest = new KeyDigest(secret);
    this.#foldsCase = foldsCase;
    this.#retainsPairs = retainsPairs;
    this.#groupsAreHostnames = groupsAreHostnames;
    this.#addRecord = addRecord;
    this.#scan = emptyScan(themes.length);
  }

  /** Begins a chunk; rows belong to it until {@link end}. */
  begin(chunk: number): void {
    this.#chunk = chunk;
    this.#scan = emptyScan(this.#slugs.bytes.length);
    this.#unknown = new Map();
    this.#hasConflict = false;
  }

  end(): Scan {
    const scan = this.#scan;
    scan.unknown = [...this.#unknown.values()];
    scan.pairs = this.#pairs.take();
    return scan;
  }

  rows(bytes: Buffer, form: RowForm): void {
    this.#names = form.ids === undefined ? this.#slugs : new Names(form.ids);
    this.#separator = form.separator;
    const separator = form.separator.charCodeAt(0);
    let start = 0;
    while (start < bytes.length) {
      const isPlain = !(this.#groupsAreHostnames && form.kind === 'group');
      const next = isPlain ? this.#plainRow(bytes, start, form.kind, separator) : -1;
      if (next !== -1) start = next;
      else {
        const end = bytes.indexOf(LF, start);
        const stop = end === -1 ? bytes.length : end;
        const line = bytes.subarray(start, bytes[stop - 1] === CR && stop > start ? stop - 1 : stop);
        if (line.length > 0) this.#otherRow(line, form.kind);
        start = stop + 1;
      }
      this.#scan.lines++;
    }
  }

  /** Scans `key,theme` without quotes. Returns the start of the next row, or -1 if the line is not plain. */
  #plainRow(bytes: Buffer, start: number, kind: KeyKind, separator: number): number {
    const { key } = this.#digest;
    let at = start;
    let length = 0;
    let byte = bytes[at] ?? LF;
    if (byte === TILDE) return -1;
    while (KEY_BYTES[byte] === 1 && length < KEY_LENGTH) {
      key[length++] = byte;
      byte = bytes[++at] ?? LF;
    }
    if (byte !== separator || length === 0) return -1;
    // A `+` here may be part of an exponent, because spreadsheets shorten long numbers.
    if (key[length - 3] === PLUS || key[length - 4] === PLUS) return -1;
    const nameStart = ++at;
    let hash = 0;
    byte = bytes[at] ?? LF;
    while (byte !== LF && byte !== CR) {
      hash = hashed(hash, byte);
      byte = bytes[++at] ?? LF;
    }
    const theme = this.#names.byHash.get(hash) ?? -1;
    const name = this.#names.bytes[theme];
    if (name === undefined || bytes.compare(name, 0, name.length, nameStart, at) !== 0) return -1;
    if (byte === CR && (bytes[++at] ?? LF) !== LF) return -1;
    this.#add(kind, length, theme, this.#scan.lines, 1);
    return at + 1;
  }

  #decoded(line: Buffer): string | undefined {
    const report: Report = (code, { start }, args) => {
      const { line: number } = this.#here();
      this.#report({ code, args, line: number, column: start?.column ?? 1, length: 1 });
      this.#hasConflict ||= code === 'file/conflict';
    };
    const text = decodeText({ file: '.csv', bytes: line }, report);
    // Git's lines between and after the two sides of a conflict.
    if (text === undefined || (this.#hasConflict && /^(?:={7}$|>{7} |\|{7} )/.test(text))) return undefined;
    if (line.indexOf(BYTE_ORDER_MARK) !== 0) return text;
    this.#report({ ...this.#here(), code: 'file/character', args: { character: characterName('\ufeff') } });
    return undefined;
  }

  /** Scans a line that is not plain, because it has quotes or is wrong. */
  #otherRow(line: Buffer, kind: KeyKind): void {
    const text = this.#decoded(line);
    if (text === undefined) return;
    const wholeLine = { line: this.#scan.lines, column: 1, length: text.length };
    if (isEmptyRow(text)) return;
    const cells = splitRow(text, this.#separator);
    const [key, theme] = cells ?? [];
    if (cells === undefined) this.#report({ ...wholeLine, code: 'mapping/quotes', args: {} });
    else if (cells.length !== 2 || key === undefined || theme === undefined)
      this.#report({
        ...wholeLine,
        code: 'mapping/columns',
        args: { found: cells.length, separator: this.#separator, isOther: separatorOf(text) !== this.#separator },
      });
    else this.#addRow(kind, key, theme);
  }

  /** Adds a key, or reports its mistake. */
  #addRow(kind: KeyKind, keyCell: Cell, theme: Cell): void {
    const at = ({ column, text: { length } }: Cell): RowPlace => ({ line: this.#scan.lines, column, length });
    const [key, place] = [keyCell.text, at(keyCell)];
    const index = this.#names.byText.get(theme.text);
    const hostname = this.#groupsAreHostnames && kind === 'group' ? groupHostnameProblem(key) : undefined;
    const problem = hostname?.reason ?? keyProblem(key);
    if (key === '') this.#report({ ...place, code: 'mapping/empty-key', args: {} });
    else if (isShortenedNumber(key)) this.#report({ ...place, code: 'mapping/shortened-number', args: {} });
    else if (hostname !== undefined)
      this.#report({ ...place, code: 'edge/hostname', args: { name: undefined, ...hostname } });
    else if (problem !== undefined)
      this.#report({ ...place, code: 'mapping/user-key', args: { reason: problem, mistake: keyMistake(key) } });
    if (index === undefined)
      this.#addUnknown(theme.text.slice(0, MAX_UNKNOWN_LENGTH), this.#names !== this.#slugs, at(theme));
    if (key === '' || problem !== undefined || isShortenedNumber(key)) return;
    for (let at = 0; at < key.length; at++) this.#digest.key[at] = key.charCodeAt(at);
    // Added even if its theme does not exist, so that a repeated key is reported.
    this.#add(kind, key.length, index ?? NO_THEME, place.line, place.column);
  }

  #addUnknown(theme: string, isId: boolean, place: RowPlace): void {
    const entry = this.#unknown.get(theme);
    if (entry !== undefined) entry.users++;
    else if (this.#unknown.size < MAX_UNKNOWN) this.#unknown.set(theme, { ...place, theme, isId, users: 1 });
    else this.#scan.more++;
  }

  #report(diagnostic: RowDiagnostic): void {
    if (this.#scan.diagnostics.length < MAX_DIAGNOSTICS) this.#scan.diagnostics.push(diagnostic);
    else this.#scan.more++;
  }

  #here(): RowPlace {
    return { line: this.#scan.lines, column: 1, length: 1 };
  }

  /** Adds the key in the buffer of the digest. */
  #add(kind: KeyKind, length: number, theme: number, line: number, column: number): void {
    const { key } = this.#digest;
    if (theme !== NO_THEME) {
      const counts = this.#scan.counts[kind];
      counts[theme] = (counts[theme] ?? 0) + 1;
      this.#scan.first[kind] ??= { line, column, length };
      if (this.#retainsPairs) this.#pairs.add(kind, key.subarray(0, length), theme);
    }
    this.#record(kind, length, theme, line, column, false);
    if (this.#foldsCase && foldCase(key, length)) this.#record(kind, length, theme, line, column, true);
  }

  #record(kind: KeyKind, length: number, theme: number, line: number, column: number, isFolded: boolean): void {
    const digest = this.#digest.of(kind, length);
    const [place, written] = rowWords({ kind, isFolded, theme, chunk: this.#chunk, column, length });
    this.#addRecord(wordOf(digest, 0), wordOf(digest, 4), wordOf(digest, 8), line, place, written);
  }
}

/** Lower-cases a key in place; returns whether it had capitals. */
function foldCase(key: Uint8Array, length: number): boolean {
  let isFolded = false;
  for (let at = 0; at < length; at++) {
    const byte = key[at] ?? 0;
    if (byte < 65 || byte > 90) continue;
    key[at] = byte + 32;
    isFolded = true;
  }
  return isFolded;
}
