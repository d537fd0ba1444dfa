import { compact } from '../../diagnostics/compact.ts';
import { count, firstOf, quote, visibleLines } from '../../diagnostics/quote.ts';
import type { ImportResult } from './import-themes.ts';
import type { FileOutcome } from './write.ts';
import { invocation, shellWord } from '../../io/invocation.ts';
import { slugOf } from '../../theme/slug.ts';
import { THEME_FILE } from '../../theme/themes-folder.ts';
import { cut, isAsBefore, isNeeded, problemLines } from './problems.ts';
import { repeatedFlags } from '../../command-line/site-root.ts';

interface ReportOptions {
  themes: string;
  quiet: boolean;
  'dry-run': boolean;
  /** What was done around the themes, in lines. */
  added: readonly string[];
  /** The URL or the file that was imported. */
  source: string;
}

/** What an import prints. @returns the text, and whether everything was taken over */
export function importReport(result: ImportResult, options: ReportOptions): { text: string; isComplete: boolean } {
  const { plan, isEmpty } = result;
  const problems = [...emptyLines(result), ...oldRecordLines(result), ...problemLines(result)];
  const gaps = themesWithGaps(result).filter((slug) => !isAsBefore(result, slug)).length;
  const isComplete = !isEmpty && plan.unusable.length + gaps === 0;
  const summary = options['dry-run']
    ? dryRunLines(result)
    : [...summaryLines(result, options.added), lastLine(result, options, { gaps, isComplete })];
  const lines = [
    ...(options.quiet ? [] : summary),
    ...(problems.length > 0 && !options.quiet ? ['', ...problems] : problems),
    ...(options.quiet ? [] : ['', ...nextLines(options, isComplete, result)]),
  ];
  return { text: lines.length === 0 ? '' : `${visibleLines(lines.join('\n'))}\n`, isComplete };
}

function numberOf({ files }: ImportResult, outcome: FileOutcome): number {
  return [...files.values()].filter((became) => became === outcome).length;
}

function dryRunLines({ plan, pages, images }: ImportResult): string[] {
  return [
    `list      ${count(plan.themes.length, 'theme')}, ${count(pages, 'page')}`,
    ...cut(plan.themes.map(({ id, slug, name }) => `theme     ${id} ${quote(name ?? '')} → themes/${slug}/`)),
    `images    ${images.all}, not fetched`,
  ];
}

function summaryLines(result: ImportResult, added: readonly string[]): string[] {
  const { plan, pages, images, refused, redirects } = result;
  const number = (outcome: FileOutcome): number => numberOf(result, outcome);
  const failed = refused.filter(({ problem }) => typeof problem === 'string').length;
  const counts = compact([
    `${images.fetched} fetched`,
    `${images.unchanged} unchanged`,
    images.retries > 0 && `${count(images.retries, 'request')} sent again`,
    failed > 0 && `${failed} not fetched`,
  ]);
  const theDefault = plan.themes.find(({ isDefault }) => isDefault);
  const all = plan.themes.length + plan.unusable.length;
  const removed = number('removed') === 0 ? '' : `, ${number('removed')} removed`;
  return [
    `list      ${count(all, 'theme')}, ${count(pages, 'page')}${theDefault === undefined ? '' : `; the default is ${quote(theDefault.name ?? '')} (id ${theDefault.id})`}`,
    `images    ${images.all}: ${counts.join(', ')}`,
    `files     ${number('written')} written, ${number('updated')} updated, ${number('unchanged')} unchanged${removed}`,
    ...updatedLines(result),
    ...cut(folderLines(result)),
    ...added,
    ...redirectLines(redirects),
    ...cut(goneLines(result)),
    ...gapLines(result),
  ];
}

function goneLines({ gone, isRemoved }: ImportResult): string[] {
  return gone.map(({ slug, id }) =>
    isRemoved
      ? `removed   themes/${slug}/ (${id}): it is not at the service any more`
      : `only here themes/${slug}/ (${id}): if it was deleted at the service, delete the folder too; users who have it get the default`,
  );
}

/** Themes in which something is missing as it was before the import: someone knows of them. */
function gapLines(result: ImportResult): string[] {
  const known = themesWithGaps(result).filter((slug) => isAsBefore(result, slug));
  return known.length === 0 ? [] : [`as before ${count(known.length, 'theme')} with gaps: comments in theme.yaml`];
}

function themesWithGaps({ plan, refused }: ImportResult): string[] {
  const planned = plan.themes.filter((theme) => theme.refused.some(({ field }) => isNeeded(field)));
  return [...new Set([...refused, ...planned].map(({ slug }) => slug))];
}

/** Files that are named in one line. */
const MAX_NAMED = 10;

function updatedLines({ files }: ImportResult): string[] {
  const updated = [...files].flatMap(([file, outcome]) => (outcome === 'updated' ? [`themes/${file}`] : []));
  return updated.length === 0 ? [] : [`updated   ${firstOf(updated, MAX_NAMED)}`];
}

/** New folders that are not named after their themes. */
function folderLines({ plan, files }: ImportResult): string[] {
  return plan.themes.flatMap(({ id, slug, name = '' }) =>
    files.get(`${slug}/${THEME_FILE}`) === 'written' && slug !== slugOf(name)
      ? [`folder    themes/${slug}/ is theme ${id}, ${quote(name)}`]
      : [],
  );
}

function lastLine(
  result: ImportResult,
  { added }: ReportOptions,
  { gaps, isComplete }: { gaps: number; isComplete: boolean },
): string {
  const { plan, isRemoved, gone } = result;
  const changed = numberOf(result, 'written') + numberOf(result, 'updated') + numberOf(result, 'removed');
  const removed = isRemoved ? gone.length : 0;
  if (isComplete && changed + added.length + removed === 0) return '✔ nothing has changed';
  return compact([
    `${isComplete ? '✔' : '✘'} ${count(plan.themes.length - gaps, 'theme')} imported`,
    gaps > 0 && `${gaps} incomplete`,
    plan.unusable.length > 0 && `${plan.unusable.length} unusable`,
  ]).join(', ');
}

function redirectLines({ written, refused }: ImportResult['redirects']): string[] {
  if (written + refused === 0) return [];
  const left = refused === 0 ? '' : `; ${count(refused, 'other')} cannot be redirected`;
  return [`moved     themes/redirects.csv: ${count(written, 'old path')} of images, which hosts redirect${left}`];
}

function emptyLines({ isEmpty }: ImportResult): string[] {
  return isEmpty
    ? ['✘ The list is empty, so nothing was written. Check the URL, and that the credentials show all themes.']
    : [];
}

function oldRecordLines({ hasOldRecord }: ImportResult): string[] {
  return hasOldRecord ? ['! .themecast-import/ is of an earlier version and is not read any more: delete it.'] : [];
}

function nextLines(
  { themes, source, ...options }: ReportOptions,
  isComplete: boolean,
  { plan }: ImportResult,
): string[] {
  if (plan.themes.length === 0 && isComplete) return ['The list is empty.'];
  if (options['dry-run']) return ['Nothing was written. Run it without --dry-run.'];
  if (!isComplete) return ['Commit this. Then correct what is listed above here; or at the service, and import again.'];
  const flags = repeatedFlags({ themes });
  const compare = /^https?:/i.test(source)
    ? [`  ${invocation('compare', [shellWord(source)])}   # shows what differs`]
    : [];
  return [
    'Next:',
    `  ${invocation('dev', flags)}     # the themes in the browser`,
    `  ${invocation('build', flags)}   # publishes them`,
    ...compare,
  ];
}
