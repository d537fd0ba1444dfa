import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';

/**
 * Git commands that read only objects, refs, the index and settings. They run no filter, hook or other program that a checkout configures.
 * `status`, `diff` and `diff-index` would: they pass files through the filters (gitattributes(5)).
 */
type ReadingCommand =
  | 'cat-file'
  | 'ls-files'
  | 'ls-tree'
  | 'merge-base'
  | 'remote'
  | 'rev-list'
  | 'rev-parse'
  | 'status'
  | 'symbolic-ref'
  | 'version';

/**
 * Returns the output of Git, or nothing if it fails or is not installed. The repository and its configuration may be hostile: `core.fsmonitor` is
 * off, and nothing is fetched that a partial clone lacks (git-config(1), git(1) `GIT_ALLOW_PROTOCOL`). No program of a checkout can run, so
 * checkouts of other users are read too (`safe.directory`). Otherwise root in a container would not see that the output is tracked.
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

/** Returns the id of a revision, such as `HEAD^{commit}`; nothing if it does not exist. */
export async function revParse(folder: string, revision: string): Promise<string | undefined> {
  return (await git(folder, 'rev-parse', '--verify', '--quiet', '--end-of-options', revision))?.trim();
}

export async function isShallowClone(folder: string): Promise<boolean> {
  return (await git(folder, 'rev-parse', '--is-shallow-repository'))?.trim() === 'true';
}

const CONFIG = [
  ...['core.fsmonitor=false', 'core.untrackedCache=false', 'safe.directory=*'].flatMap((setting) => ['-c', setting]),
  '--literal-pathspecs',
  '--no-replace-objects',
];

export type Tree = ReadonlyMap<string, { id: string; kind: 'file' | 'link' }>;

/** Lists all files and links of a tree, or of a folder in it; nothing if Git lacks a part of it. @param folder - ends with `/` */
export async function listTree(checkout: string, tree: string, folder = ''): Promise<Tree | undefined> {
  const listing = await git(
    checkout,
    'ls-tree',
    '-r',
    '-z',
    '--full-tree',
    tree,
    ...(folder === '' ? [] : ['--', folder]),
  );
  if (listing === undefined) return undefined;
  const rows = listing.split('\0').flatMap((row): [string, { id: string; kind: 'file' | 'link' }][] => {
    const { mode, id, name } = /^(?<mode>10|12)\d{4} blob (?<id>[0-9a-f]+)\t(?<name>.+)$/s.exec(row)?.groups ?? {};
    if (id === undefined || name === undefined) return [];
    return [[name.slice(folder.length), { id, kind: mode === '10' ? 'file' : 'link' }]];
  });
  return new Map(rows);
}

/** Blobs per process of Git: all their bytes are in memory at the same time. */
const BLOBS_PER_BATCH = 64;

/** Returns the stored contents of blobs, without filters, in the order of their ids. @throws if one is missing */
export async function* readBlobs(checkout: string, ids: readonly string[]): AsyncGenerator<Buffer> {
  for (let from = 0; from < ids.length; from += BLOBS_PER_BATCH) {
    const batch = ids.slice(from, from + BLOBS_PER_BATCH);
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

/** For a clone that is partial or damaged. */
export const MISSING_OBJECT =
  'This clone lacks a part of the commit that the themes are compared with. Run `git fetch --refetch --no-filter origin` or clone without `--filter`.';

/** Returns the id of a blob, with the hash algorithm of another id (git-hash-object(1), without filters). */
export function blobId(bytes: Uint8Array, like: string): string {
  const hash = createHash(like.length === 64 ? 'sha256' : 'sha1');
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

/** Whether a file has the committed bytes, apart from Windows line ends, or is the file of a committed Git LFS pointer. */
export function isBlob(bytes: Buffer, id: string): boolean {
  if (blobId(bytes, id) === id) return true;
  return [unixLines(bytes), Buffer.from(lfsPointer(bytes))].some((content) => blobId(content, id) === id);
}

/** Replaces CRLF by LF, as Git commits text: checkouts on Windows have CRLF. */
export function unixLines(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
}

/** Returns the pointer that Git LFS commits in place of a file (https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md). */
function lfsPointer(bytes: Buffer): string {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return `version https://git-lfs.github.com/spec/v1\noid sha256:${sha256}\nsize ${bytes.length}\n`;
}

/** Returns the SHA-256 in a Git LFS pointer; nothing for any other file. */
export function lfsTarget(pointer: Buffer): string | undefined {
  if (pointer.length > 1024) return undefined;
  return /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:.*\n)*?oid sha256:([0-9a-f]{64})\n/.exec(
    pointer.toString(),
  )?.[1];
}
