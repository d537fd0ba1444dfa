import { visible } from '../../../core/diagnostics/quote.ts';
import { parsePlainYaml } from '../../../core/source/plain-yaml.ts';
import { escapeRegExp } from '../../../hosts/adapter/regexp.ts';
import type { Result } from '../result.ts';

/** An entry of an accept file: a difference, and why it does not matter. */
export interface AcceptedDifference {
  /** Its name in the report; `*` matches any characters. */
  what: string;
  reason: string;
}

/** Reads an accept file. @returns its entries, or what is wrong with the file */
export function readAccepted(text: string): AcceptedDifference[] | string {
  let entries: unknown;
  try {
    entries = parsePlainYaml(text);
  } catch (error) {
    // The parser appends an excerpt of the file to its message.
    return `it is not valid YAML. ${visible((error as Error).message.replace(/:?\n[^]*/, ''))}.`;
  }
  if (!Array.isArray(entries)) return 'it must be a YAML list of entries with `what` and `reason`.';
  const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';
  const isEntry = (entry: unknown): entry is AcceptedDifference => {
    const { what, reason, ...unknown } = { ...(entry as Partial<AcceptedDifference> | null) };
    return isText(what) && isText(reason) && Object.keys(unknown).length === 0;
  };
  const wrong = entries.findIndex((entry) => !isEntry(entry));
  return wrong === -1
    ? (entries as AcceptedDifference[])
    : `entry ${wrong + 1} must have \`what\` and \`reason\`, both text, and nothing else.`;
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
