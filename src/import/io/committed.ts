import path from 'node:path';
import { firstOf } from '../../diagnostics/quote.ts';
import { isFolder, sha256Of } from '../../io/disk/files.ts';
import { git, isBlob, listTree, revParse, type Tree } from '../../io/git.ts';
import { ContainedFolder } from '../../io/disk/contained-folder.ts';
import { checkoutOf } from '../../io/disk/tracked.ts';
import { isImportedName } from './check-images.ts';
import { UsageError } from '../../command-line/command.ts';

/** The branch that holds what a service had: imports remove there the themes that have ended. */
const BRANCH = 'imported';
/** Greatest size of a file that is compared, in bytes. */
const MAX_BYTES = 128 * 1024 * 1024;

/** What Git has of some themes, and what it has not. */
export interface Committed {
  /** Whether they are in a repository, with Git to read it. */
  hasGit: boolean;
  /** Whether all that is committed there came from imports. */
  isImported: boolean;
  /** Files that the last commit has not, below the folder of the themes; without Git, all. */
  added: readonly string[];
  /** Those of them that Git ignores. */
  ignored: ReadonlySet<string>;
  /** Links that are committed. */
  links: readonly string[];
}

/**
 * Compares the themes with the last commit: whatever an import replaces or removes can be had back from there.
 * @throws {UsageError} if a file that is committed was changed or deleted since
 */
export async function readCommitted(themesDir: string): Promise<Committed> {
  const dir = new ContainedFolder(themesDir);
  const checkout = checkoutOf(path.dirname(dir.path));
  const branch = checkout === undefined ? undefined : await git(checkout, 'symbolic-ref', '--quiet', '--short', 'HEAD');
  const head = checkout === undefined ? undefined : await revParse(checkout, 'HEAD');
  if (checkout === undefined || (branch === undefined && head === undefined))
    return { hasGit: false, isImported: false, added: await filesIn(dir), ignored: new Set(), links: [] };
  const below = `${path.relative(checkout, dir.path).replaceAll(path.sep, '/')}/`;
  const tree = head === undefined ? new Map<string, never>() : await listTree(checkout, 'HEAD', below);
  const list = (...flags: string[]) => git(checkout, 'ls-files', '--others', ...flags, '-z', '--', below);
  const [untracked, hidden] = [await list('--cached'), await list('--ignored', '--exclude-standard')];
  if (tree === undefined || untracked === undefined || hidden === undefined)
    throw new UsageError(
      'Git cannot list the last commit. If this clone lacks a part of it, run `git fetch --refetch --filter=blob:none`.',
    );
  const changed = await changedFiles(dir, tree);
  if (changed.length > 0)
    throw new UsageError(
      changed.length === 1
        ? `${named(changed)} differs from the last commit, and an import may write over it. Commit the change, or take it back with \`git restore\`.`
        : `${named(changed)} differ from the last commit, and an import may write over them. Commit the changes, or take them back with \`git restore\`.`,
    );
  const namesIn = (text: string): string[] =>
    text.split('\0').flatMap((name) => (name.startsWith(below) ? [name.slice(below.length)] : []));
  const added = namesIn(untracked).filter((name) => !tree.has(name));
  const links = [...tree].flatMap(([name, { kind }]) => (kind === 'link' ? [name] : []));
  const ignored = new Set(namesIn(hidden));
  return { hasGit: true, isImported: branch?.trim() === BRANCH, added, ignored, links };
}

/**
 * Refuses to write over what is in no commit, unless it is what would be written: an import that was killed has left it.
 * @param files - the SHA-256 of each file that will be written
 * @param gone - folders that will be removed
 * @throws {UsageError}
 */
export async function checkAdded(
  { hasGit, added, ignored, links }: Committed,
  themesDir: string,
  files: ReadonlyMap<string, string>,
  gone: readonly string[],
): Promise<void> {
  const link = links.find((name) => files.has(name));
  if (link !== undefined)
    throw new UsageError(
      `${named([link])} is a link, and links are not followed. Put a file in its place, and commit it.`,
    );
  const dir = new ContainedFolder(themesDir);
  const lost: string[] = [];
  for (const name of added) {
    const sha256 = files.get(name);
    const bytes = sha256 === undefined ? undefined : await dir.read(name, MAX_BYTES);
    const isGone = gone.includes(name.split('/', 1)[0] ?? '');
    const isPartial = files.has(wholeName(name)) && wholeName(name) !== name;
    // Not in the way: settings and users, and what Git ignores, unless it has the name of an image.
    const isBeside =
      sha256 === undefined &&
      (!name.includes('/') || (ignored.has(name) && !isImportedName(path.posix.basename(name))));
    if (isGone || (!isPartial && !isBeside && (bytes === undefined || sha256Of(bytes) !== sha256))) lost.push(name);
  }
  if (lost.length === 0) return;
  throw new UsageError(
    hasGit
      ? `${named(lost)} ${lost.length === 1 ? 'is' : 'are'} not committed, so an import could not be told from it. Commit or delete ${lost.length === 1 ? 'it' : 'them'} first.`
      : `${named(lost)} ${lost.length === 1 ? 'is' : 'are'} here already, and without Git only the first import can be told from what is yours. Run \`git init\`, commit, and import again.`,
  );
}

/** A file that {@link ContainedFolder.store} has not renamed yet. */
const PARTIAL = /^(.+)\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The name that a file gets once it is written completely. */
export function wholeName(file: string): string {
  return PARTIAL.exec(file)?.[1] ?? file;
}

/** The files that have other bytes now, or are gone. */
async function changedFiles(dir: ContainedFolder, tree: Tree): Promise<string[]> {
  const changed: string[] = [];
  for (const [name, { id, kind }] of tree) {
    if (kind === 'link') continue;
    const bytes = await dir.read(name, MAX_BYTES);
    if (bytes === undefined || !isBlob(bytes, id)) changed.push(name);
  }
  return changed;
}

async function filesIn(dir: ContainedFolder): Promise<string[]> {
  if (!(await isFolder(dir.path))) return [];
  const files: string[] = [];
  for (const { name, kind } of await dir.list())
    if (kind === 'file') files.push(name);
    else if (kind === 'folder' && !name.startsWith('.'))
      files.push(
        ...(await dir.list(name)).flatMap((entry) => (entry.kind === 'file' ? [`${name}/${entry.name}`] : [])),
      );
  return files;
}

const MAX_NAMED = 5;

function named(files: readonly string[]): string {
  return firstOf(
    files.map((file) => `themes/${file}`),
    MAX_NAMED,
  );
}
