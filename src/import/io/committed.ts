import { firstOf } from '../../diagnostics/quote.ts';
import { sha256Of } from '../../disk/files.ts';
import { checkoutOfThemes, themesAt } from '../../changes/io/base.ts';
import { changedFiles } from '../../changes/io/changed-files.ts';
import { git, MISSING_OBJECT, revParse, type Tree } from '../../git/git.ts';
import { ContainedFolder } from '../../disk/contained-folder.ts';
import { UsageError } from '../../command-line/command.ts';

/** The branch that holds what a service had: imports remove there the themes that have ended. */
const BRANCH = 'imported';
/** Greatest size of a file that is compared, in bytes. */
const MAX_BYTES = 128 * 1024 * 1024;

/** What Git has of some themes. */
export interface Committed {
  /** Whether all that is committed there came from imports. */
  isImported: boolean;
  /** The last commit, below the folder of the themes. The files here are as it has them. */
  tree: Tree;
}

/**
 * Compares the themes with the last commit: whatever an import replaces or removes can be had back from there. Without Git nothing is
 * committed, so what an import wrote is not written over by another one.
 * @throws {UsageError} if a file that is committed was changed or deleted since
 */
export async function readCommitted(themesDir: string): Promise<Committed> {
  const checkout = checkoutOfThemes(themesDir);
  const branch = checkout && (await git(checkout, 'symbolic-ref', '--quiet', '--short', 'HEAD'));
  const head = checkout && (await revParse(checkout, 'HEAD'));
  if (checkout === undefined || (branch === undefined && head === undefined))
    return { isImported: false, tree: new Map() };
  const tree = head === undefined ? new Map<string, never>() : await themesAt(head, checkout, themesDir);
  if (tree === undefined) throw new UsageError(MISSING_OBJECT);
  const changed = await changedFiles(themesDir, tree);
  if (changed.length > 0)
    throw new UsageError(
      `An import may write over what differs from the last commit: ${named(changed)}. Commit it, or take it back with \`git restore\`.`,
    );
  return { isImported: branch?.trim() === BRANCH, tree };
}

/**
 * Refuses to write over what is in no commit, unless it is what would be written: an import that was killed has left it.
 * @param files - the SHA-256 of each file that will be written
 * @throws {UsageError}
 */
export async function checkAdded(
  { tree }: Committed,
  themesDir: string,
  files: ReadonlyMap<string, string>,
): Promise<void> {
  const dir = new ContainedFolder(themesDir);
  const lost: string[] = [];
  for (const [name, sha256] of files) {
    const bytes = tree.has(name) ? undefined : await dir.read(name, MAX_BYTES);
    if (bytes !== undefined && sha256Of(bytes) !== sha256) lost.push(name);
  }
  if (lost.length === 0) return;
  throw new UsageError(`An import would write over what is not committed: ${named(lost)}. Commit it, or delete it.`);
}

const MAX_NAMED = 5;

function named(files: readonly string[]): string {
  return firstOf(
    files.map((file) => `themes/${file}`),
    MAX_NAMED,
  );
}
