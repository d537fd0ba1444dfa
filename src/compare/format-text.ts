import { styleText } from 'node:util';
import { printedJson } from '../diagnostics/format-json.ts';
import { count, quote, visible } from '../diagnostics/quote.ts';
import { type Compared, type Comparison, type Group, GROUPS, unaccepted } from './result.ts';

type Style = Parameters<typeof styleText>[0];
type Paint = (style: Style, text: string) => string;

/** Differences of a group that are printed; JSON and HTML have all. */
const MAX_SHOWN = 40;

/** A comparison for people: groups with what differs first, and the count as the last line. */
export function formatComparison(
  comparison: Comparison,
  { colour, quiet }: { colour: boolean; quiet: boolean },
): string {
  const paint: Paint = (style, text) => (colour ? styleText(style, text, { validateStream: false }) : text);
  const { notes, unused } = comparison;
  const groups = GROUPS.flatMap((group) => groupLines(group, comparison.compared, quiet, paint));
  const remarks = [
    ...unused.map(({ what }) => `${paint('yellow', '!')} --accept names ${quote(what)}, which does not differ.`),
    ...(quiet ? [] : notes.map((note) => `! ${visible(note)}`)),
  ];
  const isFine = unaccepted(comparison).length === 0;
  const last = summary(comparison);
  const lines = [...groups, ...remarks, ''];
  return `${lines.join('\n')}\n${isFine ? paint('green', `✔ ${last}`) : paint('red', `✘ ${last}`)}\n`.replace(
    /^\n/,
    '',
  );
}

/** A comparison for programs: what is not the same, and the counts. */
export function formatComparisonJson(comparison: Comparison, urls: { old: string; new: string }): string {
  const { themes, compared, notes, unused } = comparison;
  const open = unaccepted(comparison).length;
  return printedJson({
    version: 1,
    status: open === 0 ? 'same' : 'differs',
    ...urls,
    themes,
    counts: Object.fromEntries(GROUPS.map((group) => [group, countsOf(compared.filter((one) => one.group === group))])),
    compared: compared.filter((one) => one.class !== 'same'),
    unused,
    notes,
  });
}

/** `12 themes: 264 fields same, 48 images equal, 2 differ` */
export function summary(comparison: Comparison): string {
  const { themes, compared } = comparison;
  const all = countsOf(compared.filter(({ group }) => group === 'themes'));
  const accepted = countsOf(compared).accepted;
  const open = unaccepted(comparison).length;
  return [
    `${count(themes, 'theme')}: ${count(all.same, 'field')} same`,
    `${count(all.equal, 'image')} equal`,
    ...(accepted === 0 ? [] : [`${accepted} accepted`]),
    `${open} ${open === 1 ? 'differs' : 'differ'}`,
  ].join(', ');
}

export function countsOf(compared: readonly Compared[]): Record<'same' | 'equal' | 'accepted' | 'differs', number> {
  const counts = { same: 0, equal: 0, accepted: 0, differs: 0 };
  for (const { class: kind, accepted } of compared) counts[accepted === undefined ? kind : 'accepted']++;
  return counts;
}

function groupLines(group: Group, all: readonly Compared[], quiet: boolean, paint: Paint): string[] {
  const compared = all.filter((one) => one.group === group);
  const open = compared.filter((one) => one.class === 'differs' && one.accepted === undefined);
  if (compared.length === 0 || (quiet && open.length === 0)) return [];
  const counts = countsOf(compared);
  const words = {
    differs: counts.differs === 1 ? 'differs' : 'differ',
    accepted: 'accepted',
    equal: 'equal',
    same: 'same',
  };
  const parts = (['differs', 'accepted', 'equal', 'same'] as const).flatMap((kind) =>
    counts[kind] === 0 ? [] : [`${counts[kind]} ${words[kind]}`],
  );
  const sign = open.length > 0 ? paint('red', '✘') : paint('green', '✔');
  const known = quiet ? [] : compared.filter(({ accepted }) => accepted !== undefined);
  const [rows, knownRows] = [merged(open), merged(known)];
  const width = Math.min(48, Math.max(0, ...[...rows, ...knownRows].map(({ what }) => what.length)));
  const line = ({ what, old = '', new: now = '', times }: Row): string =>
    visible(`${what.padEnd(width)}  ${old} → ${now}${times === 1 ? '' : `  (${times} times)`}`);
  const more = rows.length - MAX_SHOWN;
  return [
    `${sign} ${group.padEnd(10)} ${parts.join(', ')}`,
    ...rows.slice(0, MAX_SHOWN).map((one) => `    ${paint('red', '✘')} ${line(one)}`),
    ...(more > 0 ? [`      and ${more} more: --format json lists all`] : []),
    ...knownRows.map((one) => `    ${paint('yellow', '!')} ${line(one)}  (accepted: ${visible(one.accepted ?? '')})`),
  ];
}

interface Row extends Compared {
  times: number;
}

/** Fewest differences that are merged. */
const MIN_MERGED = 3;

/** Merges differences that are the same for many requests or themes into a row whose name fits all of them in an accept file. */
function merged(differences: readonly Compared[]): Row[] {
  const rows = new Map<string, Compared[]>();
  for (const one of differences) {
    const key = JSON.stringify([patternOf(one.what), one.old, one.new, one.accepted]);
    rows.set(key, [...(rows.get(key) ?? []), one]);
  }
  return [...rows.values()].flatMap((all) => {
    const [first] = all;
    if (first === undefined || all.length < MIN_MERGED) return all.map((one) => ({ ...one, times: 1 }));
    return [{ ...first, what: patternOf(first.what), times: all.length }];
  });
}

/** `LIST * Vary` for `LIST GET Vary`. */
function patternOf(what: string): string {
  const words = what.split(' ');
  return words.length < 3 ? what : `${words[0]} * ${words.at(-1)}`;
}
