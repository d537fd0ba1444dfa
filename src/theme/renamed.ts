import type { MeantTheme } from '../diagnostics/catalogue/meant-theme.ts';
import { suggest } from '../diagnostics/suggest.ts';
import { slugOf } from './slug.ts';
import type { ThemeSource } from './validate.ts';

/** What themes were called before, with what they are called now. */
export type Renamed = ReadonlyMap<string, MeantTheme>;

/**
 * The themes whose folders have been renamed, by their former slugs: for certain those with an id of the earlier build, and probably
 * those whose names are still like the former slug.
 * @param before - ids of an earlier build, by slug
 */
export function renamedThemes(before: ReadonlyMap<string, number>, sources: readonly ThemeSource[]): Renamed {
  const slugs = new Set(sources.map(({ slug }) => slug));
  const renamed = new Map<string, MeantTheme>();
  for (const { slug, fields } of sources) {
    const former = fields.name === undefined ? undefined : slugOf(fields.name);
    if (former !== undefined && !slugs.has(former)) renamed.set(former, { suggestion: slug, isRenamed: false });
  }
  for (const [former, id] of before) {
    const now = sources.find(({ fields }) => fields.id === id)?.slug;
    if (now !== undefined && !slugs.has(former)) renamed.set(former, { suggestion: now, isRenamed: true });
  }
  return renamed;
}

/** The theme that was probably meant by a name that no folder has. */
export function meantBy(name: string, slugs: readonly string[], renamed: Renamed): MeantTheme {
  return renamed.get(slugOf(name) ?? name) ?? { suggestion: suggest(name, slugs), isRenamed: false };
}
