import { firstOf } from '../../diagnostics/quote.ts';
import { sha256Of } from '../../disk/files.ts';
import { git, gitText, repositoryOf, revParse, statusOf } from '../../git/git.ts';
import { ContainedFolder } from '../../disk/contained-folder.ts';
import { UsageError } from '../../command-line/command.ts';

/** On this branch, which contains only imports, themes that the source has deleted are removed. */
const IMPORT_BRANCH = 'imported';
const MAX_BYTES = 128 * 1024 * 1024;

/** The committed state of the themes. */
export interface Committed {
  /** Whether the branch contains only imports. */
  isImported: boolean;
  /** The files of the last commit below the themes folder. */
  tree: ReadonlySet<string>;
}

/**
 * Compares the themes with the last commit, so that Git can restore every file that an import replaces or removes. Without Git, the tree is
 * empty, and an import overwrites nothing.
 * @throws {UsageError | GitError} if a committed file has uncommitted changes, or Git refuses
 */
export async function readCommitted(themesDir: string): Promise<Committed> {
  const repository = await repositoryOf(themesDir);
  if (repository === undefined) return { isImported: false, tree: new Set() };
  const { root, themes } = repository;
  const branch = await git(root, 'symbolic-ref', '--quiet', '--short', 'HEAD');
  const head = await revParse(root, 'HEAD');
  const args = ['--literal-pathspecs', 'ls-tree', '-r', '-z', '--name-only', 'HEAD', '--', `${themes}/`];
  const names = head === undefined ? [] : (await gitText(root, ...args)).split('\0').slice(0, -1);
  const tree = new Set(names.map((name) => name.slice(themes.length + 1)));
  const rows = await statusOf(repository, '--untracked-files=no');
  const changed = rows.map(({ name }) => name).filter((name) => tree.has(name));
  if (changed.length > 0)
    throw new UsageError(
      `An import could overwrite uncommitted changes: ${fileList(changed)}. Commit them, or undo them with \`git restore\`.`,
    );
  return { isImported: branch === IMPORT_BRANCH, tree };
}

/**
 * Refuses to overwrite uncommitted files, unless they have the new content already, after an interrupted import.
 * @param files - the SHA-256 of each new file
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
  throw new UsageError(`An import would overwrite uncommitted files: ${fileList(lost)}. Commit or delete them.`);
}

const MAX_NAMED = 5;

function fileList(files: readonly string[]): string {
  return firstOf(
    files.map((file) => `themes/${file}`),
    MAX_NAMED,
  );
}
