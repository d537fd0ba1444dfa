import { formatText } from '../diagnostics/format-text.ts';
import { count, quote, visibleLines } from '../diagnostics/quote.ts';
import type { ImportResult } from '../import-themes.ts';
import type { RefusedImage } from '../io/import/check-images.ts';
import type { FileOutcome } from '../io/import/write.ts';
import { invocation } from '../io/invocation.ts';
import { rowOf } from '../theme/fields.ts';
import { repeatedFlags } from './site-root.ts';
import { showsColours } from './themes.ts';

interface ReportOptions {
  themes: string;
  quiet: boolean;
  'dry-run': boolean;
  /** What was done around the themes, in lines. */
  values: readonly string[];
}

/** What an import prints. @returns the text, and whether everything was taken over */
export function importReport(result: ImportResult, options: ReportOptions): { text: string; isComplete: boolean } {
  const { plan, refused } = result;
  const problems = [...unusableLines(result), ...refusedLines(result), ...keptLines(result)];
  const gaps = new Set(plan.themes.filter((theme) => isIncomplete(theme.slug, result)).map(({ slug }) => slug));
  const isComplete = plan.unusable.length === 0 && refused.length === 0 && gaps.size === 0;
  const summary = options['dry-run'] ? dryRunLines(result) : summaryLines(result, gaps, options.values);
  const lines = [
    ...(options.quiet ? [] : summary),
    ...(problems.length > 0 && !options.quiet ? ['', ...problems] : problems),
    ...(options.quiet ? [] : ['', ...nextLines(options, isComplete, result)]),
  ];
  return { text: lines.length === 0 ? '' : `${visibleLines(lines.join('\n'))}\n`, isComplete };
}

function isIncomplete(slug: string, { plan, refused }: ImportResult): boolean {
  const theme = plan.themes.find((one) => one.slug === slug);
  return refused.some((one) => one.slug === slug) || theme?.refused.some(({ field }) => isNeeded(field)) === true;
}

/** A field that the interface does not have is no gap. */
const isNeeded = (field: string): boolean => rowOf(field) !== undefined;

function dryRunLines({ plan, pages, images }: ImportResult): string[] {
  return [
    `list      ${count(plan.themes.length, 'theme')}, ${count(pages, 'page')}`,
    ...plan.themes.map(({ id, slug, name }) => `theme     ${id} ${quote(name ?? '')} → themes/${slug}/`),
    `images    ${images.all}, not fetched`,
  ];
}

function summaryLines(
  { plan, pages, images, files, refused, gone, converted, redirects }: ImportResult,
  gaps: ReadonlySet<string>,
  values: readonly string[],
): string[] {
  const number = (outcome: FileOutcome): number => [...files.values()].filter((one) => one === outcome).length;
  const failed = refused.filter(({ file }) => file === undefined).length;
  const parts = [`${images.fetched} fetched`, `${images.unchanged} unchanged`];
  if (images.retries > 0) parts.push(`${count(images.retries, 'request')} sent again`);
  const theDefault = plan.themes.find(({ isDefault }) => isDefault);
  const whole = plan.themes.length - gaps.size;
  const left = number('edited') + number('yours') + number('deleted');
  return [
    `list      ${count(plan.themes.length + plan.unusable.length, 'theme')}, ${count(pages, 'page')}${theDefault === undefined ? '' : `; the default is ${quote(theDefault.name ?? '')} (id ${theDefault.id})`}`,
    `images    ${images.all}: ${parts.join(', ')}${failed === 0 ? '' : `, ${failed} not fetched`}`,
    `files     ${number('written')} written, ${number('updated')} updated, ${number('unchanged')} unchanged, ${left} left as they are here`,
    ...values,
    ...redirectLines(redirects),
    ...converted.map(
      ({ file, what, before, after }) =>
        `repaired  themes/${file}: ${what} (${before.slice(0, 12)} → ${after.slice(0, 12)})`,
    ),
    ...(gone.length === 0 ? [] : [`gone      ${gone.join(', ')}: not in the list any more; left as they are here`]),
    `✔ ${count(whole, 'theme')} imported${gaps.size === 0 ? '' : `, ${gaps.size} incomplete`}${plan.unusable.length === 0 ? '' : `, ${plan.unusable.length} unusable`}`,
  ];
}

function redirectLines({ written, refused }: ImportResult['redirects']): string[] {
  if (written + refused === 0) return [];
  const left = refused === 0 ? '' : `; ${count(refused, 'other')} cannot be redirected`;
  return [`moved     themes/redirects.csv: ${count(written, 'old path')} of images, which hosts redirect${left}`];
}

function unusableLines({ plan }: ImportResult): string[] {
  return [
    ...plan.unusable.map(({ at, reason }) => `✘ Theme ${at} of the list cannot be imported. ${reason}`),
    ...plan.themes.flatMap(({ slug, refused }) =>
      refused.map(
        ({ field, reason }) =>
          `${isNeeded(field) ? '✘' : '!'} themes/${slug}/theme.yaml: ${quote(field)} was left out. ${reason}`,
      ),
    ),
  ];
}

function refusedLines({ refused }: ImportResult): string[] {
  return refused.flatMap((image) => {
    const head = `✘ themes/${image.slug}/theme.yaml: ${quote(image.field)} was left out.`;
    if (typeof image.problem === 'string') return [`${head} ${image.problem} (${image.url})`];
    return [`${head} ${actionFor(image)}`, formatText(image.problem, () => undefined, showsColours()).trimEnd()];
  });
}

function actionFor({ file, repair }: RefusedImage): string {
  const place = `The image is ${file}; correct it and put it into the theme.`;
  return repair === undefined ? place : `${place} Or run again with \`--convert\`: it will be ${repair}.`;
}

function keptLines({ files }: ImportResult): string[] {
  const reasons: Partial<Record<FileOutcome, string>> = {
    edited: 'was edited here, and has changed at the service: it stays as it is here',
    yours: 'was here before, with other content: it stays as it is',
    deleted: 'was deleted here, and is not written again',
  };
  return [...files].flatMap(([file, outcome]) => {
    const reason = reasons[outcome];
    return reason === undefined ? [] : [`! themes/${file} ${reason}`];
  });
}

function nextLines({ themes }: ReportOptions, isComplete: boolean, { plan }: ImportResult): string[] {
  if (plan.themes.length === 0) return ['The list is empty.'];
  const flags = repeatedFlags({ themes });
  return [
    ...(isComplete ? [] : ['The rest was imported. Correct what is listed above, or run the same command again.', '']),
    'Next:',
    `  ${invocation('dev', flags)}     # the themes in the browser`,
    `  ${invocation('build', flags)}   # publishes them; then \`compare\` shows that nothing differs`,
  ];
}
