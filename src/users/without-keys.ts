import type { Arguments, Code } from '../diagnostics/catalogue.ts';
import type { Report } from '../diagnostics/diagnostic.ts';

/** What a message of a file of users may repeat besides the slugs of themes: all else there may be a user key. */
const HARMLESS = new Set(['users', 'groups', 'user', 'group', '<<']);

/** Arguments that hold our own words; where they end with foreign text, {@link cut} leaves it out. */
const OUR_WORDS = new Set(['expected', 'found', 'action', 'known', 'suggestion', 'character', 'limit']);

/**
 * Diagnostics about a file of users that repeat nothing of it: user keys are personal data, and any text there may be one.
 * @param folders - the slugs that there are, which stay
 */
export function withoutKeys(report: Report, folders: ReadonlySet<string>): Report {
  const isKnown = (text: string): boolean => HARMLESS.has(text) || folders.has(text);
  const masked = (name: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((entry) => masked(name, entry));
    if (value === undefined || typeof value === 'boolean') return value;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    if (name === 'reason') return 'what stands here is not expected';
    if (name === 'field' || name === 'fields') return maskedField(text, isKnown);
    if (OUR_WORDS.has(name)) return typeof value === 'string' ? cut(text) : value;
    return isKnown(text) ? value : maskedText(text);
  };
  return <C extends Code>(code: C, location: Parameters<Report>[1], args: Arguments<C>): void => {
    // Those of the mapping itself name no key anyway.
    if (code.startsWith('mapping/')) report(code, location, args);
    else {
      const entries = Object.entries(args as object).map(([name, value]) => [name, masked(name, value)]);
      report(code, location, Object.fromEntries(entries) as Arguments<C>);
    }
  };
}

/** `*…` for `*ann`: the mark at its start is what most findings are about. */
function maskedText(text: string): string {
  const [mark = ''] = /^[!-/:-@[-`{-~]/.exec(text) ?? [];
  return text === mark ? text : `${mark}…`;
}

/** `users.meadow[2]` stays, `users.ann` does not. */
function maskedField(field: string, isKnown: (text: string) => boolean): string {
  const [, list, theme = ''] = /^(users|groups)\.(.*?)(?:\[\d+\])?$/s.exec(field) ?? [];
  if (isKnown(list === undefined ? field : theme)) return field;
  return list === undefined ? '…' : `${list}.…`;
}

/** Our own words as far as they are that. */
function cut(text: string): string {
  return text
    .replace(/^(the (?:text|number) ).*$/s, '$1`…`')
    .replace(/^(Put it in quotes: ).*$/s, '$1"…"')
    .replace(/^Add `.*$/s, 'Add it.');
}
