import type { Position } from '../diagnostics/diagnostic.ts';

/** A part of a text, in UTF-16 units, and what replaces it. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

/** Turns lines and columns of a text into offsets. */
export function offsets(text: string): (position: Position) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return ({ line, column }) => Math.min((starts[line - 1] ?? text.length) + column - 1, text.length);
}

/** The edits in the order of the text, without those that overlap an earlier one. */
export function apart<E extends Edit>(edits: readonly E[]): E[] {
  let end = 0;
  return edits
    .toSorted((a, b) => a.start - b.start || a.end - b.end)
    .filter((edit) => {
      const isApart = edit.start >= end;
      if (isApart) end = Math.max(edit.end, edit.start + 1);
      return isApart;
    });
}

/** The text after edits that are {@link apart}: every other character is as it was. */
export function edited(text: string, edits: readonly Edit[]): string {
  let result = '';
  let at = 0;
  for (const { start, end, text: replacement } of edits) {
    result += text.slice(at, start) + replacement;
    at = end;
  }
  return result + text.slice(at);
}
