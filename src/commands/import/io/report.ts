import { compact } from '../../../core/diagnostics/compact.ts';
import { count, quote, visibleLines } from '../../../core/diagnostics/quote.ts';
import type { ImportResult } from './import-themes.ts';
import type { FileOutcome } from './write.ts';
import { invocation, shellWord } from '../../../system/command-line/invocation.ts';
import { truncate, isNeeded, problemLines } from './problems.ts';
import { repeatedFlags } from '../../../system/command-line/site-root.ts';

interface ReportOptions {
  themes: string;
  quiet: boolean;
  /** A line for each change beside the themes. */
  added: readonly string[];
  /** The URL that was imported. */
  source: string;
}

/** Formats the result of an import. @returns the text, and whether everything was imported */
export function importReport(result: ImportResult, options: ReportOptions): { text: string; isComplete: boolean } {
  const { plan } = result;
  const problems = problemLines(result);
  const withGaps = themesWithGaps(result);
  const gaps = withGaps.length;
  const isComplete = plan.unusable.length + gaps === 0;
  const summary = [...summaryLines(result, options.added), lastLine(result, options, gaps, isComplete)];
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
    `list      ${all}, ${count(pages, 'page')}${theDefault === undefined ? '; no default theme: write `is_default: true` in one' : `; the default is ${quote(theDefault.name ?? '')} (id ${theDefault.id})`}`,
    `images    ${images.all - images.failed} fetched, ${images.failed} not fetched`,
    `files     ${outcomes.join(', ')}`,
    ...added,
    redirects.written > 0 &&
      `moved     themes/redirects.csv: ${count(redirects.written, 'old path')} of images, which hosts redirect${left}`,
    ...truncate(missingLines(result)),
  ]);
}

function missingLines({ missing }: ImportResult): string[] {
  return missing.map(
    ({ slug, id }) =>
      `only here themes/${slug}/ (${id}): if the service has deleted it, delete the folder too; its users then get the default theme`,
  );
}

function themesWithGaps({ plan, refused }: ImportResult): string[] {
  const incomplete = plan.themes.filter((theme) => theme.refused.some(({ field }) => isNeeded(field)));
  return [...new Set([...refused, ...incomplete].map(({ slug }) => slug))];
}

function lastLine(result: ImportResult, { added }: ReportOptions, gaps: number, isComplete: boolean): string {
  const { plan } = result;
  const changed = numberOf(result, 'written') + numberOf(result, 'updated') + numberOf(result, 'removed');
  if (isComplete && changed + added.length === 0) return '✔ nothing has changed';
  return compact([
    `${isComplete ? '✔' : '✘'} ${count(plan.themes.length - gaps, 'theme')} imported`,
    gaps > 0 && `${gaps} incomplete`,
    plan.unusable.length > 0 && `${plan.unusable.length} unusable`,
  ]).join(', ');
}

function nextLines({ themes, source }: ReportOptions, isComplete: boolean): string[] {
  if (!isComplete)
    return ['Commit this. Then fix the problems above here, or fix them at the service and import again.'];
  const flags = repeatedFlags({ themes });
  return [
    'Next:',
    `  ${invocation('dev', flags)}     # shows the themes in the browser`,
    `  ${invocation('build', flags)}   # publishes them`,
    `  ${invocation('verify', ['--old', shellWord(source)])}   # shows the differences`,
  ];
}
