import type { ThemeSource } from './theme-source.ts';

export function highestId(sources: readonly ThemeSource[]): number {
  return sources.reduce((highest, { fields }) => Math.max(highest, fields.id ?? 0), 0);
}

/** Returns the id in the text of a theme.yaml, even if it cannot be parsed, or 0. */
export function writtenId(text: string): number {
  return Number(/^id:[ \t]*(\d{1,15})\b/m.exec(text)?.[1] ?? 0);
}
