import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';

/**
 * The commands of Git that read objects, refs, the index and settings, and no file of the working tree: they run no filter, hook or
 * other program that a checkout names. `status`, `diff` and `diff-index` do: they pass files through the filters (gitattributes(5)).
 */
type ReadingCommand =
  | 'cat-file'
  | 'ls-files'
  | 'ls-tree'
  | 'merge-base'
  | 'remote'
  | 'rev-list'
  | 'rev-parse'
  | 'symbolic-ref'
  | 'version';

/**
 * Returns the output of Git, or nothing if it fails, or is not installed. The repository may be hostile, its configuration too:
 * `core.fsmonitor` is off, and nothing is fetched that a partial clone lacks (git-config(1), git(1) `GIT_ALLOW_PROTOCOL`). Since
 * nothing of a checkout can run, another user's is read too (`safe.directory`): otherwise root in a container would not see that the
 * output is tracked.
 */
export async function git(folder: string, command: ReadingCommand, ...args: string[]): Promise<string | undefined> {
  return (await output(folder, [command, ...args]))?.toString();
}

function output(cwd: string, args: readonly [ReadingCommand, ...string[]], input = ''): Promise<Buffer | undefined> {
  const env = { ...process.env, GIT_ALLOW_PROTOCOL: 'none', GIT_NO_LAZY_FETCH: '1', GIT_OPTIONAL_LOCKS: '0' };
  const options = { cwd, env, timeout: 10_000, maxBuffer: 2 ** 31, encoding: 'buffer' } as const;
  return new Promise((resolve) => {
    const child = execFile('git', [...CONFIG, ...args], options, (error, stdout) =>
      resolve(error === null ? stdout : undefined),
    );
    child.stdin?.on('error', () => undefined).end(input);
  });
}

/** The id of what a revision names, such as `HEAD^{commit}`; nothing if it is not there. */
export async function revParse(folder: string, revision: string): Promise<string | undefined> {
  return (await git(folder, 'rev-parse', '--verify', '--quiet', '--end-of-options', revision))?.trim();
}

export async function isShallowClone(folder: string): Promise<boolean> {
  return (await git(folder, 'rev-parse', '--is-shallow-repository'))?.trim() === 'true';
}

const CONFIG = [
  ...['core.fsmonitor=false', 'core.untrackedCache=false', 'safe.directory=*'].flatMap((one) => ['-c', one]),
  '--literal-pathspecs',
  '--no-replace-objects',
];

/** The entries of a tree, by name below it. */
export type Tree = ReadonlyMap<string, { id: string; kind: 'file' | 'link' }>;

/** All files and links of a tree, or of what is in its folder; nothing if Git lacks a part of it. @param folder - ends with `/` */
export async function listTree(checkout: string, tree: string, folder = ''): Promise<Tree | undefined> {
  const listed = await git(
    checkout,
    'ls-tree',
    '-r',
    '-z',
    '--full-tree',
    tree,
    ...(folder === '' ? [] : ['--', folder]),
  );
  if (listed === undefined) return undefined;
  const rows = listed.split('\0').flatMap((row): [string, { id: string; kind: 'file' | 'link' }][] => {
    const { mode, id, name } = /^(?<mode>10|12)\d{4} blob (?<id>[0-9a-f]+)\t(?<name>.+)$/s.exec(row)?.groups ?? {};
    if (id === undefined || name === undefined) return [];
    return [[name.slice(folder.length), { id, kind: mode === '10' ? 'file' : 'link' }]];
  });
  return new Map(rows);
}

/** Blobs that one process of Git reads: their bytes are in memory together. */
const BATCH = 64;

/** The contents of blobs, in the order of their ids, as they are stored: without filters. @throws if one is missing */
export async function* readBlobs(checkout: string, ids: readonly string[]): AsyncGenerator<Buffer> {
  for (let from = 0; from < ids.length; from += BATCH) {
    const batch = ids.slice(from, from + BATCH);
    const input = batch.map((id) => `${id}\n`).join('');
    const blobs = (await output(checkout, ['cat-file', '--batch', '--buffer'], input)) ?? Buffer.alloc(0);
    let at = 0;
    for (const _ of batch) {
      const start = blobs.indexOf('\n', at) + 1;
      const size = /^[0-9a-f]+ blob (\d+)\n$/.exec(blobs.toString('latin1', at, start))?.[1];
      if (size === undefined) throw new Error(MISSING_OBJECT);
      at = start + Number(size) + 1;
      yield blobs.subarray(start, at - 1);
    }
  }
}

/** The clone is partial, or damaged. */
export const MISSING_OBJECT =
  'This clone lacks a part of the commit that the themes are compared with. Run `git fetch --refetch --no-filter origin` or clone without `--filter`.';

/** The id of a blob, by the algorithm of another id: git-hash-object(1), without filters. */
export function blobId(bytes: Uint8Array, like: string): string {
  const hash = createHash(like.length === 64 ? 'sha256' : 'sha1');
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

/** Whether a file is what was committed: as it is, with the line ends of Windows, or as a pointer of Git LFS. */
export function isBlob(bytes: Buffer, id: string): boolean {
  if (blobId(bytes, id) === id) return true;
  return [unixLines(bytes), Buffer.from(lfsPointer(bytes))].some((content) => blobId(content, id) === id);
}

/** A text as Git commits it: checkouts on Windows have CRLF. */
export function unixLines(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
}

/** What Git LFS commits in the place of a file (https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md). */
function lfsPointer(bytes: Buffer): string {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return `version https://git-lfs.github.com/spec/v1\noid sha256:${sha256}\nsize ${bytes.length}\n`;
}

/** The SHA-256 of the file that a pointer of Git LFS stands for; nothing if it is none. */
export function lfsTarget(pointer: Buffer): string | undefined {
  if (pointer.length > 1024) return undefined;
  return /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:.*\n)*?oid sha256:([0-9a-f]{64})\n/.exec(
    pointer.toString(),
  )?.[1];
}
