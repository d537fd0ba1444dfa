import type { Report } from '../diagnostics/diagnostic.ts';
import { locator } from './lines.ts';

/** A text file as read: its bytes, and its name relative to the working directory. */
export interface SourceFile {
  file: string;
  bytes: Uint8Array;
}

// Controls but tab, line feed and carriage return; bidirectional controls; byte order mark; lone surrogates.
const FORBIDDEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]|\r(?!\n)|[\ud800-\udfff]/gu;

/** Offset of the first byte that is not UTF-8. */
function firstBadByte(bytes: Uint8Array): number {
  let good = 0;
  let bad = bytes.length;
  const decodes = (end: number): boolean => {
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, end), { stream: true });
      return true;
    } catch {
      return false;
    }
  };
  while (good < bad) {
    const middle = (good + bad + 1) >> 1;
    if (decodes(middle)) good = middle;
    else bad = middle - 1;
  }
  return good;
}

/** Decodes a file strictly as UTF-8; a byte order mark at its start is dropped. */
export function decodeText({ file, bytes }: SourceFile, report: Report): string | undefined {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    report('file/encoding', { file }, { offset: firstBadByte(bytes) });
    return undefined;
  }
  const locate = locator(file, text);
  const found = [...text.matchAll(FORBIDDEN)];
  for (const { 0: character, index } of found.slice(0, 10)) {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    report('yaml/character', locate(index, index + 1), { character: `U+${code}` });
  }
  return found.length === 0 ? text : undefined;
}
