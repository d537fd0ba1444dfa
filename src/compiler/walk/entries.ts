import { type Dirent, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import fastGlob from 'fast-glob';
import { compareText } from '../../core/diagnostics/diagnostic.ts';
import { errorCode, isOutOfResources, systemReason } from '../../system/disk/files.ts';
import { hasInvisible } from '../../core/source/text.ts';
import { type FolderEntry, THEME_FILE } from '../../core/theme/themes-folder.ts';

/** Entries below a folder. Paths are relative to it, with `/`. */
export interface Entries {
  /** Sorted by path. Names that start with a dot and {@link LITTER} are left out. */
  entries: readonly FolderEntry[];
  /** Names that are not UTF-8 or contain a control character, escaped, with the folder they are in. */
  unusable: readonly { folder: string; name: string }[];
  /** The first folder that cannot be read; no entry is listed then. */
  unreadable: { folder: string; reason: string } | undefined;
}

/**
 * Files that programs leave in folders, besides names that start with a dot: thumbnails and settings of Windows, folder icons, lock files of
 * Office, backups of editors.
 */
const LITTER = /^(?:thumbs\.db|ehthumbs(?:_vista)?\.db|desktop\.ini|icon\r|~\$.*|.*~)$/i;
/** Folders of Windows, macOS archives, disks, network drives and npm. */
const LITTER_FOLDERS = [
  '$recycle.bin',
  'system volume information',
  '__macosx',
  'lost+found',
  'node_modules',
  '@eadir',
  '@recycle',
  '@recently-snapshot',
  '@snapshot',
  '#recycle',
  '#snapshot',
].map((name) => `**/${fastGlob.escapePath(name)}/**`);

/**
 * Lists the entries in a folder, or everything below it. Links are not followed.
 * @returns nothing if there is no such folder
 */
export function listEntries(root: string, depth: 'in' | 'below'): Entries | undefined {
  const unusable: { folder: string; name: string }[] = [];
  const entries: FolderEntry[] = [];
  const found = glob(root, depth);
  if ('reason' in found) return { entries, unusable, unreadable: found };
  if (found.length === 0 && !(existsSync(root) && statSync(root).isDirectory())) return undefined;
  for (const { path: file, name, dirent } of found) {
    const folder = file.slice(0, -name.length - 1);
    if (hasOddName(folder) || LITTER.test(name)) continue;
    if (hasOddName(name)) unusable.push({ folder, name: escapeName(name) });
    else entries.push({ path: file, depth: file.split('/').length, kind: kindOf(dirent) });
  }
  return { entries: entries.toSorted((a, b) => compareText(a.path, b.path)), unusable, unreadable: undefined };
}

/** Returns the names of hidden folders that contain a theme. */
export function hiddenThemes(root: string): string[] {
  const files = fastGlob.globSync(`.*/${THEME_FILE}`, { cwd: root, dot: true, onlyFiles: false, suppressErrors: true });
  return files.map((file) => path.posix.dirname(file)).toSorted();
}

function glob(
  root: string,
  depth: 'in' | 'below',
): { path: string; name: string; dirent: Dirent }[] | NonNullable<Entries['unreadable']> {
  try {
    // With `cwd`: brackets in the name of the folder would be read as part of the pattern. `**/*`: `**` matches no line breaks. Without `stats`,
    // which lose a whole folder if one entry in it has none. Synchronous: measured, promises take three times as long.
    return fastGlob.globSync(depth === 'in' ? '*' : '**/*', {
      cwd: root,
      objectMode: true,
      onlyFiles: false,
      followSymbolicLinks: false,
      caseSensitiveMatch: false,
      ignore: LITTER_FOLDERS,
    }) as unknown as { path: string; name: string; dirent: Dirent }[];
  } catch (error) {
    if (isOutOfResources(error)) throw error;
    const folder = path.relative(root, (error as NodeJS.ErrnoException).path ?? root);
    if (folder === '' && errorCode(error) === 'ENOTDIR') return [];
    return { folder: folder.split(path.sep).join('/'), reason: systemReason(error) };
  }
}

function kindOf(entry: Dirent): FolderEntry['kind'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'special';
}

/** Whether a name contains an invisible character, or is not UTF-8: Node.js reads U+FFFD then. */
function hasOddName(name: string): boolean {
  return hasInvisible(name) || name.includes('\u{fffd}');
}

/** Escapes every character that is not printable ASCII: `caf\u{fffd}`. */
function escapeName(name: string): string {
  return name.replaceAll(/[^ -~]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
