import { type Draft, draftOf, followExtends, inheritFields, REQUIRED_FIELDS } from './resolve.ts';
import type { Site } from './site/site.ts';
import type { ThemeSource } from './theme-source.ts';

/** Returns the valid parts of every theme, in the order of their ids. Reports nothing: `resolveThemes` does. */
export function draftThemes(sources: readonly ThemeSource[], folders: ReadonlySet<string>, site: Site): Draft[] {
  const silent = (): void => undefined;
  const resolved = followExtends(sources, folders, silent);
  return sources
    .map((source) => draftOf(source, resolved.get(source) ?? inheritFields(source, undefined), site, silent))
    .toSorted((a, b) => (a.id ?? Infinity) - (b.id ?? Infinity));
}

/** Returns a source in place of a `theme.yaml` that cannot be parsed. */
export function emptySource(slug: string, file: string): ThemeSource {
  return { slug, file, fields: {}, invalid: REQUIRED_FIELDS, written: {}, spans: {} };
}
