import { printedJson } from '../diagnostics/format-json.ts';
import { type Paint, painter } from '../diagnostics/paint.ts';
import { count, visible } from '../diagnostics/quote.ts';
import { writeYaml } from '../source/write-yaml.ts';
import { BELOW_LIST } from './probes.ts';
import { type Compared, type Comparison, type Group, GROUPS, MAX_ROWS, unaccepted } from './result.ts';

export interface TextOptions {
  colour: boolean;
  quiet: boolean;
  /** How the services were named. */
  urls: { old: string; new: string };
}

/** A comparison for people: groups with what differs first, the count, and what to do about a difference. */
export function formatComparison(comparison: Comparison, { colour, quiet, urls }: TextOptions): string {
  const paint = painter(colour);
  const open = unaccepted(comparison);
  const isFine = open.length === 0;
  const groups = GROUPS.flatMap((group) => groupLines(group, comparison.compared, quiet, paint));
  const remarks = quiet ? [] : comparison.notes.map((note) => `! ${visible(note)}`);
  const last = isFine ? paint('green', `✔ ${summary(comparison)}`) : paint('red', `✘ ${summary(comparison)}`);
  const head = quiet ? [] : [visible(`OLD ${urls.old}  NEW ${urls.new}`)];
  const lines = [...head, ...groups, ...remarks, '', last, ...howToAccept(open)];
  return `${lines.join('\n').replace(/^\n/, '')}\n`;
}

/** What to do about differences, with an entry for the first of them. */
function howToAccept(open: readonly Compared[]): string[] {
  const [first] = merged(open);
  if (first === undefined) return [];
  const what = writeYaml([['what', visible(first.what)]]).trimEnd();
  return ['', 'Fix it, or name it with a reason in a file for --accept:', `- ${what}`, '  reason: …'];
}

/** A comparison for programs: all that is not the same, and the counts. */
export function formatComparisonJson(comparison: Comparison, urls: { old: string; new: string }): string {
  const { themes, compared, notes } = comparison;
  const open = unaccepted(comparison).length;
  return printedJson({
    version: 1,
    status: open === 0 ? 'same' : 'differs',
    ...urls,
    themes,
    counts: Object.fromEntries(
      GROUPS.map((group) => [group, countsOf(compared.filter((result) => result.group === group))]),
    ),
    compared: compared.filter((each) => each.class !== 'same'),
    notes,
  });
}

/** `12 themes: 264 fields same, 48 images equal, 2 differ` */
function summary(comparison: Comparison): string {
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

function countsOf(compared: readonly Compared[]): Record<'same' | 'equal' | 'accepted' | 'differs', number> {
  const counts = { same: 0, equal: 0, accepted: 0, differs: 0 };
  for (const { class: kind, accepted } of compared) counts[accepted === undefined ? kind : 'accepted']++;
  return counts;
}

function groupLines(group: Group, all: readonly Compared[], quiet: boolean, paint: Paint): string[] {
  const compared = all.filter((result) => result.group === group);
  const open = compared.filter((result) => result.class === 'differs' && result.accepted === undefined);
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
  const rows = merged(open);
  const [openRows, knownRows] = [rows, merged(known)].map((list) => list.slice(0, MAX_ROWS)) as [Row[], Row[]];
  const width = Math.min(48, Math.max(0, ...[...openRows, ...knownRows].map(({ what }) => what.length)));
  const line = ({ what, old = '', new: now = '', times }: Row): string =>
    visible(`${what.padEnd(width)}  ${old} → ${now}${times === 1 ? '' : `  (${times} times)`}`);
  const more = rows.length - openRows.length;
  return [
    `${sign} ${group.padEnd(10)} ${parts.join(', ')}`,
    ...openRows.map((row) => `    ${paint('red', '✘')} ${line(row)}`),
    ...(more > 0 ? [`      and ${count(more, 'more', 'more')}`] : []),
    ...knownRows.map((row) => `    ${paint('yellow', '!')} ${line(row)}  (accepted: ${visible(row.accepted ?? '')})`),
  ];
}

/** A difference, and how often it was found. */
interface Row extends Compared {
  times: number;
}

/** Merges differences that are the same for several requests or themes into a row whose name fits all of them in an accept file. */
function merged(differences: readonly Compared[]): Row[] {
  const rows = new Map<string, Row>();
  for (const difference of differences) {
    const { what, old, new: now, accepted } = difference;
    const key = JSON.stringify([patternOf(what), old, now, accepted]);
    const row = rows.get(key);
    if (row === undefined) rows.set(key, { ...difference, times: 1 });
    else rows.set(key, { ...row, times: row.times + 1, what: row.what === what ? what : patternOf(what) });
  }
  return [...rows.values()];
}

/** `LIST * Vary` for `LIST GET Vary`. */
function patternOf(what: string): string {
  const words = what.split(' ');
  return words.length < 3 || what.startsWith(BELOW_LIST) ? what : `${words[0]} * ${words.at(-1)}`;
}
