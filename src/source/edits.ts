/** A part of a text, in UTF-16 units, and what replaces it. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

/** The text after edits in the order of the text, which do not overlap: every other character is as it was. */
export function edited(text: string, edits: readonly Edit[]): string {
  let result = '';
  let at = 0;
  for (const { start, end, text: replacement } of edits) {
    result += text.slice(at, start) + replacement;
    at = end;
  }
  return result + text.slice(at);
}
