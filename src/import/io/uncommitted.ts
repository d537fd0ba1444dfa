import path from 'node:path';
import { firstOf } from '../../diagnostics/quote.ts';
import { git } from '../../git/git.ts';
import { checkoutOf } from '../../git/tracked.ts';
import { UsageError } from '../../command-line/command.ts';

const MAX_NAMED = 5;

/**
 * Refuses a themes folder with uncommitted changes: an import overwrites themes, and Git must be able to show and restore them.
 * @param hasThemes - whether there is something to overwrite
 * @throws {UsageError}
 */
export async function refuseUncommitted(themesDir: string, hasThemes: boolean): Promise<void> {
  const checkout = checkoutOf(themesDir);
  const status =
    checkout &&
    (await git(checkout, 'status', '--porcelain', '-z', '--no-renames', '--untracked-files=all', '--', themesDir));
  if (status === undefined && hasThemes)
    throw new UsageError(
      'An import overwrites themes, and Git could not restore these. Put them into a repository and commit them first.',
    );
  if (checkout === undefined || !status) return;
  const names = status
    .split('\0')
    .slice(0, -1)
    .map((entry) => path.relative(path.dirname(themesDir), path.join(checkout, entry.slice(3))));
  throw new UsageError(
    `An import could overwrite uncommitted changes: ${firstOf(names, MAX_NAMED)}. Commit them, or undo them with \`git restore\` and \`git clean\`.`,
  );
}
