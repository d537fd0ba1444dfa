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

/** Marks the differences that an entry accepts. The first entry that fits counts. */
export function accept(compared: readonly Compared[], entries: readonly AcceptedDifference[]): Compared[] {
  const patterns = entries.map(({ what, reason }) => ({ reason, pattern: patternOf(what) }));
  return compared.map((result) => {
    const accepted = patterns.find(({ pattern }) => pattern.test(result.what))?.reason;
    return result.class !== 'differs' || accepted === undefined ? result : { ...result, accepted };
  });
}

function patternOf(what: string): RegExp {
  return new RegExp(`^${what.split('*').map(escapeRegExp).join('.*')}$`, 's');
}
