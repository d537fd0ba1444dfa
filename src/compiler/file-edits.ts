import path from 'node:path';
import { errorCode } from '../io/disk/files.ts';
import type { ContainedFolder } from '../io/disk/contained-folder.ts';
import { writableFolder } from '../io/disk/tracked.ts';
import { rewrite, RewriteError } from './rewrite.ts';
import { THEME_FILE } from '../theme/themes-folder.ts';

/** A change of one file below the themes folder, whose name has `/`. Without `before` it is created, without `after` removed. */
export interface FileEdit {
  name: string;
  before?: Buffer | undefined;
  after?: Buffer | undefined;
  /** The permissions of a file that is created again. */
  mode?: number | undefined;
}

/** Steps that can be undone, for each theme. */
const MAX_STEPS = 20;

/** The changes that the pages of this server have made, the latest last. */
export class History {
  readonly #steps = new Map<string, (readonly FileEdit[])[]>();

  /** How many changes of a theme can be undone. */
  count(slug: string): number {
    return this.#steps.get(slug)?.length ?? 0;
  }

  add(slug: string, edits: readonly FileEdit[]): void {
    this.#steps.set(slug, [...(this.#steps.get(slug) ?? []), edits].slice(-MAX_STEPS));
  }

  /** The themes of which the latest change is that they were deleted. */
  get deleted(): string[] {
    return [...this.#steps].flatMap(([slug, steps]) =>
      steps.at(-1)?.some(({ name, after }) => name === `${slug}/${THEME_FILE}` && after === undefined) ? [slug] : [],
    );
  }

  /** Undoes the latest change of a theme. @throws {RewriteError} if one of its files has changed since; then nothing is undone */
  async undo(slug: string, themesDir: string): Promise<void> {
    const steps = this.#steps.get(slug) ?? [];
    await applyEdits(themesDir, (steps.at(-1) ?? []).map(inverse).toReversed());
    steps.pop();
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
    for (const [index] of parent.split('/').entries())
      await folder.makeFolder(
        parent
          .split('/')
          .slice(0, index + 1)
          .join('/'),
        { isPrivate: false },
      );
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
  await folder.removeFolder(parent).catch(() => undefined); // unless other files are in it
}
