import { printable } from '../diagnostics/quote.ts';
import type { GitHost } from '../document/preview/git-host.ts';
import { type DiffReport, headline, isEmpty, joined, type Row, sectionsOf, usersAndNotes } from './report.ts';
import type { ImagePlace } from '../changes/site-state.ts';

/** Where a host shows the files of both commits. */
export interface FileLinks {
  host: GitHost;
  /** The folder of the themes in the repository: empty, or with `/` at its end. */
  folder: string;
}

/** Bytes of a comment: GitHub takes 65,536 characters. */
const MAX_BYTES = 60_000;
/** Themes that are shown with their images. */
const MAX_SHOWN = 5;

/** The report as a comment or a summary: whole parts, the most important first, as many as fit. */
export function formatMarkdown(report: DiffReport, links: FileLinks | undefined): string {
  // The workflow that `init` writes looks for the comment by its first line, and for whether there is anything to say.
  const marker = `<!-- themecast diff: ${isEmpty(report) ? 'no changes' : 'changes'} -->\n`;
  if (isEmpty(report)) return `${marker}### No theme changes\n`;
  const sides = `${code(report.base.label)} → ${code(report.head.label)}`;
  const shown = new Set(report.themes.slice(0, MAX_SHOWN));
  const sections = sectionsOf(report).map(({ code: slug, title, about, rows, theme }) => {
    const heading =
      theme === undefined
        ? `**${prose(joined([title, about], ': '))}**`
        : `#### ${code(title)} (${code(slug)})${about === '' ? '' : `\n\n${prose(about)}`}`;
    const lines = rows.map((row) => line(row, theme && shown.has(theme) ? imageTags(row, report, links) : []));
    return `\n${heading}\n${lines.length === 0 ? '' : '\n'}${lines.join('')}`;
  });
  const last = usersAndNotes(report).map((text) => `\n${prose(text)}\n`);
  return cut([`${marker}### ${headline(report)}\n\n${sides}\n`, ...sections, ...last]);
}

/** As many parts as fit; a part is never cut. */
function cut(parts: readonly string[]): string {
  const end = '\n**The report is longer than a comment may be**: the rest is in the HTML file.\n';
  let text = '';
  for (const [at, part] of parts.entries()) {
    const left = MAX_BYTES - Buffer.byteLength(text + part) - (at === parts.length - 1 ? 0 : Buffer.byteLength(end));
    if (left < 0) return text + end;
    text += part;
  }
  return text;
}

/** @param images - before the values */
function line({ code: what, values, text }: Row, images: readonly string[]): string {
  const shown = values?.map((value, at) => `${images[at] ?? ''}${code(value)}`);
  return `- ${code(what)}: ${joined([shown?.join(' → '), prose(text)])}\n`;
}

/** The images of both sides, where the Git host shows them. */
function imageTags({ code: what, images }: Row, { base, head }: DiffReport, links: FileLinks | undefined): string[] {
  const urls = [imageUrl(what, images?.before, base.commit, links), imageUrl(what, images?.after, head.commit, links)];
  return urls.map((url) => (url === undefined ? '' : `<img src="${url}" width="240" alt=""> `));
}

/**
 * Where the Git host shows an image at a commit, for who may read the repository (github/markup#556: SVG takes `sanitize`). A variant
 * for dark backgrounds cannot be seen on those of a comment.
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

/** Authored text: as code, in which no host looks for names, numbers or links, and with everything but letters and digits as entities. */
function code(text: string): string {
  return `<code>${printable(text).replaceAll(/[!-$&'*+./:-@[-^`{-~]/g, (character) => `&#${character.charCodeAt(0)};`)}</code>`;
}

/** A message: what it has in backticks is authored; of the rest, what hosts make links of is code, too. */
function prose(text: string): string {
  return text
    .split(/`([^`]*)`/)
    .map((part, at) =>
      at % 2 === 1 ? code(part) : part.replaceAll(/[^\p{L}\p{N} .,:;'()→=✘✔⚠_-]/gu, (character) => code(character)),
    )
    .join('');
}
