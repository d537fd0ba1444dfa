import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts';
import { count, printable } from '../../core/diagnostics/quote.ts';
import type { GitHost } from '../../core/document/preview/git-host.ts';
import { type DiffReport, headline, isEmpty, joinParts, type ReportLine, sectionsOf, usersAndNotes } from './report.ts';
import type { ImagePlace } from '../changes/site-state.ts';

/** The Git host that shows the files of both commits. */
export interface FileLinks {
  host: GitHost;
  /** The folder of the themes in the repository: empty, or with `/` at its end. */
  folder: string;
}

/** Limits a comment: GitHub accepts 65,536 characters. */
const MAX_BYTES = 60_000;
/** Limits the themes with images. */
const MAX_WITH_IMAGES = 5;

/** Formats the report as a comment or a summary: as many whole sections as fit, the most important first. */
export function formatMarkdown(report: DiffReport, links: FileLinks | undefined): string {
  // The workflow of `init` finds its comment by this first line, and posts none without changes.
  const marker = `<!-- themecast diff: ${isEmpty(report) ? 'no changes' : 'changes'} -->\n`;
  if (isEmpty(report)) return `${marker}### No theme changes\n`;
  const sides = `${code(report.base.label)} → ${code(report.head.label)}`;
  const withImages = new Set(report.themes.slice(0, MAX_WITH_IMAGES));
  const sections = sectionsOf(report).map(({ code: slug, title, about, rows, theme }) => {
    const heading =
      theme === undefined
        ? `**${prose(joinParts([title, about], ': '))}**`
        : `#### ${code(title)} (${code(slug)})${about === '' ? '' : `\n\n${prose(about)}`}`;
    const lines = rows.map((row) => line(row, theme && withImages.has(theme) ? imageTags(row, report, links) : []));
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

/** Formats a row. @param images - tags to put before the values */
function line({ code: what, values, text }: ReportLine, images: readonly string[]): string {
  const sides = values?.map((value, at) => `${images[at] ?? ''}${code(value)}`);
  return `- ${code(what)}: ${joinParts([sides?.join(' → '), prose(text)])}\n`;
}

/** Returns the image tags of both sides, if the Git host can show them. */
function imageTags(
  { code: what, images }: ReportLine,
  { base, head }: DiffReport,
  links: FileLinks | undefined,
): string[] {
  const urls = [imageUrl(what, images?.before, base.commit, links), imageUrl(what, images?.after, head.commit, links)];
  return urls.map((url) => (url === undefined ? '' : `<img src="${url}" width="240" alt=""> `));
}

/**
 * Returns the URL of an image at a commit on the Git host, for readers of the repository (github/markup#556: SVG needs `sanitize`).
 * A variant for dark backgrounds has none: it would be invisible in a comment.
 */
function imageUrl(
  what: string,
  image: ImagePlace | undefined,
  commit: string | undefined,
  links: FileLinks | undefined,
): string | undefined {
  if (commit === undefined || links === undefined || image === undefined || 'url' in image || what.includes('inverse'))
    return undefined;
  const { host, folder } = links;
  const encoded = (place: string): string => place.split('/').map(encodeURIComponent).join('/');
  const [tree, query] =
    host.name === 'GitHub'
      ? ['blob', `?raw=true${/\.svg$/i.test(image.file) ? '&amp;sanitize=true' : ''}`]
      : ['-/raw', ''];
  return `https://${host.host}/${encoded(host.repository)}/${tree}/${commit}/${encoded(folder + image.file)}${query}`;
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
