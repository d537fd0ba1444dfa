import { escapeRegExp } from '../../../hosts/adapter/regexp.ts';
import type { Result } from '../result.ts';

/** An entry of an accept file: a difference, and why it does not matter. */
export interface AcceptedDifference {
  /** Its name in the report; `*` matches any characters. */
  what: string;
  reason: string;
}

/** Reads the entries of an accept file. @returns undefined if it is no list; the index of the first invalid entry, if any */
export function readAccepted(data: unknown): AcceptedDifference[] | number | undefined {
  if (!Array.isArray(data)) return undefined;
  const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
  const entries: AcceptedDifference[] = [];
  for (const [index, entry] of data.entries()) {
    const { what, reason, ...unknown } = (entry ?? {}) as Record<string, unknown>;
    if (!isText(what) || !isText(reason) || Object.keys(unknown).length > 0) return index;
    entries.push({ what, reason });
  }
  return entries;
}

/** Names alike differences with a pattern that accepts all of them, and marks the accepted ones with the reason; not what was not compared. */
export function accept(results: readonly Result[], entries: readonly AcceptedDifference[]): Result[] {
  const patterns = entries.map(({ what, reason }) => {
    return { reason, pattern: new RegExp(`^${what.split('*').map(escapeRegExp).join('.*')}$`, 's') };
  });
  return results.map((result) => {
    const { ok, message, hint } = result;
    const accepted = hint === undefined ? patterns.find(({ pattern }) => pattern.test(message))?.reason : undefined;
    return ok ? result : { ...result, alike: patternOf(message), accepted };
  });
}

/** Returns `LIST * Vary` for `LIST GET Vary`. */
function patternOf(what: string): string {
  const words = what.split(' ');
  return words.length < 3 ? what : `${words[0]} * ${words.at(-1)}`;
}
