import { compact } from '../../diagnostics/compact.ts';
import { formatText } from '../../diagnostics/format-text.ts';
import { count, quote, shownUrl } from '../../diagnostics/quote.ts';
import type { ImportResult } from './import-themes.ts';
import type { RefusedImage } from './check-images.ts';
import { rowOf } from '../../theme/fields.ts';
import { THEME_FILE } from '../../theme/themes-folder.ts';
import { showsColours } from '../../command-line/colours.ts';

/** Messages of one kind: a service may have any number of themes. */
const MAX_MESSAGES = 100;
/** Fewest problems of one cause that are one message, and how many of them it names. */
const MIN_MERGED = 3;
const MAX_NAMED = 10;

/** As many messages of one kind as a report has. */
export function cut(messages: readonly string[]): string[] {
  if (messages.length <= MAX_MESSAGES) return [...messages];
  return [...messages.slice(0, MAX_MESSAGES), `  and ${count(messages.length - MAX_MESSAGES, 'more', 'more')}`];
}

/** A field that the interface does not have is no gap. */
export const isNeeded = (field: string): boolean => rowOf(field) !== undefined;

/** Whether a theme is as it was before the import, with its gaps: nobody needs to hear of them again. */
export function isAsBefore({ files }: Pick<ImportResult, 'files'>, slug: string): boolean {
  return files.get(`${slug}/${THEME_FILE}`) === 'unchanged';
}

/** Something of the list that was not taken over. */
interface Problem {
  /** The theme in the list, from 1. */
  at: number;
  sign: '✘' | '!';
  what: 'theme' | 'value';
  place: string;
  /** A sentence. */
  reason: string;
  /** What the checks of an image report. */
  details?: string;
}

/** What was not taken over, in the order of the list; problems of one cause are one message. */
export function problemLines(result: ImportResult): string[] {
  const causes = new Map<string, Problem[]>();
  for (const problem of problemsOf(result)) {
    const { sign, what, place, reason, details } = problem;
    const cause = JSON.stringify([sign, what, reason, details === undefined ? '' : place]);
    const problems = causes.get(cause) ?? [];
    problems.push(problem);
    causes.set(cause, problems);
  }
  const messages = [...causes.values()].flatMap((problems) =>
    problems.length < MIN_MERGED ? problems.map((problem) => message(problem)) : [merged(problems)],
  );
  return cut(messages);
}

function message({ sign, what, place, reason, details }: Problem): string {
  const verb = what === 'theme' ? 'cannot be imported' : 'was left out';
  return `${sign} ${place} ${verb}. ${reason}${details === undefined ? '' : `\n${details}`}`;
}

function merged(problems: readonly Problem[]): string {
  const [{ sign, what, reason }] = problems as [Problem];
  const themes = new Set(problems.map(({ at }) => at)).size;
  const all =
    what === 'theme'
      ? `${count(themes, 'theme')} cannot be imported`
      : `${count(problems.length, 'value')} of ${count(themes, 'theme')} were left out`;
  return compact([
    `${sign} ${all}, for one reason. ${reason}`,
    ...problems.slice(0, MAX_NAMED).map(({ place }) => `    ${place}`),
    problems.length > MAX_NAMED && `    and ${count(problems.length - MAX_NAMED, 'more', 'more')}`,
  ]).join('\n');
}

function problemsOf({ plan, refused, files }: ImportResult): Problem[] {
  const images = new Map<string, RefusedImage[]>();
  for (const image of refused) images.set(image.slug, [...(images.get(image.slug) ?? []), image]);
  const themes = plan.themes.flatMap(({ at, slug, refused: fields }) =>
    isAsBefore({ files }, slug)
      ? []
      : [
          ...fields.map(({ field, reason }): Problem => {
            const sign = isNeeded(field) ? '✘' : '!';
            return { at, sign, what: 'value', place: placeOf(slug, field), reason };
          }),
          ...(images.get(slug) ?? []).map((image) => imageProblem(at, image)),
        ],
  );
  const records = plan.unusable.map(({ at, reason }): Problem => {
    return { at, sign: '✘', what: 'theme', place: `Theme ${at} of the list`, reason };
  });
  return [...records, ...themes].toSorted((a, b) => a.at - b.at);
}

const placeOf = (slug: string, field: string): string => `themes/${slug}/theme.yaml: ${quote(field)}`;

function imageProblem(at: number, { slug, field, url, problem }: RefusedImage): Problem {
  const place = `${placeOf(slug, field)} (${shownUrl(url)})`;
  if (typeof problem === 'string') return { at, sign: '✘', what: 'value', place, reason: problem };
  const reason = 'Correct the image, and put it into the theme.';
  const details = formatText(problem, () => undefined, showsColours()).trimEnd();
  return { at, sign: '✘', what: 'value', place, reason, details };
}
