import type { PrivateFile } from '../../document/output-file.ts';
import { PRIVATE_LIST } from '../../hosts/edge-names.ts';
import path from 'node:path';
import { isPathBelow } from '../../disk/contained-folder.ts';
import { MAX_LIST_BYTES } from '../read-build.ts';
import type { OutputDirectory } from './output-directory.ts';
import { publishError } from './publish-error.ts';

/** The list of files in an output directory: `manifest.json`, or `files.json` in the edge directory. */
interface FileList {
  files: readonly (string | { path: string; sha256?: string })[];
  /** Number of mapped users; only in the edge directory. */
  users?: number;
}

/** Reads the list of an output directory; nothing if there is none. */
export async function readList({ dir, list }: OutputDirectory): Promise<FileList | undefined> {
  const bytes = await dir.read(list.file, MAX_LIST_BYTES);
  if (bytes === undefined) return undefined;
  const fileList = parseList(bytes.toString('utf8'));
  if (fileList !== undefined) return fileList;
  throw publishError(
    `${path.join(dir.path, list.file)} is damaged, so it is unknown which files themecast made there. Empty ${dir.path}, and build again.`,
  );
}

/** Parses a list of files; nothing if it has another form. */
function parseList(text: string): FileList | undefined {
  try {
    const value = JSON.parse(text) as FileList;
    return value.files.every((file) => typeof (typeof file === 'string' ? file : file.path) === 'string')
      ? value
      : undefined;
  } catch {
    return undefined; // not JSON, or of another form
  }
}

/** The SHA-256 of each file by its path; undefined for files of the edge directory, and for lists. */
export type ListedFiles = ReadonlyMap<string, string | undefined>;

/**
 * Returns the files that themecast published, including the list; none without a list. A list may contain any path: paths outside the directory are
 * left out, and links are not followed.
 */
export async function listedFiles(directory: OutputDirectory): Promise<ListedFiles> {
  const fileList = await readList(directory);
  if (fileList === undefined) return new Map();
  const rows = fileList.files.map((file) => (typeof file === 'string' ? { path: file } : file));
  const below = rows.filter((row) => isPathBelow(row.path));
  return new Map([...below.map((row) => [row.path, row.sha256] as const), [directory.list.file, undefined]]);
}

export function privateListOf(users: number, files: readonly { path: string }[]): PrivateFile {
  const list = { version: 1, users, files: files.map((file) => file.path) };
  return { path: PRIVATE_LIST.file, content: { text: `${JSON.stringify(list)}\n` } };
}
