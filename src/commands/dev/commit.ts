import type { FileChange } from '../changes/proposal.ts';
import { git, revParse, runGit } from '../../system/git/git.ts';

/** Where a commit goes: from a branch at a commit, to the same or a new branch. */
export interface Place {
  root: string;
  from: string;
  parent: string;
  branch: string;
}

/** What Git printed, and whether all was done. */
export interface Outcome {
  ok: boolean;
  output: string;
  /** What the last command printed. */
  last: string;
}

/** The arguments of a Git command, and the files that it is about, if any. */
interface Step {
  args: readonly string[];
  files?: readonly FileChange[];
}

/** Runs Git commands until one fails, except those about no file. */
export async function runSteps(root: string, steps: readonly Step[]): Promise<Outcome> {
  let [output, last] = ['', ''];
  for (const { args, files } of steps) {
    if (files?.length === 0) continue;
    // Not `--literal-pathspecs`, which Git would pass on to hooks.
    const input = files?.map(({ name }) => `:(top,literal)${name}\0`).join('');
    const named = files === undefined ? [] : ['--pathspec-from-file=-', '--pathspec-file-nul'];
    const { ok, stdout, stderr } = await runGit(root, [...args, ...named], { input });
    last = [stdout.toString().trim(), stderr].map((text) => (text === '' ? '' : `${text}\n`)).join('');
    output += last;
    if (!ok) return { ok, output, last };
  }
  return { ok: true, output, last };
}

/**
 * Commits files of the working tree, and nothing else that is staged. If Git or a hook of it refuses, all steps are undone.
 * @param files - with names relative to the root
 */
export async function commitFiles(
  { root, from, parent, branch }: Place,
  files: readonly FileChange[],
  message: string,
): Promise<Outcome> {
  const outcome = await runSteps(root, [
    ...(from === branch ? [] : [{ args: ['switch', '-c', branch] }]),
    // Without this, Git knows no new file that `--only` could name.
    { args: ['add', '-N'], files: files.filter(isUnknown) },
    { args: ['commit', '--only', `--message=${message}`], files },
  ]);
  // A commit may exist although a later step of it, such as a hook, was stopped.
  if (outcome.ok || (await revParse(root, `refs/heads/${branch}^`)) === parent) return { ...outcome, ok: true };
  const undone = await undo({ root, from, branch }, files);
  return { ...outcome, output: outcome.last + (undone.ok ? '' : undone.output) };
}

/** Returns from a branch that has no commit of its own, and removes it. What others have staged stays. */
export async function undo(
  { root, from, branch }: Omit<Place, 'parent'>,
  files: readonly FileChange[],
): Promise<Outcome> {
  const isNew = from !== branch && (await revParse(root, `refs/heads/${branch}`)) !== undefined;
  const isThere = isNew && (await git(root, 'symbolic-ref', '--short', 'HEAD')) === branch;
  return runSteps(root, [
    { args: ['reset', '-q'], files: files.filter(isUnknown) },
    ...(isThere ? [{ args: ['switch', from] }] : []),
    ...(isNew ? [{ args: ['branch', '-d', branch] }] : []),
  ]);
}

const isUnknown = ({ isInIndex }: FileChange): boolean => !isInIndex;
