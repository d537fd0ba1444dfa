import path from 'node:path';
import { firstOf } from '../../../core/diagnostics/quote.ts';
import { repositoryOf, statusOf } from '../../../system/git/git.ts';
import { UsageError } from '../../../system/command-line/command.ts';

const MAX_NAMED = 5;

/**
 * Refuses a themes folder with uncommitted changes: an import overwrites themes, and Git must be able to show and restore them.
 * @param hasThemes - whether there is something to overwrite
 * @throws {UsageError}
 */
export async function refuseUncommitted(themesDir: string, hasThemes: boolean): Promise<void> {
  const repository = await repositoryOf(themesDir);
  if (repository === undefined) {
    if (!hasThemes) return;
    throw new UsageError(
      'An import overwrites themes, and Git could not restore these. Put them into a repository and commit them first.',
    );
  }
  const rows = await statusOf(repository, '--untracked-files=all');
  if (rows.length === 0) return;
  const names = rows.map(({ name }) => path.join(path.basename(themesDir), name));
  throw new UsageError(
    `An import could overwrite uncommitted changes: ${firstOf(names, MAX_NAMED)}. Commit them, or undo them with \`git restore\` and \`git clean\`.`,
  );
}
