import { printable, visible } from '../../core/diagnostics/quote.ts';
import { type DiffReport, headline, isEmpty, joinParts, sectionsOf, usersAndNotes } from './report.ts';

/** Formats the report for a terminal: the headline, breaking changes, then all other changes. */
export function formatText(report: DiffReport): string {
  const sides = `${visible(report.base)} → ${visible(report.head)}`;
  if (isEmpty(report)) return `No theme changes   ${sides}\n`;
  const sections = sectionsOf(report).map(({ code, title, about, rows }) => {
    const width = Math.min(24, Math.max(0, ...rows.map((row) => row.code.length)));
    const lines = rows.map(({ code: what, values, text }) => {
      const changes = values?.map(printable).join(' → ');
      return `  ${printable(what).padEnd(width)}  ${joinParts([changes, text])}\n`;
    });
    return `${joinParts([code, joinParts([printable(title), about], ': ')], '  ')}\n${lines.join('')}`;
  });
  return [`${headline(report)}   ${sides}\n`, ...sections, ...usersAndNotes(report).map((text) => `${text}\n`)].join(
    '\n',
  );
}
