import { compact } from '../../../core/diagnostics/compact.ts';
import { formatText } from '../../../core/diagnostics/format-text.ts';
import { count, quote, shownUrl, visibleLines } from '../../../core/diagnostics/quote.ts';
import { rowOf } from '../../../core/theme/fields/fields.ts';
import { showsColours } from '../../../system/command-line/colours.ts';
import type { RefusedImage } from './check-images.ts';
import type { ImportResult } from './import-themes.ts';
import type { FileOutcome } from './write.ts';
import { invocation, shellWord } from '../../../system/command-line/invocation.ts';
import { repeatedFlags } from '../../../system/command-line/site-root.ts';

/** Limits the messages of a kind: a service may have any number of themes. */
const MAX_MESSAGES = 100;
/** Limits the places in a message. */
const MAX_NAMED = 10;

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

/** Returns the first messages, and how many more there are. */
function truncate(messages: readonly string[], max = MAX_MESSAGES, indent = '  '): string[] {
  if (messages.length <= max) return [...messages];
  return [...messages.slice(0, max), `${indent}and ${count(messages.length - max, 'more', 'more')}`];
}

/** Whether a field is part of the interface; other fields are no gap. */
const isNeeded = (field: string): boolean => rowOf(field) !== undefined;

/** A field or theme of the list that was not imported. */
interface Problem {
  /** The theme in the list, from 1. */
  at: number;
  sign: '✘' | '!';
  place: string;
  /** A sentence. */
  reason: string;
  /** The errors of the image checks. */
  details?: string;
}

/** Lists the problems in the order of the list, each reason once. */
function problemLines(result: ImportResult): string[] {
  const reasons = new Map<string, Problem[]>();
  for (const problem of problemsOf(result)) {
    const { sign, reason, details } = problem;
    const key = JSON.stringify([sign, reason, details]);
    const problems = reasons.get(key) ?? [];
    problems.push(problem);
    reasons.set(key, problems);
  }
  return truncate([...reasons.values()].map((problems) => message(problems)));
}

function message(problems: readonly Problem[]): string {
  const [{ sign, reason, details }] = problems as [Problem];
  const places = problems.map(({ place }) => `    ${place}`);
  return compact([`${sign} Left out: ${reason}`, ...truncate(places, MAX_NAMED, '    '), details]).join('\n');
}

function problemsOf({ plan, refused }: ImportResult): Problem[] {
  const { themes } = plan;
  const places = new Map(themes.map(({ slug, at }) => [slug, at]));
  const records = plan.unusable.map(({ at, reason }): Problem => {
    return { at, sign: '✘', place: `theme ${at} of the list`, reason };
  });
  const fields = themes.flatMap(({ at, slug, refused: refusals }) =>
    refusals.map(({ field, reason }): Problem => {
      return { at, sign: isNeeded(field) ? '✘' : '!', place: placeOf(slug, field), reason };
    }),
  );
  const images = refused.flatMap((image) => {
    const at = places.get(image.slug);
    return at === undefined ? [] : [imageProblem(at, image)];
  });
  return [...records, ...fields, ...images].toSorted((a, b) => a.at - b.at);
}

const placeOf = (slug: string, field: string): string => `themes/${slug}/theme.yaml: ${quote(field)}`;

function imageProblem(at: number, { slug, field, url, problem }: RefusedImage): Problem {
  const place = `${placeOf(slug, field)} (${shownUrl(url)})`;
  if (typeof problem === 'string') return { at, sign: '✘', place, reason: problem };
  const reason = 'The checks reject it. Correct the image, and put it into the theme.';
  const details = formatText(problem, () => undefined, showsColours()).trimEnd();
  return { at, sign: '✘', place, reason, details };
}
