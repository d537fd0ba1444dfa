import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { compareText } from '../../core/diagnostics/diagnostic.ts';
import { errorCode, isOutOfResources, systemReason } from '../../system/disk/files.ts';
import { listTree } from '../../system/disk/list-tree.ts';
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
const LITTER_FOLDERS =
  /^(?:\$recycle\.bin|system volume information|__macosx|lost\+found|node_modules|@eadir|[@#]recycle|@recently-snapshot|[@#]snapshot)$/i;

/**
 * Lists the entries in a folder, or everything below it. Links are not followed.
 * @returns nothing if there is no such folder
 */
export function listEntries(root: string, depth: 'in' | 'below'): Entries | undefined {
  if (!existsSync(root) || !statSync(root).isDirectory()) return undefined;
  const unusable: { folder: string; name: string }[] = [];
  const entries: FolderEntry[] = [];
  let unreadable: Entries['unreadable'];
  const isIgnored = (name: string, folder: string): boolean => {
    if (name.startsWith('.') || LITTER.test(name) || LITTER_FOLDERS.test(name)) return true;
    if (hasOddName(name)) unusable.push({ folder, name: escapeName(name) });
    return hasOddName(name);
  };
  const onError = (folder: string, error: unknown): void => {
    if (isOutOfResources(error)) throw error;
    if (errorCode(error) !== 'ENOENT') unreadable ??= { folder, reason: systemReason(error) };
  };
  for (const [name, kind] of listTree(root, { isIgnored, onError, isFlat: depth === 'in' }))
    entries.push({ path: name, depth: name.split('/').length, kind: kind === 'other' ? 'special' : kind });
  if (unreadable !== undefined) return { entries: [], unusable: [], unreadable };
  return { entries: entries.toSorted((a, b) => compareText(a.path, b.path)), unusable, unreadable };
}

/** Returns the names of hidden folders that contain a theme. */
export function hiddenThemes(root: string): string[] {
  const names = [...listTree(root, { isFlat: true, onError: () => undefined }).keys()];
  return names.filter((name) => name.startsWith('.') && existsSync(path.join(root, name, THEME_FILE)));
}

/** Whether a name contains an invisible character, or is not UTF-8: Node.js reads U+FFFD then. */
function hasOddName(name: string): boolean {
  return hasInvisible(name) || name.includes('\u{fffd}');
}

/** Escapes every character that is not printable ASCII: `caf\u{fffd}`. */
function escapeName(name: string): string {
  return name.replaceAll(/[^ -~]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
