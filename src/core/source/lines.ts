import type { Location, Position } from '../diagnostics/diagnostic.ts';

/** Returns a function from offsets of a text (UTF-16 units) to lines and columns. */
export function positions(text: string): (offset: number) => Position {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}

/** Returns a function from offsets of a file's text to locations. */
export function locator(file: string, text: string): (start: number, end: number) => Location {
  const position = positions(text);
  const within = (offset: number): number => Math.min(offset, text.length);
  return (start, end) => ({ file, start: position(within(start)), end: position(within(Math.max(start, end))) });
}
