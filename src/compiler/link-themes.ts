import type { Report } from '../core/diagnostics/diagnostic.ts';
import { checkDeclared } from '../core/theme/hostnames.ts';
import { highestId } from '../core/theme/next-id.ts';
import { resolveThemes } from '../core/theme/resolve.ts';
import type { CompiledSite, LinkedThemes } from './model.ts';
import { newestLast } from './newest-last.ts';

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
