import type { ThemeSource } from './theme-source.ts';

/**
 * One more than the highest id.
 * @param texts - of all theme.yaml files: those that cannot be parsed have ids, too
 */
export function nextId(texts: readonly string[], sources: readonly ThemeSource[]): number {
  const written = texts.map((text) => Number(/^id:[ \t]*(\d{1,15})\b/m.exec(text)?.[1] ?? 0));
  const ids = [...written, ...sources.map(({ fields }) => fields.id ?? 0)];
  return ids.reduce((highest, id) => Math.max(highest, id), 0) + 1;
}
