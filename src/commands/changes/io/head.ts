import { git, repositoryOf, statusOf } from '../../../system/git/git.ts';
import { type Base, branchLabel } from './base.ts';

/**
 * Returns the label of the current themes: branch and commit, or the working tree if Git lists uncommitted changes. For a merge made by the forge,
 * the commit is the head of the pull request.
 */
export async function headOf(themesDir: string, base: Base): Promise<string> {
  const repository = await repositoryOf(themesDir).catch(() => undefined);
  const ids = repository && (await git(repository.root, 'rev-list', '--parents', '--max-count=1', 'HEAD'));
  const [commit, ...parents] = ids?.split(' ') ?? [];
  if (repository === undefined || commit === undefined) return themesDir;
  if ((await statusOf(repository)).length > 0) return 'the working tree';
  const head = (parents.length === 2 && parents[0] === base.commit && parents[1]) || commit;
  return branchLabel(repository.root, head, 'head');
}
