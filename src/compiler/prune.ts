import type { ContainedFolder } from '../disk/contained-folder.ts';

/** Older partial files were left by killed processes. */
const MAX_PARTIAL_AGE_MS = 60 * 60 * 1000;

const COMPLETE = /^[0-9a-f]{64}$/;
const PARTIAL = /^[0-9a-f]{64}\.[0-9a-f-]{36}$/;

/** The time of a file is its last use, accurate to a day, so that repeated builds write nothing. */
const MAX_USE_AGE_MS = 24 * 60 * 60 * 1000;

interface CacheFile {
  name: string;
  bytes: number;
  modified: number;
  isPartial: boolean;
}

/**
 * Removes the least recently used files of a cache until the others fit, and partial files of killed processes. Files with other names, and the
 * targets of links, are left alone.
 * @param kind - the folder in the cache
 * @param used - names that are never removed; their times are set to now, at most once a day
 */
export async function prune(
  folder: ContainedFolder,
  kind: string,
  used: ReadonlySet<string>,
  maxBytes: number,
): Promise<void> {
  const files = await filesOf(folder, kind);
  const oldestPartial = Date.now() - MAX_PARTIAL_AGE_MS;
  const complete = files.filter(({ isPartial }) => !isPartial);
  for (const { name } of files.filter(({ isPartial, modified }) => isPartial && modified < oldestPartial))
    await tryRemove(folder, name);
  for (const { name } of complete.filter((file) => used.has(file.name))) folder.touch(name, MAX_USE_AGE_MS);
  let bytes = complete.reduce((sum, file) => sum + file.bytes, 0);
  const unused = complete.filter(({ name }) => !used.has(name));
  for (const file of unused.toSorted((a, b) => a.modified - b.modified || (a.name < b.name ? -1 : 1))) {
    if (bytes <= maxBytes) break;
    if (await tryRemove(folder, file.name)) bytes -= file.bytes;
  }
}

async function filesOf(folder: ContainedFolder, kind: string): Promise<CacheFile[]> {
  const names = await namesOf(folder, kind, 'folder');
  const prefixes = names.filter((name) => /^[0-9a-f]{2}$/.test(name));
  const files: CacheFile[] = [];
  for (const prefix of prefixes) {
    for (const name of await namesOf(folder, `${kind}/${prefix}`, 'file')) {
      const isPartial = PARTIAL.test(name);
      if (!name.startsWith(prefix) || !(isPartial || COMPLETE.test(name))) continue;
      const stat = folder.fileStat(`${kind}/${prefix}/${name}`);
      if (stat !== undefined) files.push({ name: `${kind}/${prefix}/${name}`, ...stat, isPartial });
    }
  }
  return files;
}

/** Returns the names of one kind in a folder; none if it cannot be read, or is a link. */
async function namesOf(folder: ContainedFolder, name: string, kind: 'file' | 'folder'): Promise<string[]> {
  try {
    return (await folder.list(name)).filter((entry) => entry.kind === kind).map((entry) => entry.name);
  } catch {
    return [];
  }
}

/** Tries to remove a file. @returns whether it was removed */
async function tryRemove(folder: ContainedFolder, name: string): Promise<boolean> {
  return folder.remove(name).then(
    () => true,
    () => false,
  );
}
