import { painter } from '../../diagnostics/paint.ts';
import { count, masked, visibleLine } from '../../diagnostics/quote.ts';
import type { FileFixes } from './fix.ts';

/** Maximum length of a text that is shown, in characters. */
const MAX_LENGTH = 120;

/** What a fix replaces, and how often a file has the same. */
interface Replacement {
  line: number;
  code: string;
  before: string;
  after: string;
  /** How many more times the file has it. */
  more: number;
}

/** The fixes as a diff of what they replace, without what is around it. */
export function formatFixes(files: readonly FileFixes[], colour: boolean): string {
  const paint = painter(colour);
  const blocks = files.flatMap((file) =>
    replacements(file).map(({ line, code, before, after, more }) => {
      const place = paint('bold', `${visibleLine(file.file)}:${line}`);
      const others = more === 0 ? '' : ` and ${count(more, 'more place')}`;
      return [
        `${place}${others}  ${paint('dim', `[${code}]`)}`,
        paint('red', `-${before}`),
        paint('green', `+${after}`),
        '',
      ].join('\n');
    }),
  );
  return blocks.map((block) => `${block}\n`).join('');
}

function replacements({ text, edits }: FileFixes): Replacement[] {
  const known = new Map<string, Replacement>();
  let line = 1;
  let at = 0;
  for (const { start, end, text: replacement, code } of edits) {
    for (let next = text.indexOf('\n', at); next !== -1 && next < start; next = text.indexOf('\n', at)) {
      line++;
      at = next + 1;
    }
    const before = shown(text.slice(start, end));
    const after = shown(replacement);
    const key = JSON.stringify([code, before, after]);
    const same = known.get(key);
    if (same === undefined) known.set(key, { line, code, before, after, more: 0 });
    else same.more++;
  }
  return [...known.values()];
}

const shown = (text: string): string => masked(text.slice(0, MAX_LENGTH));
