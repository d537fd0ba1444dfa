import { place } from '../diagnostics/diagnostic.ts';
import { count, printable } from '../diagnostics/quote.ts';
import type { GitHost } from '../preview/git-host.ts';
import type { Change, ThemeChange } from '../changes/differences.ts';
import { audienceLine, changeText, kindLine, slugOf, usersText, verdict } from './format-text.ts';
import { type DiffReport, hasChanges, headline } from './report.ts';
import type { ImagePlace } from '../changes/site-state.ts';

/** Where a host shows the files of both commits. */
export interface FileLinks {
  host: GitHost;
  /** The folder of the themes in the repository, with `/`. */
  folder: string;
}

/** Bytes of a comment: GitHub takes 65,536 characters. */
const MAX_BYTES = 60_000;
/** Themes that are shown with their images; the others have a line each. */
const MAX_SHOWN = 5;

/** What the comment of a pull request is found by, and whether there is anything to say. */
const marker = (changes: boolean): string => `<!-- themecast diff: ${changes ? 'changes' : 'no changes'} -->`;

/** The report as a comment or a summary: whole parts, the most important first, as many as fit. */
export function formatMarkdown(report: DiffReport, links: FileLinks | undefined): string {
  const { base, head, breaking, isAccepted, themes, site, warnings, notes } = report;
  if (!hasChanges(report) && breaking.length === 0 && warnings.length === 0)
    return `${marker(false)}\n### No theme changes\n`;
  const sides = `${code(base.label)} → ${code(head.label)}`;
  const parts = [
    `${marker(true)}\n### ${headline(report)}\n\n${sides}\n`,
    ...(breaking.length === 0
      ? []
      : [
          `\n**${prose(verdict(breaking.length, isAccepted))}**\n\n`,
          ...breaking.map(({ what, reason, remedy }) => `- ${code(what)}: ${prose(reason)} ${prose(remedy)}\n`),
        ]),
    ...(warnings.length === 0
      ? []
      : [
          '\n**New warnings**\n\n',
          ...warnings.map((warning) => `- ${code(place(warning.location))}: ${prose(warning.message)}\n`),
        ]),
    ...themes.slice(0, MAX_SHOWN).map((theme) => themeTable(theme, report, links)),
    ...(themes.length <= MAX_SHOWN ? [] : [`\n**More themes that change**\n\n`]),
    ...themes.slice(MAX_SHOWN).map((theme) => `- ${themeLine(theme)}\n`),
    ...(site.length === 0 ? [] : ['\n**Settings of the site**\n\n']),
    ...site.map(({ what, before, after }) => `- ${code(what)}: ${code(before)} → ${code(after)}\n`),
    `\n${prose(usersText(report))}\n`,
    ...notes.map((note) => `\n${prose(note)}\n`),
  ];
  return cut(parts);
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

function themeTable(theme: ThemeChange, { base, head }: DiffReport, links: FileLinks | undefined): string {
  const { changes } = theme;
  const name = (theme.after ?? theme.before)?.name ?? '';
  const about = [...kindLine(theme).map(prose), ...[audienceLine(theme)].flatMap((line) => line ?? [])].join(' · ');
  const title = `\n#### ${code(name)} (${code(slugOf(theme))})\n${about === '' ? '' : `\n${about}\n`}`;
  if (changes.length === 0) return title;
  const image = (change: Change, side: 'before' | 'after'): string => {
    const commit = (side === 'before' ? base : head).commit;
    const url = commit === undefined ? undefined : imageUrl(change, change.images?.[side], commit, links);
    return url === undefined ? '' : `<img src="${url}" width="240" alt=""><br>`;
  };
  const rows = changes.map((change) => {
    const { what, before, after, remark, heirs, notices } = change;
    const more =
      heirs.length === 0 ? [] : [`also in ${count(heirs.length, 'theme that extends it', 'themes that extend it')}`];
    const remarks = [...(remark === undefined ? [] : [remark]), ...more, ...notices].map(prose).join('<br>');
    return `| ${code(what)} | ${image(change, 'before')}${code(before)} | ${image(change, 'after')}${code(after)} | ${remarks} |\n`;
  });
  return `${title}\n| | before | after | |\n| --- | --- | --- | --- |\n${rows.join('')}`;
}

function themeLine(theme: ThemeChange): string {
  const changes = theme.changes.map((change) => `${code(change.what)} ${prose(changeText(change))}`);
  return `${code(slugOf(theme))}: ${[...kindLine(theme).map(prose), ...changes.slice(0, 3)].join('; ')}${changes.length > 3 ? ', …' : ''}`;
}

/**
 * Where the Git host shows an image at a commit, for who may read the repository (github/markup#556: SVG takes `sanitize`). A variant
 * for dark backgrounds cannot be seen on those of a comment.
 */
function imageUrl(
  { what }: Change,
  image: ImagePlace | undefined,
  commit: string,
  links: FileLinks | undefined,
): string | undefined {
  if (links === undefined || image === undefined || 'url' in image || what.includes('inverse')) return undefined;
  const { host, folder } = links;
  const file = [host.repository, 'PLACE', commit, ...(folder === '' ? [] : [folder]), image.file]
    .flatMap((part) => part.split('/'))
    .map((part) => encodeURIComponent(part).replaceAll(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16)}`))
    .join('/');
  return host.name === 'GitHub'
    ? `https://${host.host}/${file.replace('PLACE', 'blob')}?raw=true${/\.svg$/i.test(image.file) ? '&amp;sanitize=true' : ''}`
    : `https://${host.host}/${file.replace('PLACE', '-/raw')}`;
}

/** Authored text: as code, in which no host looks for names, numbers or links, and with everything but letters and digits as entities. */
function code(text: string): string {
  return `<code>${entities(printable(text))}</code>`;
}

function entities(text: string): string {
  return text.replaceAll(/[!-$&'*+./:-@[-^`{-~]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A message: what it has in backticks is authored; of the rest, what hosts make links of is code, too. */
function prose(text: string): string {
  return text
    .split(/`([^`]*)`/)
    .map((part, at) =>
      at % 2 === 1 ? code(part) : part.replaceAll(/[^\p{L}\p{N} .,:;'()→=✘✔_-]/gu, (character) => code(character)),
    )
    .join('');
}
