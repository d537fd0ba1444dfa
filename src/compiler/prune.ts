import type { ContainedFolder } from '../disk/contained-folder.ts';

/** A partial file that is older was left by a process that was killed. */
const MAX_PARTIAL_AGE_MS = 60 * 60 * 1000;

/** The name of a complete file, and that of a partial one. */
const COMPLETE = /^[0-9a-f]{64}$/;
const PARTIAL = /^[0-9a-f]{64}\.[0-9a-f-]{36}$/;

/** The time of a file is that of its last use, within a day: repeated builds write nothing. */
const MAX_USE_AGE_MS = 24 * 60 * 60 * 1000;

interface CacheFile {
  name: string;
  bytes: number;
  modified: number;
  isPartial: boolean;
}

/**
 * Removes the least recently used files of a cache until the others fit, and partial files that were left behind. Files with
 * other names, and whatever links lead to, are not touched.
 * @param kind - the folder of the cache
 * @param used - names that are never removed; their times become those of their last use, within a day
 * @param maxBytes - of all files together
 */
export async function prune(
  folder: ContainedFolder,
  kind: string,
  used: ReadonlySet<string>,
  maxBytes: number,
): Promise<void> {
  const files = await filesOf(folder, kind);
  const abandoned = Date.now() - MAX_PARTIAL_AGE_MS;
  const complete = files.filter(({ isPartial }) => !isPartial);
  for (const { name } of files.filter(({ isPartial, modified }) => isPartial && modified < abandoned))
    await removed(folder, name);
  for (const { name } of complete.filter((file) => used.has(file.name))) folder.touch(name, MAX_USE_AGE_MS);
  let bytes = complete.reduce((sum, file) => sum + file.bytes, 0);
  const unused = complete.filter(({ name }) => !used.has(name));
  for (const file of unused.toSorted((a, b) => a.modified - b.modified || (a.name < b.name ? -1 : 1))) {
    if (bytes <= maxBytes) break;
    if (await removed(folder, file.name)) bytes -= file.bytes;
  }
}

async function filesOf(folder: ContainedFolder, kind: string): Promise<CacheFile[]> {
  const names = await listed(folder, kind, 'folder');
  const prefixes = names.filter((name) => /^[0-9a-f]{2}$/.test(name));
  const files: CacheFile[] = [];
  for (const prefix of prefixes) {
    for (const name of await listed(folder, `${kind}/${prefix}`, 'file')) {
      const isPartial = PARTIAL.test(name);
      if (!name.startsWith(prefix) || !(isPartial || COMPLETE.test(name))) continue;
      const stat = folder.fileStat(`${kind}/${prefix}/${name}`);
      if (stat !== undefined) files.push({ name: `${kind}/${prefix}/${name}`, ...stat, isPartial });
    }
  }
  return files;
}

/** The names of one kind in a folder; none in one that cannot be read, or is a link. */
async function listed(folder: ContainedFolder, name: string, kind: 'file' | 'folder'): Promise<string[]> {
  try {
    return (await folder.list(name)).filter((entry) => entry.kind === kind).map((entry) => entry.name);
  } catch {
    return [];
  }
}

/** Removes a file; false if it cannot be removed. */
async function removed(folder: ContainedFolder, name: string): Promise<boolean> {
  return folder.remove(name).then(
    () => true,
    () => false,
  );
}
