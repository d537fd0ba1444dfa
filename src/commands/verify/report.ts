import { type Paint, painter } from '../../core/diagnostics/paint.ts';
import { visible } from '../../core/diagnostics/quote.ts';

/** The text report of a verification, or of a comparison with an older service: sections, notes, the count, and the next step. */
export interface Report {
  head?: string | undefined;
  sections: readonly Section[];
  notes: readonly string[];
  /** Whether there is nothing to do. */
  isFine: boolean;
  count: string;
  next?: readonly string[];
}

/** Entries of one area. */
export interface Section {
  name: string;
  isFine: boolean;
  /** A summary of its faults, printed even with --quiet. */
  faults: string;
  /** A summary of the passed checks. */
  summary: string;
  entries: readonly Entry[];
}

/** A fault, failed or tolerated. */
export interface Entry {
  isTolerated: boolean;
  /** Whether it is printed with --quiet although it is tolerated. */
  isLoud?: boolean;
  text: string;
  /** A permanent name, printed after the text. */
  id?: string;
  details?: readonly (readonly [name: string, text: string | undefined])[];
  hint?: string | undefined;
}

export interface Style {
  colour: boolean;
  quiet: boolean;
}

const NAME_WIDTH = 13;
const DETAIL_WIDTH = 10;

/** Formats a report, with everything from servers escaped. */
export function formatReport(report: Report, { colour, quiet }: Style): string {
  const paint = painter(colour);
  const { head, sections, notes, isFine, count, next = [] } = report;
  const lines = [
    ...(head === undefined || quiet ? [] : [visible(head)]),
    ...sections.flatMap((section) => sectionLines(section, quiet, paint)),
    ...(quiet ? [] : notes.map((note) => `! ${visible(note)}`)),
    ...(quiet && isFine ? [] : ['', isFine ? paint('green', `✔ ${count}`) : paint('red', `✘ ${count}`)]),
    ...next,
  ];
  return lines.length === 0 ? '' : `${lines.join('\n').trimStart()}\n`;
}

function sectionLines({ name, isFine, faults, summary, entries }: Section, quiet: boolean, paint: Paint): string[] {
  const sign = isFine ? paint('green', '✔') : paint('red', '✘');
  const text = quiet ? faults : [faults, summary].filter((part) => part !== '').join('; ');
  const audible = entries.filter(({ isTolerated, isLoud = false }) => !quiet || !isTolerated || isLoud);
  return [
    ...(quiet && isFine ? [] : [`${sign} ${name.padEnd(NAME_WIDTH)}${visible(text)}`.trimEnd()]),
    ...audible.flatMap((entry) => entryLines(entry, paint)),
  ];
}

function entryLines({ isTolerated, text, id, details = [], hint }: Entry, paint: Paint): string[] {
  const sign = isTolerated ? paint('yellow', '!') : paint('red', '✘');
  return [
    `  ${sign} ${visible(text)}${id === undefined ? '' : `  ${paint('dim', `[${id}]`)}`}`,
    ...details.flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [`      ${paint('dim', name.padEnd(DETAIL_WIDTH))}${visible(value)}`],
    ),
    ...(hint === undefined ? [] : [`      = ${visible(hint)}`]),
  ];
}
