import type { ThemeSource } from '../core/theme/theme-source.ts';
import { THEME_FILE } from '../core/theme/themes-folder.ts';
import { git } from '../system/git/git.ts';

/**
 * Puts uncommitted themes last, so that a duplicate id or default is reported for the new theme. Git runs only if there is a duplicate.
 * @param changed - the slug of a theme that is about to be written, if any: the last of all
 */
export async function newestLast(
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
