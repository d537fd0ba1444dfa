import type { BuildToDeploy } from '../plan.ts';
import { git, isShallowClone, repositoryOf, revParse, statusOf } from '../../../system/git/git.ts';

/** Whether the build may replace the live commit: `replaceable` if that is the same commit or an ancestor. */
type Relation = 'replaceable' | 'conflicting' | 'unknown';

/**
 * Lists what differs from the checked-out commit in the themes, ignored files too: a build reads them.
 * @throws {GitError}
 */
export async function uncommitted(themesDir: string): Promise<string[]> {
  const repository = await repositoryOf(themesDir);
  const rows = repository === undefined ? [] : await statusOf(repository, '--untracked-files=normal', '--ignored');
  return rows.map(({ name }) => name).filter((name) => !/(?:^|\/)\./.test(name));
}

/** Compares the live commit with the commit of the build, by its ancestors, or in this clone if it has both. */
export async function relationOf(
  folder: string,
  live: string,
  { commit: built, ancestors }: Pick<BuildToDeploy, 'commit' | 'ancestors'>,
): Promise<Relation> {
  if (live === built || ancestors?.includes(live)) return 'replaceable';
  const isHere = async (commit: string) => (await revParse(folder, `${commit}^{commit}`)) !== undefined;
  // Without the clone of the build, its list decides.
  if (!(await isHere(built))) return ancestors === undefined ? 'unknown' : 'conflicting';
  if (!(await isHere(live))) return 'unknown';
  if ((await git(folder, 'merge-base', live, built)) === live) return 'replaceable';
  return (await isShallowClone(folder)) ? 'unknown' : 'conflicting';
}
