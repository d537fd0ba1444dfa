import type { Report } from '../../core/diagnostics/diagnostic.ts';
import type { ThemeSource } from '../../core/theme/theme-source.ts';
import { THEME_FILE } from '../../core/theme/themes-folder.ts';
import { git } from '../../system/git/git.ts';
import { checkDeclared } from '../../core/theme/site/hostnames.ts';
import { highestId } from '../../core/theme/next-id.ts';
import { resolveThemes } from '../../core/theme/resolve.ts';
import type { CompiledSite, LinkedThemes } from '../model.ts';

/**
 * Links the themes of a site: applies `extends` and defaults, and reports problems across themes.
 * @param changed - the slug of a theme that is about to be written: duplicate values are reported there
 */
export async function linkThemes(
  { walk, settings, themes: compiled }: CompiledSite,
  report: Report,
  changed?: string,
): Promise<LinkedThemes> {
  const { slugs, themesDir } = walk;
  const sources = slugs.flatMap((slug) => compiled.get(slug)?.source ?? []);
  const ordered = await newestLast(sources, themesDir, changed);
  const themes = resolveThemes(ordered, new Set(slugs), settings.site, report);
  checkDeclared(settings.hostnames, slugs, report);
  for (const { slug } of themes)
    for (const [code, location, args] of compiled.get(slug)?.unused ?? []) report(code, location, args);
  let nextId = highestId(sources) + 1;
  for (const { writtenId } of compiled.values()) nextId = Math.max(nextId, writtenId + 1);
  return { walk, settings, sources, themes, compiled, nextId };
}

/**
 * Puts uncommitted themes last, so that a duplicate id or default is reported for the new theme. Git runs only if there is a duplicate.
 * @param changed - the slug of a theme that is about to be written, if any: the last of all
 */
async function newestLast(
  sources: readonly ThemeSource[],
  themesDir: string,
  changed?: string,
): Promise<readonly ThemeSource[]> {
  const ids = sources.flatMap(({ fields }) => fields.id ?? []);
  const defaults = sources.filter(({ fields }) => fields.is_default);
  if (new Set(ids).size === ids.length && defaults.length < 2) return sources;
  const listing = (await git(themesDir, 'ls-tree', '-r', '-z', '--name-only', 'HEAD')) ?? '';
  const committed = new Set(listing.split('\0'));
  const rank = ({ slug }: ThemeSource): number =>
    slug === changed ? 2 : Number(!committed.has(`${slug}/${THEME_FILE}`));
  return sources.toSorted((a, b) => rank(a) - rank(b));
}
