import { characterName } from '../diagnostics/characters.ts';
import { quote } from '../diagnostics/quote.ts';

/** A key identifies a user or a group. */
export type KeyKind = 'user' | 'group';

/** Maximum length of a user or group key, in bytes; keys are ASCII. */
export const KEY_LENGTH = 128;

/** The characters of keys, as in the brackets of a regular expression. */
export const KEY_CHARACTERS = 'A-Za-z0-9._@+:|=/~-';
const OTHER_CHARACTER = new RegExp(`[^${KEY_CHARACTERS}]`);

/** Returns why some host could not store a key safely; undefined if every host can. */
export function keyProblem(key: string): string | undefined {
  if (key.length > KEY_LENGTH) return `is ${key.length} characters long, more than ${KEY_LENGTH}`;
  if (key.startsWith('~')) return 'starts with `~`';
  const at = key.search(OTHER_CHARACTER);
  if (at === -1) return undefined;
  const character = String.fromCodePoint(key.codePointAt(at) ?? 0);
  const name = character === ' ' ? 'a space' : /[!-~]/.test(character) ? quote(character) : characterName(character);
  return `contains ${name} at position ${at + 1}`;
}

/** Recognises typical mistakes in a key that has a problem. */
export function keyMistake(key: string): 'space' | 'escape' | undefined {
  if (key !== key.trim()) return 'space';
  return /%[\da-f]{2}/i.test(key) ? 'escape' : undefined;
}

/** Checks whether a spreadsheet wrote a long number as `1.23457E+11`, which loses its last digits. */
export function isShortenedNumber(key: string): boolean {
  return /^\d(?:[.,]\d+)?E\+\d{2,3}$/i.test(key);
}
