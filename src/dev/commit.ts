import type { FileChange } from '../changes/proposal.ts';
import { git, revParse, runGit } from '../git/git.ts';

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
  const steps = new Steps(root);
  const isDone =
    (from === branch || (await steps.run(['switch', '-c', branch]))) &&
    // Without this, Git knows no new file that `--only` could name.
    (await steps.runFor(['add', '-N'], files.filter(isUnknown))) &&
    (await steps.runFor(['commit', '--only', `--message=${message}`], files));
  // A commit may exist although a later step of it, such as a hook, was stopped.
  const ok = isDone || (await revParse(root, `refs/heads/${branch}^`)) === parent;
  if (ok) return { ok, output: steps.output };
  const undone = await undo({ root, from, branch }, files);
  return { ok, output: steps.last + (undone.ok ? '' : undone.output) };
}

/** Returns from a branch that has no commit of its own, and removes it. What others have staged stays. */
export async function undo(
  { root, from, branch }: Omit<Place, 'parent'>,
  files: readonly FileChange[],
): Promise<Outcome> {
  const steps = new Steps(root);
  let ok = await steps.runFor(['reset', '-q'], files.filter(isUnknown));
  if (from === branch) return { ok, output: steps.output };
  if ((await git(root, 'symbolic-ref', '--short', 'HEAD')) === branch) ok = (await steps.run(['switch', from])) && ok;
  if ((await revParse(root, `refs/heads/${branch}`)) !== undefined)
    ok = (await steps.run(['branch', '-d', branch])) && ok;
  return { ok, output: steps.output };
}

const isUnknown = ({ isInIndex }: FileChange): boolean => !isInIndex;

/** Runs a command of Git. */
export async function runStep(root: string, args: readonly string[], input = ''): Promise<Outcome> {
  const { ok, stdout, stderr } = await runGit(root, args, { input });
  return { ok, output: [stdout.toString().trim(), stderr].map((text) => (text === '' ? '' : `${text}\n`)).join('') };
}

/** Runs commands of Git, and collects what they print. */
class Steps {
  readonly #root: string;
  output = '';
  /** What the last command has printed. */
  last = '';

  constructor(root: string) {
    this.#root = root;
  }

  async run(args: readonly string[], input = ''): Promise<boolean> {
    const { ok, output } = await runStep(this.#root, args, input);
    this.last = output;
    this.output += output;
    return ok;
  }

  /** Runs a command for some files; without files, none. Not `--literal-pathspecs`, which Git would pass on to hooks. */
  async runFor(args: readonly string[], files: readonly FileChange[]): Promise<boolean> {
    const input = files.map(({ name }) => `:(top,literal)${name}\0`).join('');
    return input === '' || this.run([...args, '--pathspec-from-file=-', '--pathspec-file-nul'], input);
  }
}
