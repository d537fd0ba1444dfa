import { escapeRegExp } from '../hosts/regexp.ts';
import type { AcceptedDifference, Compared } from './result.ts';

/** Reads the entries of an accept file. @returns nothing if it is no list; the index of the first entry that has another form */
export function readAccepted(data: unknown): AcceptedDifference[] | number | undefined {
  if (!Array.isArray(data)) return undefined;
  const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
  const entries: AcceptedDifference[] = [];
  for (const [index, entry] of data.entries()) {
    const { what, reason, ...rest } = (entry ?? {}) as Record<string, unknown>;
    if (!isText(what) || !isText(reason) || Object.keys(rest).length > 0) return index;
    entries.push({ what, reason });
  }
  return entries;
}

/** Marks the differences that an entry accepts. The first entry that fits counts; those that fit nothing are unused. */
export function accept(
  compared: readonly Compared[],
  entries: readonly AcceptedDifference[],
): { compared: Compared[]; unused: AcceptedDifference[] } {
  const patterns = entries.map((entry) => ({ entry, pattern: patternOf(entry.what) }));
  const used = new Set<AcceptedDifference>();
  const marked = compared.map((result) => {
    if (result.class !== 'differs') return result;
    const matching = patterns.filter(({ pattern }) => pattern.test(result.what)).map(({ entry }) => entry);
    for (const entry of matching) used.add(entry);
    return matching[0] === undefined ? result : { ...result, accepted: matching[0].reason };
  });
  return { compared: marked, unused: entries.filter((entry) => !used.has(entry)) };
}

function patternOf(what: string): RegExp {
  return new RegExp(`^${what.split('*').map(escapeRegExp).join('.*')}$`, 's');
}
