import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { OutputFile, PrivateFile } from '../document/output-file.ts';
import { mapConcurrently } from './concurrency.ts';
import { errorCode, isInside, READERS, sha256Of, systemReason } from './files.ts';

/** A folder of output, replaced as a whole. */
export interface Tree {
  folder: string;
  files: readonly (OutputFile | PrivateFile)[];
  /** A file that every tree of this kind has, and how it starts: a folder without it was not made by themecast and is never replaced. */
  mark: { file: string; start: RegExp };
  /** Whether only its owner may read it. */
  isPrivate: boolean;
}

/** The output cannot be written there; nothing was. */
export class PublishError extends Error {}

/**
 * Writes all trees or none. Each is staged beside its folder, so on the same file system, and then swapped in by renaming:
 * whoever stops the build before that leaves the old output as it was, and the next build clears away what was staged.
 * @param sources - folders that the build reads, the themes first: no tree may replace one, or lie among the themes
 */
export async function publish(trees: readonly Tree[], sources: readonly string[]): Promise<void> {
  const placed = trees.map((tree) => ({ ...tree, folder: path.resolve(tree.folder) }));
  await checkReplaceable(trees, sources);
  await putBack(placed.map(({ folder }) => folder));
  for (const { folder } of placed) await clearStaged(folder);
  const staged = placed.map((tree) => ({ ...tree, staging: besides(tree.folder, `staging-${randomUUID()}`) }));
  try {
    for (const tree of staged) await stage(tree).catch((error: unknown) => sayWhere(error, tree.folder));
    await swap(staged);
  } finally {
    for (const { staging } of staged) await rm(staging, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Names the folder that was asked for: system errors name the hidden one beside it. */
function sayWhere(error: unknown, folder: string): never {
  const code = errorCode(error);
  if (code === undefined) throw error;
  throw new PublishError(`${folder} cannot be written: ${systemReason(error)}.`, { cause: error });
}

/** `<parent>/.<name>.<purpose>`: beside the folder, hidden, and on its file system. */
function besides(folder: string, purpose: string): string {
  return path.join(path.dirname(folder), `.${path.basename(folder)}.${purpose}`);
}

/**
 * Puts back the old trees if a build was killed while it moved the new ones into their places. The old tree of the first folder
 * is moved away first and cleared away first: as long as it is there, the new trees do not count.
 */
export async function putBack(folders: readonly string[]): Promise<void> {
  const placed = folders.map((folder) => path.resolve(folder));
  const [first] = placed;
  const interrupted = first !== undefined && (await exists(besides(first, 'old')));
  for (const folder of placed.toReversed()) {
    const old = besides(folder, 'old');
    if (!(await exists(old))) continue;
    const whole = await exists(folder);
    if (whole && interrupted) await rename(folder, besides(folder, `staging-${randomUUID()}`));
    if (!whole || interrupted) await rename(old, folder);
    else await rm(old, { recursive: true, force: true });
  }
}

/** Clears away what killed builds staged. */
async function clearStaged(folder: string): Promise<void> {
  const prefix = path.basename(besides(folder, 'staging-'));
  const names = await readdir(path.dirname(folder)).catch(() => []);
  for (const name of names.filter((found) => found.startsWith(prefix))) {
    await rm(path.join(path.dirname(folder), name), { recursive: true, force: true });
  }
}

/** What of a tree is known before it is built. */
type Place = Pick<Tree, 'folder' | 'mark'>;

/** Throws a {@link PublishError} if the trees could not be put there; to be asked before anything is written. */
export async function checkReplaceable(places: readonly Place[], sources: readonly string[]): Promise<void> {
  const placed = places.map(({ folder, mark }) => ({ folder: path.resolve(folder), mark }));
  for (const place of placed) await checkPlace(place, placed, sources);
}

async function checkPlace({ folder, mark }: Place, trees: readonly Place[], sources: readonly string[]): Promise<void> {
  const other =
    trees.find((tree) => tree.folder !== folder && isInside(tree.folder, folder)) ??
    trees.find((tree) => tree.folder === folder && tree.mark.file !== mark.file);
  if (other !== undefined)
    throw new PublishError(`The output folders must not lie inside each other: ${folder} and ${other.folder}.`);
  const read = sources.find((source) => isInside(path.resolve(source), folder));
  if (read !== undefined)
    throw new PublishError(
      `${folder} would be replaced, and the build reads ${read} in it. Name another output folder.`,
    );
  const [themesDir] = sources;
  if (themesDir !== undefined && isInside(folder, path.resolve(themesDir)))
    throw new PublishError(
      `${folder} lies among the themes, where it would be read as one. Name another output folder.`,
    );
  const stat = await lstat(folder).catch(() => undefined);
  if (stat === undefined) return;
  if (!stat.isDirectory())
    throw new PublishError(`${folder} is not a folder. Move it away, or name another output folder.`);
  const names = await readdir(folder);
  const marked = await readFile(path.join(folder, mark.file), 'utf8').catch(() => '');
  if (names.length > 0 && !mark.start.test(marked)) {
    throw new PublishError(
      `${folder} holds files that themecast did not make. Empty it, or name another output folder.`,
    );
  }
}

async function stage({ files, staging, isPrivate }: Tree & { staging: string }): Promise<void> {
  const [folderMode, fileMode] = isPrivate ? [0o700, 0o600] : [0o755, 0o644];
  const folders = new Set(files.map((file) => path.dirname(path.join(staging, file.path))));
  for (const folder of [staging, ...folders]) await mkdir(folder, { recursive: true, mode: folderMode });
  await mapConcurrently(files, READERS, async (file) => {
    await writeFile(path.join(staging, file.path), await bytesOf(file), { mode: fileMode, flush: true });
  });
}

/** What a file holds; of a copy, only the bytes that were checked. */
async function bytesOf(file: OutputFile | PrivateFile): Promise<string | Uint8Array | Iterable<string>> {
  const { content } = file;
  if ('text' in content) return content.text;
  if ('parts' in content) return content.parts();
  const bytes = await readFile(content.copyOf);
  if (!('sha256' in file) || sha256Of(bytes) !== file.sha256)
    throw new PublishError(`${file.path} changed while the build ran. Build again.`);
  return bytes;
}

/** Moves every old tree away and every new one into its place; if one cannot be moved, all are put back. */
async function swap(staged: readonly { folder: string; staging: string }[]): Promise<void> {
  const undo: (() => Promise<void>)[] = [];
  const move = async (from: string, to: string): Promise<void> => {
    await rename(from, to);
    undo.unshift(() => rename(to, from));
  };
  try {
    for (const { folder, staging } of staged) {
      if (await exists(folder)) await move(folder, besides(folder, 'old'));
      await move(staging, folder);
    }
  } catch (error) {
    for (const back of undo) await back();
    throw error;
  }
  // Renamed first: what is half removed must never be taken for a whole tree.
  for (const { folder, staging } of staged) {
    if (await exists(besides(folder, 'old'))) await rename(besides(folder, 'old'), staging);
  }
}

async function exists(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}
