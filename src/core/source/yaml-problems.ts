import { type Document, isCollection, isScalar, type Node, visit, type YAMLError } from 'yaml';
import { characterName, lookAlikeIn } from '../diagnostics/characters.ts';
import type { Location, Report } from '../diagnostics/diagnostic.ts';

/** A text to parse, and the functions that locate and report its problems. */
export interface Reading {
  text: string;
  locate: (start: number, end: number) => Location;
  report: Report;
}

/** Maximum number of problems of a text that are examined. */
const MAX_PROBLEMS = 1000;

/**
 * Reports the problems of the YAML parser in words for readers who do not know YAML. Only the first plain syntax error is reported: later
 * ones are mostly its consequences.
 * @returns whether the document can still be used
 */
export function reportProblems(document: Document.Parsed, reading: Reading): boolean {
  const all = [...document.errors, ...document.warnings];
  const problems = withoutRepetitions(all.slice(0, MAX_PROBLEMS), reading.text);
  const traps = problems.map((problem) => reportTrap(problem, reading));
  const unexplained = problems.find((_, index) => traps[index] === 'unknown');
  if (unexplained === undefined) return !traps.includes('fatal') && all.length <= MAX_PROBLEMS;
  if (
    !traps.includes('fatal') &&
    !reportLookAlike(unexplained, reading) &&
    !reportSwallowedColours(document, unexplained, reading)
  ) {
    reportSyntax(document, unexplained, reading);
  }
  return false;
}

/** Keeps one problem per mistake: tabs indent every line, and a value may have several colons or backslashes. */
function withoutRepetitions(problems: readonly YAMLError[], text: string): YAMLError[] {
  const seen = new Set<string>();
  return problems.filter(({ code, pos }) => {
    if (code !== 'TAB_AS_INDENT' && code !== 'BLOCK_AS_IMPLICIT_KEY' && code !== 'BAD_DQ_ESCAPE') return true;
    const value = code === 'BAD_DQ_ESCAPE' ? text.lastIndexOf('"', pos[0]) : lineStart(text, pos[0]);
    const key = code === 'TAB_AS_INDENT' ? code : `${code} ${value}`;
    const isFirst = !seen.has(key);
    seen.add(key);
    return isFirst;
  });
}

const BULLET = /^[ \t]*\*[ \t]/;

function lineAt(text: string, offset: number): string {
  return text.slice(lineStart(text, offset), lineEnd(text, offset));
}

/** Reports a problem with only one possible cause. */
function reportTrap({ code, message, pos }: YAMLError, reading: Reading): 'usable' | 'fatal' | 'unknown' {
  const { text, locate, report } = reading;
  const [start, end] = pos;
  const [line, bullet, entry] = /^([ \t]*\*[ \t]+)(\S.*)$/.exec(lineAt(text, start)) ?? [];
  if (line !== undefined && bullet !== undefined && entry !== undefined) {
    const from = lineStart(text, start);
    // Only the first entry of a list: its hint is about all of them.
    if (!BULLET.test(lineAt(text, Math.max(0, from - 1))))
      report('yaml/bullet', locate(from + bullet.indexOf('*'), from + line.length), { entry: entry.trimEnd() });
    return 'fatal';
  }
  switch (code) {
    case 'NON_STRING_KEY': {
      const tag = /^!\S*/.exec(text.slice(start, end))?.[0];
      if (tag === undefined) return 'unknown';
      report('yaml/tag', locate(start, start + tag.length), { tag });
      return 'fatal';
    }
    case 'TAG_RESOLVE_FAILED':
      report('yaml/tag', locate(start, end), { tag: text.slice(start, end) });
      return 'usable';
    case 'TAB_AS_INDENT':
      report('yaml/tab', locate(start, end), {});
      return 'fatal';
    case 'MULTIPLE_DOCS':
      report('yaml/multiple-documents', locate(start, Math.min(start + 3, lineEnd(text, start))), {});
      return 'fatal';
    case 'BAD_DIRECTIVE':
      report('yaml/directive', locate(start, lineEnd(text, start)), {});
      return 'fatal';
    case 'BAD_SCALAR_START':
      reportUnquotedStart(start, reading);
      return 'fatal';
    case 'BAD_DQ_ESCAPE':
      report('yaml/escape', locate(start, Math.min(start + 2, text.length)), {
        escape: text.slice(start, start + 2),
        text: quotedAround(text, start),
      });
      return 'fatal';
    case 'BLOCK_AS_IMPLICIT_KEY': {
      const value = text.slice(start, lineEnd(text, start)).trimEnd();
      if (!message.startsWith('Nested') || !/\S:(?:\s|$)/.test(value)) return 'unknown';
      report('yaml/unquoted-colon', locate(start, start + value.length), { value });
      return 'fatal';
    }
    case 'UNEXPECTED_TOKEN': {
      const indicator = message.startsWith('Block scalar header')
        ? start - 1
        : message.endsWith('same line with key')
          ? start
          : -1;
      if (indicator === -1 || text.slice(lineStart(text, indicator), indicator).trim() === '') return 'unknown';
      reportUnquotedStart(indicator, reading);
      return 'fatal';
    }
    default:
      return 'unknown';
  }
}

/** Returns the text in double quotes around an offset, up to the end of the line. */
function quotedAround(text: string, offset: number): string {
  const start = Math.max(text.lastIndexOf('"', offset) + 1, lineStart(text, offset));
  const end = lineEnd(text, offset);
  const quote = text.indexOf('"', offset);
  return text.slice(start, quote === -1 ? end : Math.min(quote, end));
}

function reportUnquotedStart(start: number, { text, locate, report }: Reading): void {
  const value = text.slice(start, lineEnd(text, start)).trimEnd();
  report('yaml/unquoted-start', locate(start, start + 1), { character: text.charAt(start), value });
}

/** Reports a character that only looks like YAML syntax, in the line of a problem or in the next line. */
function reportLookAlike({ pos: [start] }: YAMLError, { text, locate, report }: Reading): boolean {
  const from = lineStart(text, start);
  const lookAlike = lookAlikeIn(text.slice(from, lineEnd(text, nextLine(text, start))));
  if (lookAlike === undefined) return false;
  const at = from + lookAlike.at;
  report('yaml/look-alike', locate(at, at + 1), {
    character: characterName(lookAlike.character),
    meant: lookAlike.meant,
  });
  return true;
}

/** Reports hex colours in a flow list: `#` turns the rest of the line into a comment, with the closing bracket. */
function reportSwallowedColours(document: Document.Parsed, { pos }: YAMLError, reading: Reading): boolean {
  const { text, locate, report } = reading;
  const from = openedAt(document, pos[0], isCollection) ?? lineStart(text, pos[0]);
  const blank = (piece: string): string => ' '.repeat(piece.length);
  // After a comment or the closing bracket, any `#` is part of a comment.
  const values = text
    .slice(from, lineEnd(text, pos[0]))
    .replaceAll(/"[^"\n]*"|'[^'\n]*'/g, blank)
    .replaceAll(/(?:\]|\s#(?![0-9a-f]{3,8}\b)).*/gi, blank);
  const colours = [...values.matchAll(/(?<=[[,{\s])#[0-9a-f]{3,8}\b/gi)];
  for (const { 0: colour, index } of colours) {
    const at = from + index;
    report('yaml/unquoted-colour', locate(at, at + colour.length), { colour });
  }
  return colours.length > 0;
}

/** Reports any other syntax error. */
function reportSyntax(document: Document.Parsed, problem: YAMLError, { text, locate, report }: Reading): void {
  const { code, message, pos } = problem;
  const [start] = pos;
  const line = (at: number): Location => {
    const source = text.slice(lineStart(text, at), lineEnd(text, at));
    const from = lineStart(text, at) + source.length - source.trimStart().length;
    return locate(from, lineStart(text, at) + source.trimEnd().length);
  };
  if (/closing ["']?quote|end with a/.test(message)) {
    const isOpened = /quote/.test(message) ? isScalar : isCollection;
    const opening = openedAt(document, start, isOpened);
    if (opening !== undefined) {
      report('yaml/unclosed', locate(opening, opening + 1), { character: text.charAt(opening) });
      return;
    }
  }
  if (message.endsWith('at node end') && /["'\]}]\s*$/.test(text.slice(0, start))) {
    report('yaml/after-quotes', locate(start, lineEnd(text, start)), {});
    return;
  }
  if (code === 'MULTILINE_IMPLICIT_KEY' || code === 'BLOCK_AS_IMPLICIT_KEY' || /need to be followed/.test(message)) {
    const startsLine = text.slice(lineStart(text, start), start).trim() === '';
    if (!startsLine) report('yaml/indentation', line(nextLine(text, start)), {});
    else if (/^\s*(?:-(?:\s|$)|[[\]{}])/.test(text.slice(start))) report('yaml/indentation', line(start), {});
    else report('yaml/colon', line(start), { source: text.slice(start, lineEnd(text, start)).trim() });
    return;
  }
  if (code === 'BAD_INDENT' || /\n[[{]/.test(text.slice(lineStart(text, start) - 1, start + 1))) {
    report('yaml/indentation', line(start), {});
    return;
  }
  const place = locate(start, Math.max(start, Math.min(pos[1], lineEnd(text, start))));
  report('yaml/syntax', place, { reason: reasonOf(problem, text) });
}

function reasonOf({ code, message, pos }: YAMLError, text: string): string {
  const token = text.slice(...pos).split('\n')[0] ?? '';
  if (code === 'UNEXPECTED_TOKEN' && token.trim() !== '') return `\`${token}\` is not expected here`;
  if (code === 'NON_STRING_KEY') return 'a list or a group cannot be the name of a field';
  const [first = ''] = message.split('\n');
  const plain = first.replaceAll('flow sequence', 'list').replaceAll('flow map', 'group');
  return plain.charAt(0).toLowerCase() + plain.slice(1).replace(/[.:]$/, '');
}

/** Returns the start of the innermost list, group or quoted text around an offset. */
function openedAt(document: Document.Parsed, offset: number, isKind: (node: unknown) => boolean): number | undefined {
  let opened: number | undefined;
  visit(document, {
    Node: (_, node: Node) => {
      const [start, end] = node.range ?? [0, 0];
      const isOpen = isCollection(node)
        ? node.flow === true
        : isScalar(node) && node.type?.startsWith('QUOTE') === true;
      if (isOpen && isKind(node) && start < offset && offset <= end + 1) opened = Math.max(opened ?? 0, start);
    },
  });
  return opened;
}

export function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

function lineStart(text: string, from: number): number {
  return from === 0 ? 0 : text.lastIndexOf('\n', from - 1) + 1;
}

/** Returns the start of the next non-blank line. */
function nextLine(text: string, from: number): number {
  const end = lineEnd(text, from);
  const blank = /^\s*/.exec(text.slice(end))?.[0].length ?? 0;
  return Math.min(end + blank, text.length);
}
