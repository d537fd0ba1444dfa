import { printedJson } from '../../../core/diagnostics/format-json.ts';
import { count, visible } from '../../../core/diagnostics/quote.ts';
import { type Entry, formatReport, type Section, type Style } from '../report.ts';
import { BELOW_LIST } from '../table.ts';
import { writeYaml } from '../../../core/source/write-yaml.ts';
import { type CompareResult, type Comparison, type Group, GROUPS, openDifferences } from './result.ts';

/** The services, as the caller spelt them. */
interface Urls {
  old: string;
  new: string;
}

/** Limits the rows per group: a service may have any number of themes. */
const MAX_ROWS = 100;

/** Formats a comparison as text: groups with their differences first, the count, and the next step. */
export function formatComparison(comparison: Comparison, { urls, ...style }: Style & { urls: Urls }): string {
  const { themes, compared, notes } = comparison;
  const open = openDifferences(comparison);
  const { same, equal } = countsOf(compared.filter(({ group }) => group === 'themes'));
  const { accepted, 'not compared': unknown } = countsOf(compared);
  const summary = [
    `${count(themes, 'theme')}: ${count(same, 'field')} same`,
    `${count(equal, 'image')} with equal pixels`,
    ...(accepted === 0 ? [] : [`${accepted} accepted`]),
    ...(unknown === 0 ? [] : [`${unknown} not compared`]),
    `${open.length - unknown} ${open.length - unknown === 1 ? 'differs' : 'differ'}`,
  ];
  const [first] = mergeRows(open.filter((row) => row.class === 'differs'));
  const line = first && writeYaml([['what', visible(first.what)]]).trimEnd();
  const entry = ['', 'Fix it, or add it with a reason to a file for --accept:', `- ${line}`, '  reason: …'];
  const isAcceptable = first !== undefined && first.needs === undefined;
  const next =
    first === undefined ? [] : isAcceptable ? entry : ['', `Before you accept ${first.what}, ${first.needs}.`];
  return formatReport(
    {
      head: `OLD ${urls.old}  NEW ${urls.new}`,
      sections: GROUPS.flatMap((group) => sectionOf(group, compared)),
      notes,
      isFine: open.length === 0,
      count: summary.join(', '),
      next,
    },
    style,
  );
}

export function formatComparisonJson(comparison: Comparison, urls: Urls): string {
  const { themes, compared, notes } = comparison;
  const counts = GROUPS.map((group) => [group, countsOf(compared.filter((result) => result.group === group))]);
  return printedJson({
    version: 1,
    status: openDifferences(comparison).length === 0 ? 'same' : 'differs',
    ...urls,
    themes,
    counts: Object.fromEntries(counts),
    compared: compared.filter((each) => each.class !== 'same'),
    notes,
  });
}

function countsOf(compared: readonly CompareResult[]): Record<'accepted' | CompareResult['class'], number> {
  const counts = { same: 0, equal: 0, accepted: 0, differs: 0, 'not compared': 0 };
  for (const { class: kind, accepted } of compared) counts[accepted === undefined ? kind : 'accepted']++;
  return counts;
}

function sectionOf(group: Group, all: readonly CompareResult[]): Section[] {
  const compared = all.filter((result) => result.group === group);
  if (compared.length === 0) return [];
  const counts = countsOf(compared);
  const words = {
    differs: counts.differs === 1 ? 'differs' : 'differ',
    'not compared': 'not compared',
    accepted: 'accepted',
    equal: 'with equal pixels',
    same: 'same',
  };
  const parts = (['differs', 'not compared', 'accepted', 'equal', 'same'] as const).flatMap((kind) =>
    counts[kind] === 0 ? [] : [`${counts[kind]} ${words[kind]}`],
  );
  const [open, acceptedRows] = [
    mergeRows(openDifferences({ compared })),
    mergeRows(compared.filter(({ accepted }) => accepted !== undefined)),
  ];
  const visibleRows = [...open.slice(0, MAX_ROWS), ...acceptedRows.slice(0, MAX_ROWS)];
  const width = Math.min(48, Math.max(0, ...visibleRows.map(({ what }) => what.length)));
  const more = open.length - Math.min(open.length, MAX_ROWS);
  const entries = visibleRows.map(({ what, old = '', new: now = '', times, accepted }): Entry => {
    const often = times === 1 ? '' : `  (${times} times)`;
    const reason = accepted === undefined ? '' : `  (accepted: ${accepted})`;
    return { isTolerated: accepted !== undefined, text: `${what.padEnd(width)}  ${old} → ${now}${often}${reason}` };
  });
  const remainder: Entry[] = more > 0 ? [{ isTolerated: false, text: `and ${count(more, 'more', 'more')}` }] : [];
  return [
    {
      name: group,
      isFine: open.length === 0,
      faults: parts.join(', '),
      summary: '',
      entries: [...entries, ...remainder],
    },
  ];
}

/** A difference, and the number of its occurrences. */
interface Row extends CompareResult {
  times: number;
}

/** Merges equal differences of several requests or themes. The row gets a pattern that accepts all of them. */
function mergeRows(differences: readonly CompareResult[]): Row[] {
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

/** Returns `LIST * Vary` for `LIST GET Vary`. */
function patternOf(what: string): string {
  const words = what.split(' ');
  return words.length < 3 || what.startsWith(BELOW_LIST) ? what : `${words[0]} * ${words.at(-1)}`;
}
