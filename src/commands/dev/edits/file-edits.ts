import { accessSync, chownSync, constants, lstatSync } from 'node:fs';
import path from 'node:path';
import { errorCode, readRegularFile } from '../../../system/disk/files.ts';
import type { ContainedFolder } from '../../../system/disk/contained-folder.ts';
import { writableFolder } from '../../../system/disk/checkout.ts';

/** A file cannot be changed; the message says why. */
export class RewriteError extends Error {}

/** A change to one file below the themes folder, whose name has `/`. Without `before` it is created, without `after` removed. */
export interface FileEdit {
  name: string;
  before?: Buffer | undefined;
  after?: Buffer | undefined;
}

/** A change that can be undone, with a label for people. */
export interface Step {
  slug: string;
  label: string;
  edits: readonly FileEdit[];
}

/** Limits the memory: each step contains the images that it removed or added. */
const MAX_STEPS = 50;

/** The changes made by the pages of this server, and the undone changes, latest last. */
export class History {
  readonly steps: Record<'undo' | 'redo', Step[]> = { undo: [], redo: [] };

  /** Adds a change; undone changes can no longer be redone. */
  add(step: Step): void {
    this.steps.undo = [...this.steps.undo, step].slice(-MAX_STEPS);
    this.steps.redo = [];
  }

  /** Forgets all steps: on another branch, their files are others. */
  clear(): void {
    this.steps.undo = [];
    this.steps.redo = [];
  }

  /**
   * Undoes the latest change, or redoes the change undone last. A step that fails stays.
   * @throws {RewriteError} if there is no such step, or one of its files has changed since; then nothing is written
   */
  async move(from: 'undo' | 'redo', themesDir: string): Promise<Step> {
    const step = this.steps[from].at(-1);
    if (step === undefined) throw new RewriteError(`there is nothing to ${from}`);
    const edits = step.edits.map(inverse).toReversed();
    await applyEdits(themesDir, edits);
    this.steps[from].pop();
    this.steps[from === 'undo' ? 'redo' : 'undo'].push({ ...step, edits });
    return step;
  }
}

/** Makes one change of the removal and the creation of the same file, such as an image that replaces a placeholder. */
export function merged(edits: readonly FileEdit[]): FileEdit[] {
  const byName = new Map<string, FileEdit>();
  for (const edit of edits) {
    const other = byName.get(edit.name);
    byName.set(
      edit.name,
      other === undefined ? edit : { ...edit, before: edit.before ?? other.before, after: edit.after ?? other.after },
    );
  }
  return [...byName.values()];
}

/** The order of changes: images, then the texts that name them, then what no text names any more. A kill in between loses nothing. */
function rank({ name, after }: FileEdit): number {
  if (after === undefined) return 2;
  return /\.(?:yaml|csv)$/.test(name) ? 1 : 0;
}

/**
 * Applies changes, each only if its file has the expected content, and removes files last.
 * @throws {RewriteError | ContainmentError} or an error of the system; then nothing has changed
 */
export async function applyEdits(themesDir: string, all: readonly FileEdit[]): Promise<void> {
  const edits = all.toSorted((a, b) => rank(a) - rank(b));
  const folder = writableFolder(themesDir);
  for (const [index, edit] of edits.entries()) {
    try {
      await applyEdit(folder, edit);
    } catch (error) {
      for (const applied of edits.slice(0, index).toReversed())
        await applyEdit(folder, inverse(applied)).catch(() => undefined);
      throw error;
    }
  }
}

function inverse({ name, before, after }: FileEdit): FileEdit {
  return { name, before: after, after: before };
}

async function applyEdit(folder: ContainedFolder, { name, before, after }: FileEdit): Promise<void> {
  if (before !== undefined) {
    const present = await readRegularFile(folder.at(name), before.length);
    if (!Buffer.isBuffer(present) || !present.equals(before)) throw new RewriteError(`${name} has changed`);
    if (after !== undefined) return replace(folder, name, after);
  }
  const parent = path.posix.dirname(name);
  if (after !== undefined) {
    const steps = parent === '.' ? [] : parent.split('/');
    for (const [index] of steps.entries())
      await folder.makeFolder(steps.slice(0, index + 1).join('/'), { isPrivate: false });
    await folder.create(name, after, 0o666).catch(async (error: unknown) => {
      if (errorCode(error) === 'EEXIST') throw new RewriteError(`${name} exists already`);
      await folder.remove(name); // an incomplete file, if the disk is full
      throw error;
    });
    return;
  }
  await folder.remove(name);
  if (parent !== '.') await folder.removeFolder(parent).catch(() => undefined); // fails if other files are in it
}

/** Replaces a file: a reader gets the old bytes or the new ones, complete. Owner and permissions stay. */
async function replace(folder: ContainedFolder, name: string, after: Buffer): Promise<void> {
  const file = folder.at(name);
  const { uid, gid, mode } = lstatSync(file);
  accessSync(file, constants.W_OK);
  folder.store(name, after, mode & 0o777);
  await folder.chmod(name, mode & 0o777); // whatever the umask
  // In a container, `dev` runs as root, and the files belong to a user outside.
  if (process.getuid?.() === 0) chownSync(file, uid, gid);
}
