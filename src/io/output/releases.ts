import { createHash } from 'node:crypto';
import { symlink } from 'node:fs/promises';
import { listedFiles } from './file-list.ts';
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
export async function makeLive({ dir }: Pick<Tree, 'dir'>, staging: string, release: string): Promise<void> {
  if ((await liveRelease(dir.path)) === release) return;
  const link = `${staging}/${CURRENT}`;
  await dir.remove(link);
  await symlink(release, dir.at(link)); // fails if anything has its name
  await dir.rename(link, CURRENT);
}

/** The name of a published image or thumbnail: it holds 16 digits of its SHA-256. */
const MEDIA_FILE = /^media\/[^/]+\/[\w-]+\.[0-9a-f]{16}[-.][^/]+$/;

export function isMediaFile(file: string): boolean {
  return MEDIA_FILE.test(file);
}

/** The files of a release that are themecast's: those that it lists, and media of earlier ones, whose names hold their hashes. */
export async function releaseFiles(tree: Tree, release: string): Promise<string[]> {
  if (!RELEASE.test(release)) return [];
  const own = new Set(await listedFiles(tree, release));
  const files = [...(await listTree(tree.dir, release))].flatMap(([file, kind]) => (kind === 'file' ? [file] : []));
  return files.filter((file) => own.has(file) || isMediaFile(file)).map((file) => `${release}/${file}`);
}
