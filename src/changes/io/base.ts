import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { UsageError } from '../../command-line/command.ts';
import { inQuotes, visible } from '../../diagnostics/quote.ts';
import { isPathBelow } from '../../disk/contained-folder.ts';
import { isFolder, readRegularFile, sha256Of } from '../../disk/files.ts';
import { temporaryFolder } from '../../disk/temporary-folder.ts';
import { checkoutOf } from '../../git/tracked.ts';
import { THEME_FILE } from '../../theme/themes-folder.ts';
import { requireGit } from '../../command-line/require-git.ts';
import {
  git,
  isShallowClone,
  lfsTarget,
  listTree,
  MISSING_OBJECT,
  readBlobs,
  revParse,
  type Tree,
} from '../../git/git.ts';

/** The themes before the changes: of a commit, or in a folder. */
export interface Base {
  /** Its name in reports: `main@9f3c1a2`, or a folder. */
  label: string;
  commit: string | undefined;
  /** The id of the Git tree of the themes; undefined for a folder. */
  tree: string | undefined;
  /** Returns a folder with at least the wanted files. */
  folder: (isWanted: (name: string) => boolean) => Promise<string>;
  close: () => Promise<void>;
}

/**
 * Opens the base of a comparison.
 * @param name - a folder of themes (`./before`, `../main/themes`, `/srv/themes`) or a Git revision. Default: the merge base with the
 * default branch of the remote
 * @throws {UsageError} if it cannot be read
 */
export async function openBase(name: string | undefined, themesDir: string): Promise<Base> {
  if (name !== undefined && (/^\.{0,2}(?:\/|$)/.test(name) || path.isAbsolute(name))) return folderBase(name);
  const checkout = checkoutOfThemes(themesDir);
  // An untrusted branch could contain a folder named like a revision. A name with `^`, `~`, `:` or `@{` can only be a revision.
  if (name !== undefined && !/[\^~:]|@\{/.test(name) && (await isFolder(name)))
    throw new UsageError(
      `There is a folder ${inQuotes(name)}: write ${inQuotes(`./${name}`)} to compare with it, or ${inQuotes(`${name}^{commit}`)} for a Git revision.`,
    );
  await requireGit(themesDir);
  if (checkout === undefined)
    throw new UsageError(
      `${visible(themesDir)} is in no Git repository. Name a folder of themes to compare with, such as \`../before/themes\`.`,
    );
  const { revision, label } = name === undefined ? await defaultBase(checkout) : { revision: name, label: name };
  const commit = await revParse(checkout, `${revision}^{commit}`);
  if (commit === undefined) throw new UsageError(await notFound(checkout, revision));
  return commitBase(checkout, commit, label, themesDir);
}

/** Opens the last commit; undefined if there is none, or objects of it are missing. */
export async function openLastCommit(themesDir: string): Promise<Base | undefined> {
  const checkout = checkoutOfThemes(themesDir);
  const commit = checkout && (await revParse(checkout, 'HEAD^{commit}'));
  return checkout && commit ? commitBase(checkout, commit, 'HEAD', themesDir).catch(() => undefined) : undefined;
}

export function checkoutOfThemes(themesDir: string): string | undefined {
  return checkoutOf(path.dirname(path.resolve(themesDir)));
}

/** Lists the files of the themes at a commit; undefined if objects of it are missing. */
export function themesAt(commit: string, checkout: string, themesDir: string): Promise<Tree | undefined> {
  return listTree(checkout, commit, `${placeIn(checkout, themesDir)}/`);
}

function placeIn(checkout: string, themesDir: string): string {
  return path.relative(checkout, path.resolve(themesDir)).replaceAll(path.sep, '/');
}

async function folderBase(folder: string): Promise<Base> {
  // With an empty folder, every theme would be new, and nothing breaking.
  const names = (await isFolder(folder)) ? await readdir(folder) : [];
  if (!names.some((name) => existsSync(path.join(folder, name, THEME_FILE))))
    throw new UsageError(`There are no themes in ${visible(folder)}: no folder in it has a theme.yaml.`);
  const checkout = checkoutOfThemes(folder);
  const commit = checkout && (await revParse(checkout, 'HEAD'));
  // Only in a CI, which has just checked it out, is the folder sure to equal its commit.
  const label = checkout && commit && ciBranch('base') ? await branchLabel(checkout, commit, 'base') : folder;
  return { label, commit, tree: undefined, folder: async () => folder, close: async () => undefined };
}

const CI_BRANCHES = {
  base: ['GITHUB_BASE_REF', 'CI_MERGE_REQUEST_TARGET_BRANCH_NAME'],
  head: ['GITHUB_HEAD_REF', 'CI_MERGE_REQUEST_SOURCE_BRANCH_NAME'],
};

/** Returns the branch of a pull request in a CI, which checks out a commit without branch. */
function ciBranch(side: keyof typeof CI_BRANCHES): string | undefined {
  return CI_BRANCHES[side].map((name) => process.env[name]).find(Boolean);
}

/** Returns `main@9f3c1a2`, or only the commit if it is on no branch. */
export async function branchLabel(checkout: string, commit: string, side: keyof typeof CI_BRANCHES): Promise<string> {
  const current = (await git(checkout, 'symbolic-ref', '--quiet', '--short', 'HEAD'))?.trim();
  return [current || ciBranch(side), commit.slice(0, 7)].filter(Boolean).join('@');
}

/** Finds the merge base with the default branch of the remote. */
async function defaultBase(checkout: string): Promise<{ revision: string; label: string }> {
  const head = (await git(checkout, 'symbolic-ref', '--quiet', 'refs/remotes/origin/HEAD'))?.trim();
  for (const branch of [head ?? '', 'refs/remotes/origin/main', 'refs/remotes/origin/master']) {
    if (branch === '' || (await revParse(checkout, branch)) === undefined) continue;
    const revision = (await git(checkout, 'merge-base', 'HEAD', branch))?.trim();
    const label = branch.replace('refs/remotes/origin/', '');
    if (revision === undefined || revision === '') throw new UsageError(await notFound(checkout, label));
    return { revision, label };
  }
  if ((await revParse(checkout, 'HEAD')) === undefined) throw new UsageError(NO_COMMIT);
  throw new UsageError(
    'There is no branch of a remote `origin` to compare with. Name a revision such as `HEAD~1`, or a folder of themes such as `../before/themes`.',
  );
}

const NO_COMMIT =
  'There is no commit to compare with yet. Commit the themes (`git add --all && git commit -m Themes`), and compare after the next change.';

async function notFound(checkout: string, revision: string): Promise<string> {
  if ((await revParse(checkout, 'HEAD')) === undefined) return NO_COMMIT;
  return (await isShallowClone(checkout))
    ? `This clone is shallow, and lacks the history to ${inQuotes(revision)}. Run \`git fetch --unshallow origin\`; in CI, let the checkout fetch all (GitHub: \`fetch-depth: 0\`, GitLab: \`GIT_DEPTH: 0\`).`
    : `There is no revision ${inQuotes(revision)}, or it shares no history with this branch. If it is a branch of the remote, run \`git fetch origin\`; a folder is written \`./folder\`.`;
}

/** Opens a commit. Only wanted files are written, to a private folder outside the checkout. */
async function commitBase(checkout: string, commit: string, name: string, themesDir: string): Promise<Base> {
  const [files, tree] = await Promise.all([
    themesAt(commit, checkout, themesDir),
    revParse(checkout, `${commit}:${placeIn(checkout, themesDir)}`),
  ]);
  if (files === undefined) throw new UsageError(MISSING_OBJECT);
  let temporary: string | undefined;
  const folder: Base['folder'] = async (isWanted) => {
    temporary ??= await temporaryFolder('themecast-diff-');
    const themes = path.join(temporary, path.basename(path.resolve(themesDir)));
    await mkdir(themes, { recursive: true });
    const wantedFiles = [...files].filter(([file, { kind }]) => kind === 'file' && isWanted(file) && isPathBelow(file));
    const ids = wantedFiles.map(([, { id }]) => id);
    const blobs = readBlobs(checkout, ids);
    for (const [file] of wantedFiles) {
      const { value: bytes } = await blobs.next();
      await mkdir(path.dirname(path.join(themes, file)), { recursive: true });
      await writeFile(path.join(themes, file), await withoutPointer(bytes, file, themesDir, checkout), { mode: 0o600 });
    }
    return themes;
  };
  const close = async (): Promise<void> => {
    if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
  };
  const revision = name.replace('^{commit}', '');
  const branch = commit.startsWith(revision) ? ciBranch('base') : revision;
  const label =
    revision === 'HEAD'
      ? await branchLabel(checkout, commit, 'base')
      : [branch, commit.slice(0, 7)].filter(Boolean).join('@');
  return { label, commit, tree, folder, close };
}

/** Replaces a pointer of Git LFS with a local copy of the file, if one has the same digest. */
async function withoutPointer(bytes: Buffer, name: string, themesDir: string, checkout: string): Promise<Buffer> {
  const sha256 = lfsTarget(bytes);
  if (sha256 === undefined) return bytes;
  const common = (await git(checkout, 'rev-parse', '--path-format=absolute', '--git-common-dir'))?.trim() ?? '';
  const stored = path.join('lfs/objects', sha256.slice(0, 2), sha256.slice(2, 4), sha256);
  for (const file of [await bytesOf(name, themesDir), await bytesOf(stored, common)])
    if (file !== undefined && sha256Of(file) === sha256) return file;
  return bytes;
}

/** Limits the size of a file: a `users.csv` of 10 million rows has half of this. */
const MAX_BYTES = 500_000_000;

/** Reads a file of a base; undefined if there is none. */
export async function bytesAt(base: Base, name: string): Promise<Buffer | undefined> {
  return bytesOf(name, await base.folder((file) => file === name));
}

/** Reads a regular file of the themes; undefined if there is none. @throws if the disk fails */
export async function bytesOf(name: string, themesDir: string): Promise<Buffer | undefined> {
  const bytes = await readRegularFile(path.join(themesDir, name), MAX_BYTES, themesDir);
  if ('problem' in bytes && bytes.problem === 'unreadable') throw bytes.error;
  return Buffer.isBuffer(bytes) ? bytes : undefined;
}
