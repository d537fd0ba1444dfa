import path from 'node:path';
import { type FileProblem, readBytes, readRegularFile } from '../../system/disk/files.ts';
import { type Entries, listEntries } from './entries.ts';
import { MAX_IMAGE_BYTES } from '../../core/theme/limits.ts';
import type { Sources } from './sources.ts';
import type { KeyedEntry } from '../store/theme-key.ts';

/** The folder of a theme on the disk, or as it would be after a change. */
export interface ThemeFiles extends Entries {
  slug: string;
  /** Returns the bytes of a file that is among the entries. */
  read(file: string, limit: number): Buffer | FileProblem;
  /** Returns why another file cannot be used; nothing if it can be read, but not under that exact name. */
  readUnlisted(file: string, limit: number): Promise<FileProblem | undefined>;
}

/** The folder of a theme by names and digests. */
export interface KeyedFolder {
  /** Undefined if a file or folder cannot be read. */
  entries: readonly KeyedEntry[] | undefined;
  /** The files that were read, by their path in the folder. */
  bytes: ReadonlyMap<string, Buffer>;
}

/** Returns the names and digests in the folder of a theme. Only changed files are read. */
export function keyedFolder(sources: Sources, slug: string): KeyedFolder {
  const bytes = new Map<string, Buffer>();
  const entries: KeyedEntry[] = [];
  for (const [place, kind] of sources.folder(slug) ?? []) {
    const name = place.slice(slug.length + 1);
    const file = kind === 'file' ? sources.table.digest(place, MAX_IMAGE_BYTES) : { sha256: '' };
    if ('problem' in file) return { entries: undefined, bytes };
    if ('bytes' in file && file.bytes !== undefined) bytes.set(name, file.bytes);
    entries.push([name, kind, file.sha256]);
  }
  return { entries: entries.length === 0 ? undefined : entries, bytes };
}

/**
 * Returns the folder of a theme on the disk, which may have been deleted since. Links below it are not followed.
 * @param bytes - files that have been read already
 */
export function filesOnDisk(themesDir: string, slug: string, bytes: KeyedFolder['bytes'] = new Map()): ThemeFiles {
  const folder = path.join(themesDir, slug);
  const entries = listEntries(folder, 'below') ?? { entries: [], unusable: [], unreadable: undefined };
  return {
    slug,
    ...entries,
    read: (file, limit) => {
      const retained = bytes.get(file);
      if (retained !== undefined)
        return retained.length > limit ? { problem: 'too-large', bytes: retained.length } : retained;
      const read = readBytes(path.join(folder, file), limit);
      return 'problem' in read ? read : read.bytes;
    },
    // The file is hidden, behind a link, or has a name that this file system mistakes for the same; most servers do not.
    readUnlisted: async (file, limit) => {
      const content = await readRegularFile(path.join(folder, file), limit, folder);
      return Buffer.isBuffer(content) ? undefined : content;
    },
  };
}
