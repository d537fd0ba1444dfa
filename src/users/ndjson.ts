import type { KeyKind } from './key.ts';

const [QUOTE, COLON, BACKSLASH] = [34, 58, 92] as const;

/**
 * `{"user": "u-1", "theme": "meadow"}`, or with `group`, or with `theme_id`; nothing if the line is anything else, or has a duplicate
 * member. A `theme_id` is a number, or its digits.
 */
export function parsedRow(text: string): { kind: KeyKind; key: string; theme: string; isId: boolean } | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { user, group, theme: slug, theme_id: id, ...others } = value as Record<string, unknown>;
  const isId = slug === undefined;
  const theme = isId && Number.isSafeInteger(id) ? String(id) : (slug ?? id);
  const [kind, written] = group === undefined ? (['user', user] as const) : (['group', group] as const);
  const key = Number.isSafeInteger(written) ? String(written) : written;
  const isPair = (user === undefined) !== (group === undefined) && Object.keys(others).length === 0;
  if (!isPair || typeof key !== 'string' || typeof theme !== 'string' || members(text) !== 2) return undefined;
  return { kind, key, theme, isId };
}

/** Where the name of the theme is in a line that {@link parsedRow} can read: between its quotes, if it has any. */
export function themeSpan(text: string): [start: number, end: number] {
  const tokens = [...text.matchAll(/"(?:[^"\\]|\\.)*"|-?\d[\w.+-]*/g)];
  const at = tokens.findIndex(
    ({ 0: token }, index) => index % 2 === 0 && /^theme(?:_id)?$/.test(String(JSON.parse(token))),
  );
  const value = tokens[at + 1];
  if (value === undefined) return [0, text.length];
  const quotes = value[0].startsWith('"') ? 1 : 0;
  return [value.index + quotes, value.index + value[0].length - quotes];
}

/** How many members an object without nested ones has; `JSON.parse` does not report duplicates. */
function members(text: string): number {
  let colons = 0;
  let isString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) isString = !isString;
    else if (isString && code === BACKSLASH) at++;
    else if (!isString && code === COLON) colons++;
  }
  return colons;
}
