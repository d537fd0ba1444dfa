import { compact } from '../../../core/diagnostics/compact.ts';
import { formatText } from '../../../core/diagnostics/format-text.ts';
import { count, quote, shownUrl } from '../../../core/diagnostics/quote.ts';
import type { ImportResult } from './import-themes.ts';
import type { RefusedImage } from './check-images.ts';
import { rowOf } from '../../../core/theme/fields/fields.ts';
import { showsColours } from '../../../system/command-line/colours.ts';

/** Limits the messages of a kind: a service may have any number of themes. */
const MAX_MESSAGES = 100;
/** Limits the places in a message. */
const MAX_NAMED = 10;

/** Returns the first messages, and how many more there are. */
export function truncate(messages: readonly string[], max = MAX_MESSAGES, indent = '  '): string[] {
  if (messages.length <= max) return [...messages];
  return [...messages.slice(0, max), `${indent}and ${count(messages.length - max, 'more', 'more')}`];
}

/** Whether a field is part of the interface; other fields are no gap. */
export const isNeeded = (field: string): boolean => rowOf(field) !== undefined;

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
export function problemLines(result: ImportResult): string[] {
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
