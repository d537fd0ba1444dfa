import path from 'node:path';
import { type FileProblem, readBytes, readRegularFile } from '../disk/files.ts';
import type { ThemeEntries } from './walk.ts';

/** The folder of a theme, as it is read; or as it would be, once a change is written. */
export interface ThemeFiles extends ThemeEntries {
  slug: string;
  /** The bytes of a file that is among the entries. */
  read(file: string, limit: number): Buffer | FileProblem;
  /** Why another file cannot be used; nothing if it could be read, but not under that name. */
  readUnlisted(file: string, limit: number): Promise<FileProblem | undefined>;
}

const NO_ENTRIES: ThemeEntries = { entries: [], unusable: [], unreadable: [] };

/** The folder of a theme on the disk. Links below it are not followed. */
export function filesOnDisk(themesDir: string, slug: string, entries: ThemeEntries = NO_ENTRIES): ThemeFiles {
  const folder = path.join(themesDir, slug);
  return {
    slug,
    ...entries,
    read: (file, limit) => {
      const read = readBytes(path.join(folder, file), limit);
      return 'problem' in read ? read : read.bytes;
    },
    // The file is hidden, lies behind a link, or has another name that this file system takes for the same; most servers do not.
    readUnlisted: async (file, limit) => {
      const found = await readRegularFile(path.join(folder, file), limit, folder);
      return Buffer.isBuffer(found) ? undefined : found;
    },
  };
}

/** The same folder with some files changed: without bytes, a file is gone. */
export function withFiles(files: ThemeFiles, changed: ReadonlyMap<string, Buffer | undefined>): ThemeFiles {
  const added = [...changed].flatMap(([file, bytes]) =>
    bytes === undefined ? [] : [{ path: file, depth: file.split('/').length, kind: 'file' as const }],
  );
  return {
    ...files,
    entries: [...files.entries.filter(({ path: file }) => !changed.has(file)), ...added].toSorted((a, b) =>
      a.path < b.path ? -1 : 1,
    ),
    read: (file, limit) => {
      const bytes = changed.get(file);
      if (bytes === undefined) return changed.has(file) ? { problem: 'missing' } : files.read(file, limit);
      return bytes.length > limit ? { problem: 'too-large', bytes: bytes.length } : bytes;
    },
  };
}
