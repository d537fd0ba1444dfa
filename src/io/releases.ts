import { createHash } from 'node:crypto';
import { rename, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { listedFiles } from './listed.ts';
import { CURRENT, liveRelease, RELEASE, type Tree } from './places.ts';
import { listTree, type Wanted } from './staging.ts';

/** Digits of the SHA-256 (hexadecimal) in the name of a release. */
const ID_DIGITS = 16;

/** Where a release goes below its tree, named by its contents: by the hash of `manifest.json`, or of all that is private. */
export function releaseOf({ list, isPrivate }: Tree, files: readonly Wanted[]): string {
  const manifest = isPrivate ? undefined : files.find((file) => file.path === list.file)?.sha256;
  const rows = files.map(({ path: file, sha256 }) => `${sha256} ${file}\n`);
  const id = manifest ?? createHash('sha256').update(rows.join('')).digest('hex');
  return `releases/${id.slice(0, ID_DIGITS)}`;
}

/** Makes a release live, by the one renaming of a link that was made in `staging`. */
export async function makeLive({ folder }: Pick<Tree, 'folder'>, staging: string, release: string): Promise<void> {
  if ((await liveRelease(folder)) === release) return;
  const link = path.join(staging, CURRENT);
  await rm(link, { force: true });
  await symlink(release, link);
  await rename(link, path.join(folder, CURRENT));
}

/** The files of a release that are themecast's: those that it lists, and media of earlier ones, whose names hold their hashes. */
export async function releaseFiles(tree: Tree, release: string): Promise<string[]> {
  if (!RELEASE.test(release)) return [];
  const root = path.join(tree.folder, release);
  const own = new Set(await listedFiles(root, tree));
  const files = [...(await listTree(root))].flatMap(([file, kind]) => (kind === 'file' ? [file] : []));
  return files
    .filter((file) => own.has(file) || /^media\/[^/]+\/[\w-]+\.[0-9a-f]{16}[-.][^/]+$/.test(file))
    .map((file) => `${release}/${file}`);
}
