import type { KeyKind } from './key.ts';

/** `{"user": "u-1", "theme": "meadow"}`, or with `group`; nothing if the line is anything else. */
export function parsedRow(text: string): { kind: KeyKind; key: string; theme: string } | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { user, group, theme, ...others } = value as Record<string, unknown>;
  const [kind, written] = group === undefined ? (['user', user] as const) : (['group', group] as const);
  const key = Number.isSafeInteger(written) ? String(written) : written;
  const isPair = (user === undefined) !== (group === undefined) && Object.keys(others).length === 0;
  return isPair && typeof key === 'string' && typeof theme === 'string' ? { kind, key, theme } : undefined;
}
