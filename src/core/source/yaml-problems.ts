import { type Document, isCollection, isScalar, type Node, visit, type YAMLError } from 'yaml';
import { characterName, lookAlikeIn } from '../diagnostics/characters.ts';
import type { Location, Report } from '../diagnostics/diagnostic.ts';

/** A text to parse, and the functions that locate and report its problems. */
export interface Reading {
  text: string;
  locate: (start: number, end: number) => Location;
  report: Report;
}

/** Maximum number of problems of a text that are examined, each of which may take the time of a line. */
const MAX_PROBLEMS = 1000;

/**
 * Reports the first problem of the YAML parser in words for readers who do not know YAML: one with only one possible cause if there is any, since
 * other syntax errors are mostly consequences.
 * @returns whether the document can still be used
 */
export function reportProblems(document: Document.Parsed, reading: Reading): boolean {
  const problems = [...document.errors, ...document.warnings].filter(({ code }) => code !== 'TAG_RESOLVE_FAILED');
  const [first] = problems;
  if (first === undefined) return true;
  if (
    !problems.slice(0, MAX_PROBLEMS).some((problem) => reportTrap(problem, reading)) &&
    !reportLookAlike(first, reading) &&
    !reportSwallowedColours(document, first, reading)
  ) {
    reportSyntax(document, first, reading);
  }
  return false;
}

/** Reports a problem with only one possible cause. @returns whether it is one */
function reportTrap({ code, message, pos }: YAMLError, reading: Reading): boolean {
  const { text, locate, report } = reading;
  const [start, end] = pos;
  switch (code) {
    case 'TAB_AS_INDENT':
      report('yaml/tab', locate(start, end), {});
      return true;
    case 'MULTIPLE_DOCS':
      report('yaml/multiple-documents', locate(start, Math.min(start + 3, lineEnd(text, start))), {});
      return true;
    case 'BAD_DIRECTIVE':
      report('yaml/unsupported', locate(start, lineEnd(text, start)), {});
      return true;
    case 'BAD_SCALAR_START':
      reportUnquotedStart(start, reading);
      return true;
    case 'BAD_DQ_ESCAPE':
      report('yaml/escape', locate(start, Math.min(start + 2, text.length)), {
        escape: text.slice(start, start + 2),
        text: quotedAround(text, start),
      });
      return true;
    case 'BLOCK_AS_IMPLICIT_KEY': {
      const value = text.slice(start, lineEnd(text, start)).trimEnd();
      if (!message.startsWith('Nested') || !/\S:(?:\s|$)/.test(value)) return false;
      report('yaml/unquoted-colon', locate(start, start + value.length), { value });
      return true;
    }
    case 'UNEXPECTED_TOKEN': {
      const indicator = message.startsWith('Block scalar header')
        ? start - 1
        : message.endsWith('same line with key')
          ? start
          : -1;
      if (indicator === -1 || text.slice(lineStart(text, indicator), indicator).trim() === '') return false;
      reportUnquotedStart(indicator, reading);
      return true;
    }
    default:
      return false;
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
  if (code === 'NON_STRING_KEY') return 'the name of a field must be plain text';
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
