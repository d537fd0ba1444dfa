import { git, isBlob } from '../../git/git.ts';
import { THEME_FILE } from '../../theme/themes-folder.ts';
import type { Differences } from '../differences.ts';
import type { SiteState } from '../site-state.ts';
import { type Base, branchLabel, bytesOf, checkoutOfThemes, themesAt } from './base.ts';

/**
 * Returns the label of the current themes: branch and commit, or the working tree if it has uncommitted changes. For a merge made by the
 * forge, the commit is the head of the pull request.
 */
export async function headOf(
  themesDir: string,
  base: Base,
  { changed }: Differences,
  { themes, images, userFiles }: SiteState,
): Promise<Pick<Base, 'label' | 'commit'>> {
  const checkout = checkoutOfThemes(themesDir);
  const ids = checkout && (await git(checkout, 'rev-list', '--parents', '--max-count=1', 'HEAD'));
  const [commit, ...parents] = ids?.trim().split(' ') ?? [];
  const files = checkout && commit && (await themesAt(commit, checkout, themesDir));
  if (!files) return { label: themesDir, commit: undefined };
  const names = [
    ...userFiles.map(([file]) => file.split('/').slice(1).join('/')),
    ...themes.map(({ slug }) => `${slug}/${THEME_FILE}`),
    // The renaming of an image changes no published file, but must be committed too.
    ...Object.keys(images).filter((name) => !files.has(name)),
    ...[...files].flatMap(([name, { kind }]) => {
      const isOfChange = !name.includes('/') || changed.has(name.split('/', 1)[0] ?? '');
      return kind === 'file' && (isOfChange || name.endsWith(`/${THEME_FILE}`)) ? [name] : [];
    }),
  ];
  for (const name of new Set(names)) {
    const bytes = await bytesOf(name, themesDir);
    if (bytes === undefined || !isBlob(bytes, files.get(name)?.id ?? ''))
      return { label: 'the working tree', commit: undefined };
  }
  const head = (parents.length === 2 && parents[0] === base.commit && parents[1]) || commit;
  return { label: await branchLabel(checkout, head, 'head'), commit: head };
}
