import { execFile } from 'node:child_process';
import { existsSync, lstatSync } from 'node:fs';
import { copyFile, mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { UsageError } from '../../../system/command-line/command.ts';
import { inQuotes, visible } from '../../../core/diagnostics/quote.ts';
import { errorCode, isFolder, readRegularFile } from '../../../system/disk/files.ts';
import { temporaryFolder } from '../../../system/disk/temporary-folder.ts';
import {
  git,
  GitError,
  gitText,
  isShallowClone,
  type Repository,
  repositoryOf,
  revParse,
  statusOf,
} from '../../../system/git/git.ts';
import { THEME_FILE } from '../../../core/theme/themes-folder.ts';

/** The themes before the changes: of a commit, or in a folder. */
export interface Base {
  /** Its name in reports: `main@9f3c1a2`, or a folder. */
  label: string;
  commit: string | undefined;
  /** The folder with its themes. */
  themesDir: string;
  close: () => Promise<void>;
}

/**
 * Opens the base of a comparison.
 * @param name - a folder of themes (`./before`, `../main/themes`, `/srv/themes`) or a Git revision. Default: the merge base with the
 * default branch of the remote
 * @throws {UsageError | GitError} if it cannot be read
 */
export async function openBase(name: string | undefined, themesDir: string): Promise<Base> {
  if (name !== undefined && (/^\.{0,2}(?:\/|$)/.test(name) || path.isAbsolute(name))) return folderBase(name);
  const repository = await repositoryOf(themesDir);
  if (repository === undefined)
    throw new UsageError(
      `${visible(themesDir)} is in no Git repository. Name a folder of themes to compare with, such as \`../before/themes\`.`,
    );
  const { root } = repository;
  const { revision, label } = name === undefined ? await defaultBase(root) : { revision: name, label: name };
  const commit = await revParse(root, `${revision}^{commit}`);
  if (commit === undefined) throw new UsageError(await notFound(root, revision));
  return commitBase(repository, commit, label);
}

/** Returns the id of the last commit; undefined if there is none, or Git cannot read it. */
export function lastCommitOf(themesDir: string): Promise<string | undefined> {
  return revParse(path.dirname(path.resolve(themesDir)), 'HEAD^{commit}');
}

async function folderBase(folder: string): Promise<Base> {
  // With an empty folder, every theme would be new, and nothing breaking.
  const names = (await isFolder(folder)) ? await readdir(folder) : [];
  if (!names.some((name) => existsSync(path.join(folder, name, THEME_FILE))))
    throw new UsageError(`There are no themes in ${visible(folder)}: no folder in it has a theme.yaml.`);
  return { label: folder, commit: undefined, themesDir: folder, close: async () => undefined };
}

/** Returns `main@9f3c1a2`, or only the commit if no branch is checked out. */
async function branchLabel(checkout: string, commit: string): Promise<string> {
  const branch = await git(checkout, 'symbolic-ref', '--quiet', '--short', 'HEAD');
  return [branch, commit.slice(0, 7)].filter(Boolean).join('@');
}

/** Returns the label of the current themes: branch and commit, or the working tree if Git lists uncommitted changes. */
export async function headOf(themesDir: string): Promise<string> {
  const repository = await repositoryOf(themesDir).catch(() => undefined);
  const commit = repository && (await revParse(repository.root, 'HEAD'));
  if (repository === undefined || commit === undefined) return themesDir;
  return (await statusOf(repository)).length > 0 ? 'the working tree' : branchLabel(repository.root, commit);
}

/** Finds the merge base with the default branch of the remote. */
async function defaultBase(checkout: string): Promise<{ revision: string; label: string }> {
  const head = await git(checkout, 'symbolic-ref', '--quiet', 'refs/remotes/origin/HEAD');
  for (const branch of [head ?? '', 'refs/remotes/origin/main', 'refs/remotes/origin/master']) {
    if (branch === '' || (await revParse(checkout, branch)) === undefined) continue;
    const revision = await git(checkout, 'merge-base', 'HEAD', branch);
    const label = branch.replace('refs/remotes/origin/', '');
    if (revision === undefined) throw new UsageError(await notFound(checkout, label));
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

/** Opens a commit: its themes are in a private folder outside the checkout. */
async function commitBase(repository: Repository, commit: string, name: string): Promise<Base> {
  const { root, themes } = repository;
  const temporary = await temporaryFolder('themecast-diff-');
  const close = (): Promise<void> => rm(temporary, { recursive: true, force: true });
  await extract(repository, commit, temporary).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const revision = name.replace('^{commit}', '');
  const label =
    revision === 'HEAD'
      ? await branchLabel(root, commit)
      : [commit.startsWith(revision) ? '' : revision, commit.slice(0, 7)].filter(Boolean).join('@');
  return { label, commit, themesDir: path.join(temporary, themes), close };
}

/** Files of one `git archive`: their names are arguments of a process. */
const MOST_ARCHIVED = 500;

/**
 * Writes the themes of a commit into a folder. Files that Git says are unchanged are copied from the working tree; the others come from `git archive`,
 * which applies the filters of a checkout, such as Git LFS and line ends. So a partial clone fetches the others only.
 * @throws {GitError} if Git fails, or leaves a file out
 */
async function extract({ root, themes }: Repository, commit: string, folder: string): Promise<void> {
  await mkdir(path.join(folder, themes), { recursive: true });
  const list = async (...args: string[]): Promise<string[]> =>
    (await gitText(root, '--literal-pathspecs', ...args, '-z', '--', themes)).split('\0').filter(Boolean);
  const compared = await list('diff', '--name-status', '--no-renames', '--ignore-submodules', commit);
  const kinds = new Map(compared.flatMap((kind, at) => (at % 2 === 0 ? [[compared[at + 1] ?? '', kind]] : [])));
  for (const name of await list('ls-files')) {
    const file = path.join(root, name);
    if (kinds.has(name) || !lstatSync(file, { throwIfNoEntry: false })?.isFile()) continue;
    await mkdir(path.join(folder, path.dirname(name)), { recursive: true });
    await copyFile(file, path.join(folder, name));
  }
  const changed = [...kinds].flatMap(([name, kind]) => (kind === 'A' ? [] : [name]));
  for (let at = 0; at < changed.length; at += MOST_ARCHIVED)
    await extractChanged(root, commit, changed.slice(at, at + MOST_ARCHIVED), folder);
}

async function extractChanged(root: string, commit: string, names: readonly string[], folder: string): Promise<void> {
  const archive = path.join(folder, '.tar');
  await gitText(root, '--literal-pathspecs', 'archive', '--format=tar', `--output=${archive}`, commit, '--', ...names);
  await promisify(execFile)('tar', ['-xf', archive, '-C', folder]).catch((error: unknown) => {
    throw errorCode(error) === 'ENOENT'
      ? new GitError('`tar` is not installed here, which reads what Git archives.')
      : error;
  });
  await rm(archive);
  const missing = names.find((file) => lstatSync(path.join(folder, file), { throwIfNoEntry: false }) === undefined);
  if (missing !== undefined)
    throw new GitError(
      `\`git archive\` leaves out ${missing}: the .gitattributes of ${commit.slice(0, 7)} has \`export-ignore\` for it. Compare with a folder of themes.`,
    );
}

/** Limits the size of a file: a `users.csv` of 10 million rows has half of this. */
const MAX_BYTES = 500_000_000;

/** Reads a regular file of the themes; undefined if there is none. @throws if the disk fails */
export async function bytesOf(name: string, themesDir: string): Promise<Buffer | undefined> {
  const bytes = await readRegularFile(path.join(themesDir, name), MAX_BYTES, themesDir);
  if ('problem' in bytes && bytes.problem === 'unreadable') throw bytes.error;
  return Buffer.isBuffer(bytes) ? bytes : undefined;
}
