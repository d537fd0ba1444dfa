import path from 'node:path';
import { type FileProblem, readBytes, readRegularFile, sha256Of } from '../../system/disk/files.ts';
import { type Entries, listEntries } from './entries.ts';
import { MAX_IMAGE_BYTES } from '../../core/theme/limits.ts';
import type { Sources } from './sources.ts';
import type { KeyedEntry } from '../store/theme-key.ts';

/** The bytes of a file with their digest. */
export interface ReadFile {
  bytes: Buffer;
  sha256: string;
}

/** The folder of a theme on the disk, or as it would be after a change. */
export interface ThemeFiles extends Entries {
  slug: string;
  /** Returns a file that is among the entries. */
  read(file: string, limit: number): ReadFile | FileProblem;
  /** Returns why another file cannot be used; nothing if it can be read, but not under that exact name. */
  readUnlisted(file: string, limit: number): Promise<FileProblem | undefined>;
}

/** The folder of a theme by names and digests. */
export interface KeyedFolder {
  /** Undefined if a file or folder cannot be read. */
  entries: readonly KeyedEntry[] | undefined;
  /** The files that were read, by their path in the folder. */
  files: ReadonlyMap<string, ReadFile>;
}

/** Returns the names and digests in the folder of a theme. Only changed files are read. */
export function keyedFolder(sources: Sources, slug: string): KeyedFolder {
  const files = new Map<string, ReadFile>();
  const entries: KeyedEntry[] = [];
  for (const [place, kind] of sources.folder(slug) ?? []) {
    const name = place.slice(slug.length + 1);
    const file = kind === 'file' ? sources.table.digest(place, MAX_IMAGE_BYTES) : { sha256: '' };
    if ('problem' in file) return { entries: undefined, files };
    if ('bytes' in file && file.bytes !== undefined) files.set(name, { bytes: file.bytes, sha256: file.sha256 });
    entries.push([name, kind, file.sha256]);
  }
  return { entries: entries.length === 0 ? undefined : entries, files };
}

/**
 * Returns the folder of a theme on the disk, which may have been deleted since. Links below it are not followed.
 * @param known - files that have been read already
 */
export function filesOnDisk(themesDir: string, slug: string, known: KeyedFolder['files'] = new Map()): ThemeFiles {
  const folder = path.join(themesDir, slug);
  const entries = listEntries(folder, 'below') ?? { entries: [], unusable: [], unreadable: undefined };
  return {
    slug,
    ...entries,
    read: (file, limit) => {
      const retained = known.get(file);
      if (retained !== undefined)
        return retained.bytes.length > limit ? { problem: 'too-large', bytes: retained.bytes.length } : retained;
      const read = readBytes(path.join(folder, file), limit);
      return 'problem' in read ? read : { bytes: read.bytes, sha256: sha256Of(read.bytes) };
    },
    // The file is hidden, behind a link, or has a name that this file system mistakes for the same; most servers do not.
    readUnlisted: async (file, limit) => {
      const content = await readRegularFile(path.join(folder, file), limit, folder);
      return Buffer.isBuffer(content) ? undefined : content;
    },
  };
}
