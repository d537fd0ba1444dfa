import type { ThemeSource } from '../theme/theme-source.ts';
import { THEME_FILE } from '../theme/themes-folder.ts';
import { git } from '../git/git.ts';

/**
 * The themes, with those that are not committed last, so that of two with one id, or two defaults, the new one is reported. Git is asked
 * only if there are two.
 */
export async function newestLast(sources: readonly ThemeSource[], themesDir: string): Promise<readonly ThemeSource[]> {
  const ids = sources.flatMap(({ fields }) => fields.id ?? []);
  const defaults = sources.filter(({ fields }) => fields.is_default);
  if (new Set(ids).size === ids.length && defaults.length < 2) return sources;
  const listed = (await git(themesDir, 'ls-tree', '-r', '-z', '--name-only', 'HEAD')) ?? '';
  const committed = new Set(listed.split('\0'));
  const isNew = ({ slug }: ThemeSource): number => Number(!committed.has(`${slug}/${THEME_FILE}`));
  return sources.toSorted((a, b) => isNew(a) - isNew(b));
}
