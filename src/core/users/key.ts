import { characterName } from '../diagnostics/characters.ts';
import { quote } from '../diagnostics/quote.ts';

/** A key identifies a user or a group. */
export type KeyKind = 'user' | 'group';

/** Maximum length of a user or group key, in bytes; keys are ASCII. */
export const KEY_LENGTH = 128;

/** The characters of keys, as in the brackets of a regular expression. */
export const KEY_CHARACTERS = 'A-Za-z0-9._@+:|=/~-';
/** Matches a formula that begins with a cell of a spreadsheet: `=A1`. */
const FORMULA = /^=[A-Z]{1,3}\d/;
const OTHER_CHARACTER = new RegExp(`[^${KEY_CHARACTERS}]`);

/** Returns why some host could not store a key safely; undefined if every host can. */
export function keyProblem(key: string): string | undefined {
  if (key === '') return 'is empty';
  if (key.length > KEY_LENGTH) return `is ${key.length} characters long, more than ${KEY_LENGTH}`;
  if (key.startsWith('~')) return 'starts with `~`';
  if (FORMULA.test(key)) return 'is a formula of a spreadsheet, not its result';
  const at = key.search(OTHER_CHARACTER);
  if (at === -1) return undefined;
  const character = String.fromCodePoint(key.codePointAt(at) ?? 0);
  const name = character === ' ' ? 'a space' : /[!-~]/.test(character) ? quote(character) : characterName(character);
  return `contains ${name} at position ${at + 1}`;
}

/** Recognises typical mistakes in a key that has a problem. */
export function keyMistake(key: string): 'empty' | 'space' | 'escape' | undefined {
  if (key === '') return 'empty';
  if (key !== key.trim()) return 'space';
  return /%[\da-f]{2}/i.test(key) ? 'escape' : undefined;
}

/** Whether a spreadsheet may have made a date of a key: `1-2` becomes `01.Feb` or `2-Jan`. */
export function isDate(key: string): boolean {
  return key.length < 8 && /^(?:\d{1,2}[-. ]?[A-Za-z]{3}|[A-Za-z]{3}[-. ]?\d{1,2})$/.test(key) && MONTH.test(key);
}
const MONTH = /jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz]/i;

/** The digits that a spreadsheet keeps of a number; it replaces further ones by zeros. */
const KEPT_DIGITS = 15;

/** Whether a key is a number with more digits than a spreadsheet keeps; and whether the others are zeros, as it writes them. */
export function longNumber(key: string): 'rounded' | 'exact' | undefined {
  if (key.length <= KEPT_DIGITS || !/^\d+$/.test(key)) return undefined;
  return /^0+$/.test(key.slice(KEPT_DIGITS)) ? 'rounded' : 'exact';
}

/** Checks whether a spreadsheet wrote a long number as `1.23457E+11`, which loses its last digits. */
export function isShortenedNumber(key: string): boolean {
  return /^\d(?:[.,]\d+)?E\+\d{2,3}$/i.test(key);
}
