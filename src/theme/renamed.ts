import type { MeantTheme } from '../diagnostics/catalogue/meant-theme.ts';
import { soleSuggestion, suggest } from '../diagnostics/suggest.ts';
import { slugOf } from './slug.ts';
import type { ThemeSource } from './theme-source.ts';

/** The former names of themes with their present ones. */
export type Renamed = ReadonlyMap<string, MeantTheme>;

/**
 * The themes whose folders have been renamed, by their former slugs: certainly those with an id of the previous build, and probably
 * those whose names are still like the former slug.
 * @param before - ids of the previous build, by slug
 */
export function renamedThemes(before: ReadonlyMap<string, number>, sources: readonly ThemeSource[]): Renamed {
  const slugs = new Set(sources.map(({ slug }) => slug));
  const renamed = new Map<string, MeantTheme>();
  for (const { slug, fields } of sources) {
    const former = fields.name === undefined ? undefined : slugOf(fields.name);
    if (former === undefined || slugs.has(former)) continue;
    // Of two themes with that name, either may be meant.
    renamed.set(former, { suggestion: slug, isRenamed: false, fix: renamed.has(former) ? undefined : slug });
  }
  for (const [former, id] of before) {
    const now = sources.find(({ fields }) => fields.id === id)?.slug;
    if (now !== undefined && !slugs.has(former)) renamed.set(former, { suggestion: now, isRenamed: true, fix: now });
  }
  return renamed;
}

/** The theme that was probably meant by a name without a folder. */
export function meantBy(name: string, slugs: readonly string[], renamed: Renamed): MeantTheme {
  const known = renamed.get(slugOf(name) ?? name);
  // `forest-2025` for `forest`: that far from it, but its beginning.
  const longer = slugs.find((slug) => name.startsWith(`${slug}-`) || slug.startsWith(`${name}-`));
  return known ?? { suggestion: suggest(name, slugs) ?? longer, isRenamed: false, fix: soleSuggestion(name, slugs) };
}
