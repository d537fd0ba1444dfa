import type { ThemeSource } from './theme-source.ts';

/** The highest id of some themes; 0 without any. */
export function highestId(sources: readonly ThemeSource[]): number {
  return sources.reduce((highest, { fields }) => Math.max(highest, fields.id ?? 0), 0);
}

/**
 * One more than the highest id.
 * @param texts - of all theme.yaml files: those that cannot be parsed have ids, too
 */
export function nextId(texts: readonly string[], sources: readonly ThemeSource[]): number {
  const written = texts.map((text) => Number(/^id:[ \t]*(\d{1,15})\b/m.exec(text)?.[1] ?? 0));
  return Math.max(highestId(sources), ...written) + 1;
}
