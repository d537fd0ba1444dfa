import { painter } from '../../diagnostics/paint.ts';
import { count, masked, visibleLine } from '../../diagnostics/quote.ts';
import type { CodedEdit, FileFixes } from './fix.ts';
import { edited } from '../../source/edits.ts';

/** Maximum width of a line of a file, in characters. */
const MAX_WIDTH = 120;

/** A line as it is and as it will be. */
interface ChangedLine {
  line: number;
  codes: ReadonlySet<string>;
  before: string;
  after: string;
  /** How many more lines of the file change in the same way. */
  more: number;
}

/** The changes of files as a diff without context: place and codes, then the old line and the new one. */
export function formatFixes(files: readonly FileFixes[], colour: boolean): string {
  const paint = painter(colour);
  const blocks = files.flatMap((file) =>
    changedLines(file).map(({ line, codes, before, after, more }) => {
      const place = paint('bold', `${visibleLine(file.file)}:${line}`);
      const others = more === 0 ? '' : ` and ${count(more, 'more line')}`;
      return [
        `${place}${others}  ${paint('dim', `[${[...codes].join(', ')}]`)}`,
        paint('red', `-${before}`),
        paint('green', `+${after}`),
        '',
      ].join('\n');
    }),
  );
  return blocks.map((block) => `${block}\n`).join('');
}

function changedLines({ text, edits, isPrivate }: FileFixes): ChangedLine[] {
  const lines: ChangedLine[] = [];
  const known = new Map<string, ChangedLine>();
  let counted = { to: 0, line: 1 };
  for (const group of byLine(text, edits)) {
    const [start, end] = lineAround(text, group);
    counted = { to: start, line: counted.line + newlines(text, counted.to, start) };
    const codes = new Set(group.map(({ code }) => code));
    const shown = isPrivate ? withoutLine(text, group) : wholeLine(text.slice(start, end), group, start);
    const key = JSON.stringify([...shown, ...codes]);
    const same = isPrivate ? known.get(key) : undefined;
    if (same !== undefined) same.more++;
    else {
      const changed = { line: counted.line, codes, before: shown[0], after: shown[1], more: 0 };
      known.set(key, changed);
      lines.push(changed);
    }
  }
  return lines;
}

/** Edits that begin in the same line. */
function byLine(text: string, edits: readonly CodedEdit[]): CodedEdit[][] {
  const groups: CodedEdit[][] = [];
  let end = -1;
  for (const edit of edits) {
    if (edit.start <= end) groups.at(-1)?.push(edit);
    else {
      groups.push([edit]);
      const newline = text.indexOf('\n', edit.start);
      end = newline === -1 ? text.length : newline;
    }
  }
  return groups;
}

function lineAround(text: string, group: readonly CodedEdit[]): [start: number, end: number] {
  const [first, last] = [group[0], group.at(-1)];
  const newline = text.indexOf('\n', last?.end ?? 0);
  const start = first === undefined || first.start === 0 ? 0 : text.lastIndexOf('\n', first.start - 1) + 1;
  return [start, newline === -1 ? text.length : newline];
}

function newlines(text: string, from: number, to: number): number {
  let found = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) found++;
  return found;
}

function wholeLine(line: string, group: readonly CodedEdit[], start: number): [before: string, after: string] {
  const within = group.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }));
  const first = within[0]?.start ?? 0;
  // A line may be a whole file: only the part around the first change is shown.
  const skipped = first > MAX_WIDTH ? first - MAX_WIDTH / 2 : 0;
  const show = (whole: string): string =>
    masked(whole.replace(/\r$/, '').slice(skipped, skipped + MAX_WIDTH)).trimEnd();
  return [show(line), show(edited(line, within))];
}

/** The changed parts alone: whatever is around them may be a user key. */
function withoutLine(text: string, group: readonly CodedEdit[]): [before: string, after: string] {
  const show = (parts: readonly string[]): string => `…${parts.map((part) => `${masked(part)}…`).join('')}`;
  // A field that does not exist may be a user key too.
  const named = group.filter(({ code }) => code !== 'field/unknown');
  return [show(named.map(({ start, end }) => text.slice(start, end))), show(group.map((edit) => edit.text))];
}
