import path from 'node:path';
import { errorCode } from '../disk/files.ts';
import type { ContainedFolder } from '../disk/contained-folder.ts';
import { writableFolder } from '../git/tracked.ts';
import { rewrite, RewriteError } from './rewrite.ts';

/** A change of one file below the themes folder, whose name has `/`. Without `before` it is created, without `after` removed. */
export interface FileEdit {
  name: string;
  before?: Buffer | undefined;
  after?: Buffer | undefined;
  /** The permissions of a file that is created again. */
  mode?: number | undefined;
}

/** A change that can be undone: of a theme, called by a name that a person knows. */
export interface Step {
  slug: string;
  label: string;
  edits: readonly FileEdit[];
}

/** Each step keeps the images that it has removed or added. */
const MAX_STEPS = 50;

/** The changes that the pages of this server have made, and the changes that were undone, each with the latest last. */
export class History {
  readonly steps: Record<'undo' | 'redo', Step[]> = { undo: [], redo: [] };

  /** Adds a change, after which nothing can be made again. */
  add(step: Step): void {
    this.steps.undo = [...this.steps.undo, step].slice(-MAX_STEPS);
    this.steps.redo = [];
  }

  /**
   * Undoes the latest change, or makes the one again that was undone last. A step whose files have changed since is given up, so that it
   * does not bar the way to the steps before it.
   * @throws {RewriteError} if there is no such step, or one of its files has changed since; then nothing is written
   */
  async move(from: 'undo' | 'redo', themesDir: string): Promise<Step> {
    const step = this.steps[from].pop();
    if (step === undefined) throw new RewriteError(`there is nothing to ${from}`);
    const edits = step.edits.map(inverse).toReversed();
    await applyEdits(themesDir, edits);
    this.steps[from === 'undo' ? 'redo' : 'undo'].push({ ...step, edits });
    return step;
  }
}

/**
 * Carries out changes, each only if its file is as it was before.
 * @throws {RewriteError | ContainmentError} or an error of the system; then nothing has changed
 */
export async function applyEdits(themesDir: string, edits: readonly FileEdit[]): Promise<void> {
  const folder = writableFolder(themesDir);
  for (const [index, edit] of edits.entries()) {
    try {
      await applyEdit(folder, edit);
    } catch (error) {
      for (const done of edits.slice(0, index).toReversed())
        await applyEdit(folder, inverse(done)).catch(() => undefined);
      throw error;
    }
  }
}

function inverse({ name, before, after, mode }: FileEdit): FileEdit {
  return { name, before: after, after: before, mode };
}

async function applyEdit(folder: ContainedFolder, edit: FileEdit): Promise<void> {
  const { name, before, after, mode } = edit;
  if (before !== undefined && after !== undefined) return rewrite(folder, name, before, after);
  const parent = path.posix.dirname(name);
  if (after !== undefined) {
    const steps = parent === '.' ? [] : parent.split('/');
    for (const [index] of steps.entries())
      await folder.makeFolder(steps.slice(0, index + 1).join('/'), { isPrivate: false });
    await folder.create(name, after, 0o666).catch(async (error: unknown) => {
      if (errorCode(error) === 'EEXIST') throw new RewriteError(`${name} exists already`);
      await folder.remove(name); // a part of it, if the disk is full
      throw error;
    });
    if (mode !== undefined) await folder.chmod(name, mode);
    return;
  }
  const present = before && (await folder.read(name, before.length));
  if (before === undefined || present?.equals(before) !== true) throw new RewriteError(`${name} has changed`);
  edit.mode = folder.fileStat(name)?.mode;
  await folder.remove(name);
  if (parent !== '.') await folder.removeFolder(parent).catch(() => undefined); // unless other files are in it
}
