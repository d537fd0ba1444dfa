import { compact } from '../../diagnostics/compact.ts';
import { count, quote, visibleLines } from '../../diagnostics/quote.ts';
import type { ImportResult } from './import-themes.ts';
import type { FileOutcome } from './write.ts';
import { invocation, shellWord } from '../../command-line/invocation.ts';
import { cut, isAsBefore, isNeeded, problemLines } from './problems.ts';
import { repeatedFlags } from '../../command-line/site-root.ts';

interface ReportOptions {
  themes: string;
  quiet: boolean;
  /** What was done around the themes, in lines. */
  added: readonly string[];
  /** The URL that was imported. */
  source: string;
}

/** What an import prints. @returns the text, and whether everything was taken over */
export function importReport(result: ImportResult, options: ReportOptions): { text: string; isComplete: boolean } {
  const { plan } = result;
  const problems = problemLines(result);
  const withGaps = themesWithGaps(result);
  const gaps = withGaps.filter((slug) => !isAsBefore(result, slug)).length;
  const known = withGaps.length - gaps;
  const isComplete = plan.unusable.length + gaps === 0;
  const summary = [
    ...summaryLines(result, options.added),
    ...(known > 0 ? [`as before ${count(known, 'theme')} with gaps: comments in theme.yaml`] : []),
    lastLine(result, options, gaps, isComplete),
  ];
  const lines = options.quiet
    ? problems
    : [...summary, ...(problems.length > 0 ? ['', ...problems] : []), '', ...nextLines(options, isComplete)];
  return { text: lines.length === 0 ? '' : `${visibleLines(lines.join('\n'))}\n`, isComplete };
}

function numberOf({ files }: ImportResult, outcome: FileOutcome): number {
  return [...files.values()].filter((became) => became === outcome).length;
}

function summaryLines(result: ImportResult, added: readonly string[]): string[] {
  const { plan, pages, images, redirects } = result;
  const theDefault = plan.themes.find(({ isDefault }) => isDefault);
  const all = count(plan.themes.length + plan.unusable.length, 'theme');
  const outcomes = (['written', 'updated', 'unchanged', 'removed'] as const).map(
    (outcome) => `${numberOf(result, outcome)} ${outcome}`,
  );
  const left = redirects.refused === 0 ? '' : `; ${count(redirects.refused, 'other')} cannot be redirected`;
  return compact([
    `list      ${all}, ${count(pages, 'page')}${theDefault === undefined ? '' : `; the default is ${quote(theDefault.name ?? '')} (id ${theDefault.id})`}`,
    `images    ${images.all}: ${images.fetched} fetched, ${images.unchanged} unchanged, ${images.failed} not fetched`,
    `files     ${outcomes.join(', ')}`,
    ...added,
    redirects.written > 0 &&
      `moved     themes/redirects.csv: ${count(redirects.written, 'old path')} of images, which hosts redirect${left}`,
    ...cut(goneLines(result)),
  ]);
}

function goneLines({ gone, isRemoved }: ImportResult): string[] {
  return gone.map(({ slug, id }) =>
    isRemoved
      ? `removed   themes/${slug}/ (${id}): it is not at the service any more`
      : `only here themes/${slug}/ (${id}): if it was deleted at the service, delete the folder too; users who have it get the default`,
  );
}

function themesWithGaps({ plan, refused }: ImportResult): string[] {
  const planned = plan.themes.filter((theme) => theme.refused.some(({ field }) => isNeeded(field)));
  return [...new Set([...refused, ...planned].map(({ slug }) => slug))];
}

function lastLine(result: ImportResult, { added }: ReportOptions, gaps: number, isComplete: boolean): string {
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

function nextLines({ themes, source }: ReportOptions, isComplete: boolean): string[] {
  if (!isComplete) return ['Commit this. Then correct what is listed above here; or at the service, and import again.'];
  const flags = repeatedFlags({ themes });
  return [
    'Next:',
    `  ${invocation('dev', flags)}     # the themes in the browser`,
    `  ${invocation('build', flags)}   # publishes them`,
    `  ${invocation('compare', [shellWord(source)])}   # shows what differs`,
  ];
}
