import { type Dirent, readdirSync } from 'node:fs';
import path from 'node:path';
import fastGlob from 'fast-glob';
import { compareText } from '../diagnostics/diagnostic.ts';
import { hasInvisible } from '../source/text.ts';
import type { FolderEntry } from '../theme/themes-folder.ts';
import { errorCode, isOutOfResources, systemReason } from '../disk/files.ts';

/** Entries of the themes folder. Paths are relative to it, with `/`. */
export interface Entries {
  /** The requested entries whose names are usable, do not start with a dot and are not {@link LITTER}, sorted. */
  entries: readonly FolderEntry[];
  /** Folders at the top whose names start with a dot. */
  dotFolders: readonly string[];
  /** Names that are not UTF-8 or contain a control character, escaped, with the folder they are in. */
  unusable: readonly { folder: string; name: string }[];
  unreadable: readonly { folder: string; reason: string }[];
}

/**
 * Files that programs leave in folders, besides names that start with a dot: thumbnails and settings of Windows, folder icons, lock files of
 * Office, backups of editors. Folders of macOS archives, network drives (`@eaDir`, `#recycle`) and npm.
 */
const LITTER = {
  file: /^(?:thumbs\.db|ehthumbs(?:_vista)?\.db|desktop\.ini|icon\r|~\$.*|.*~)$/i,
  folder:
    /^(?:\$recycle\.bin|system volume information|__macosx|lost\+found|node_modules|[@#](?:eadir|recycle|recently-snapshot|snapshot))$/i,
};

/**
 * Lists the entries below a folder that match patterns; nothing if there is no such folder. fast-glob walks, but reads folders through this
 * function. By itself it omits names with line breaks, fails at names that are not UTF-8, and mistakes a missing folder for an empty one.
 * @param patterns - `*` or `./folder/**`, each for another folder
 */
export function listEntries(root: string, patterns: readonly string[]): Entries | undefined {
  const byPath = new Map<string, FolderEntry>();
  const dotFolders: string[] = [];
  const unusable: { folder: string; name: string }[] = [];
  const unreadable: { folder: string; reason: string }[] = [];
  let isMissing = false;

  const classify = (folder: string, entry: Dirent<Buffer>): Dirent[] => {
    const name = decodeName(entry.name);
    if (name !== undefined && LITTER[entry.isDirectory() ? 'folder' : 'file'].test(name)) return [];
    if (name === undefined || hasInvisible(name)) unusable.push({ folder, name: escapeName(entry.name) });
    else if (!name.startsWith('.')) {
      const file = path.posix.join(folder, name);
      byPath.set(file, { path: file, depth: file.split('/').length, kind: kindOf(entry) });
      return [Object.assign(entry as unknown as Dirent, { name })];
    } else if (folder === '' && entry.isDirectory()) dotFolders.push(name);
    return [];
  };
  const list = (folder: string): Dirent[] => {
    const relative = path.relative(root, folder).split(path.sep).join('/');
    try {
      const entries = readdirSync(folder, { withFileTypes: true, encoding: 'buffer' });
      return (entries as unknown as Dirent<Buffer>[]).flatMap((entry) => classify(relative, entry));
    } catch (error) {
      if (isOutOfResources(error)) throw error;
      const isAbsent = ['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '');
      if (relative === '' && isAbsent) isMissing = true;
      // A folder that is deleted during the walk has no entries.
      else if (!isAbsent) unreadable.push({ folder: relative, reason: systemReason(error) });
      return [];
    }
  };
  // With `cwd`: brackets in the name of the folder would be read as part of the pattern. Synchronous: measured, promises take
  // three times as long.
  const paths = fastGlob.globSync([...patterns], {
    cwd: root,
    onlyFiles: false,
    followSymbolicLinks: false,
    suppressErrors: false,
    fs: { readdirSync: list as unknown as typeof readdirSync },
  });
  if (isMissing) return undefined;
  if (paths.length !== byPath.size) throw new Error(`fast-glob found ${paths.length} of ${byPath.size} entries.`);
  return {
    entries: [...byPath.values()].toSorted((a, b) => compareText(a.path, b.path)),
    dotFolders,
    unusable,
    unreadable,
  };
}

function kindOf(entry: Dirent<Buffer>): FolderEntry['kind'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'special';
}

function decodeName(name: Buffer): string | undefined {
  const text = name.toString('utf8');
  return Buffer.from(text).equals(name) ? text : undefined;
}

/** Escapes every byte of a name that is not printable ASCII: `caf\xe9`. */
function escapeName(name: Buffer): string {
  return name.toString('latin1').replaceAll(/[^ -~]/g, (byte) => `\\x${Buffer.from(byte, 'latin1').toString('hex')}`);
}
