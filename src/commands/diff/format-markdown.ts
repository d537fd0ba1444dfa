import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts';
import { count, printable } from '../../core/diagnostics/quote.ts';
import { type DiffReport, headline, isEmpty, joinParts, type ReportLine, sectionsOf, usersAndNotes } from './report.ts';

/** Limits a comment: GitHub accepts 65,536 characters. */
const MAX_BYTES = 60_000;

/** Formats the report as a comment or a summary: as many whole sections as fit, the most important first. */
export function formatMarkdown(report: DiffReport): string {
  // The workflow of `init` finds its comment by this first line, and posts none without changes.
  const marker = `<!-- themecast diff: ${isEmpty(report) ? 'no changes' : 'changes'} -->\n`;
  if (isEmpty(report)) return `${marker}### No theme changes\n`;
  const sides = `${code(report.base)} → ${code(report.head)}`;
  const sections = sectionsOf(report).map(({ code: slug, title, about, rows, theme }) => {
    const heading =
      theme === undefined
        ? `**${prose(joinParts([title, about], ': '))}**`
        : `#### ${code(title)} (${code(slug)})${about === '' ? '' : `\n\n${prose(about)}`}`;
    const lines = rows.map(line);
    return `\n${heading}\n${lines.length === 0 ? '' : '\n'}${lines.join('')}`;
  });
  const last = usersAndNotes(report).map((text) => `\n${prose(text)}\n`);
  return truncate([`${marker}### ${headline(report)}\n\n${sides}\n`, ...sections, ...last]);
}

/** Limits the errors in a comment. */
const MAX_ERRORS = 20;

/** Formats the errors of themes that cannot be compared, as a comment or a summary. */
export function formatErrorsMarkdown(errors: readonly Diagnostic[]): string {
  const lines = errors.slice(0, MAX_ERRORS).map(({ location: { file, start }, message, hint = '' }) => {
    const place = start === undefined ? file : `${file}:${start.line}`;
    return `- ${code(place)}: ${prose(joinParts([message, hint], ' '))}\n`;
  });
  const more = errors.length - lines.length;
  const end = more > 0 ? `\n${count(more, 'more error')}: \`themecast check\` lists all.\n` : '';
  return `<!-- themecast diff: changes -->\n### The themes have ${count(errors.length, 'error')}\n\nNothing was compared. Fix them first:\n\n${lines.join('')}${end}`;
}

/** Joins as many whole parts as fit. */
function truncate(parts: readonly string[]): string {
  const end = '\n**The report is too long for a comment**: the HTML file has all of it.\n';
  let text = '';
  for (const [at, part] of parts.entries()) {
    const room = MAX_BYTES - Buffer.byteLength(text + part) - (at === parts.length - 1 ? 0 : Buffer.byteLength(end));
    if (room < 0) return text + end;
    text += part;
  }
  return text;
}

function line({ code: what, values, text }: ReportLine): string {
  return `- ${code(what)}: ${joinParts([values?.map(code).join(' → '), prose(text)])}\n`;
}

/** Formats authored text as code with entities, so that hosts find no mentions, issue numbers or links in it. */
function code(text: string): string {
  return `<code>${printable(text).replaceAll(/[!-$&'*+./:-@[-^`{-~]/g, (character) => `&#${character.charCodeAt(0)};`)}</code>`;
}

/** Formats a message. Authored text in backticks becomes code, and so do characters that hosts turn into links. */
function prose(text: string): string {
  return text
    .split(/`([^`]*)`/)
    .map((part, at) =>
      at % 2 === 1 ? code(part) : part.replaceAll(/[^\p{L}\p{N} .,:;'()→=✘✔⚠_-]/gu, (character) => code(character)),
    )
    .join('');
}
