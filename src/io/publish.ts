import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { OutputFile } from '../document/output-file.ts';
import { mapConcurrently } from './concurrency.ts';
import { errorCode, isInside, READERS, sha256Of } from './files.ts';

/** A folder of output, replaced as a whole. */
export interface Tree {
  folder: string;
  files: readonly OutputFile[];
  /** A file that every earlier tree of this kind has: a folder without it was not made by themecast and is never replaced. */
  mark: string;
  /** Whether only its owner may read it. */
  isPrivate: boolean;
}

/** The output cannot be written there; nothing was. */
export class PublishError extends Error {}

/**
 * Writes all trees or none. Each is staged beside its folder, so on the same file system, and then swapped in by renaming:
 * whoever stops the build before that leaves the old output as it was, and the next build clears away what was staged.
 */
export async function publish(trees: readonly Tree[]): Promise<void> {
  const placed = trees.map((tree) => ({ ...tree, folder: path.resolve(tree.folder) }));
  for (const tree of placed) await recover(tree.folder);
  for (const tree of placed) await checkReplaceable(tree, placed);
  const staged = placed.map((tree) => ({ ...tree, staging: besides(tree.folder, `staging-${randomUUID()}`) }));
  try {
    for (const tree of staged) await stage(tree);
    for (const tree of staged) await swap(tree.folder, tree.staging);
  } finally {
    for (const { staging } of staged) await rm(staging, { recursive: true, force: true });
  }
}

/** `<parent>/.<name>.<purpose>`: beside the folder, hidden, and on its file system. */
function besides(folder: string, purpose: string): string {
  return path.join(path.dirname(folder), `.${path.basename(folder)}.${purpose}`);
}

/** Mends what a build that was killed left behind: the old output if it had just been moved away, and half-staged trees. */
async function recover(folder: string): Promise<void> {
  const old = besides(folder, 'old');
  if (!(await exists(folder)) && (await exists(old))) await rename(old, folder);
  await rm(old, { recursive: true, force: true });
  const prefix = path.basename(besides(folder, 'staging-'));
  const names = await readdir(path.dirname(folder)).catch(() => []);
  for (const name of names.filter((found) => found.startsWith(prefix))) {
    await rm(path.join(path.dirname(folder), name), { recursive: true, force: true });
  }
}

async function checkReplaceable({ folder, mark }: Tree, trees: readonly Tree[]): Promise<void> {
  const other =
    trees.find((tree) => tree.folder !== folder && isInside(tree.folder, folder)) ??
    trees.find((tree) => tree.folder === folder && tree.mark !== mark);
  if (other !== undefined)
    throw new PublishError(`The output folders must not lie inside each other: ${folder} and ${other.folder}.`);
  const stat = await lstat(folder).catch(() => undefined);
  if (stat === undefined) return;
  if (!stat.isDirectory())
    throw new PublishError(`${folder} is not a folder. Move it away, or name another output folder.`);
  const names = await readdir(folder);
  if (names.length > 0 && !names.includes(mark)) {
    throw new PublishError(
      `${folder} holds files that themecast did not make. Empty it, or name another output folder.`,
    );
  }
}

async function stage({ files, staging, isPrivate }: Tree & { staging: string }): Promise<void> {
  const [folderMode, fileMode] = isPrivate ? [0o700, 0o600] : [0o755, 0o644];
  const folders = new Set(files.map((file) => path.dirname(path.join(staging, file.path))));
  for (const folder of [staging, ...folders]) await mkdir(folder, { recursive: true, mode: folderMode });
  await mapConcurrently(files, READERS, async ({ path: name, content, sha256 }) => {
    const bytes = 'text' in content ? content.text : await readFile(content.copyOf);
    if (typeof bytes !== 'string' && sha256Of(bytes) !== sha256)
      throw new PublishError(`${name} changed while the build ran. Build again.`);
    await writeFile(path.join(staging, name), bytes, { mode: fileMode, flush: true });
  });
}

async function swap(folder: string, staging: string): Promise<void> {
  const old = besides(folder, 'old');
  try {
    await rename(folder, old);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
  await rename(staging, folder);
  await rm(old, { recursive: true, force: true });
}

async function exists(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}
