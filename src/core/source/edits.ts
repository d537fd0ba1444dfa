/** A part of a text, in UTF-16 units, and its replacement. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

/** Applies edits, which are in the order of the text and do not overlap. */
export function edited(text: string, edits: readonly Edit[]): string {
  let result = '';
  let at = 0;
  for (const { start, end, text: replacement } of edits) {
    result += text.slice(at, start) + replacement;
    at = end;
  }
  return result + text.slice(at);
}
