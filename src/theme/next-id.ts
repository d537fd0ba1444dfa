import type { ThemeSource } from './theme-source.ts';

/** The highest id of some themes; 0 without any. */
export function highestId(sources: readonly ThemeSource[]): number {
  return sources.reduce((highest, { fields }) => Math.max(highest, fields.id ?? 0), 0);
}

/** The id in the text of a theme.yaml, also of one that cannot be parsed; 0 without one. */
export function writtenId(text: string): number {
  return Number(/^id:[ \t]*(\d{1,15})\b/m.exec(text)?.[1] ?? 0);
}
