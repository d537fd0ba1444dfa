import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';

/**
 * What Git prints, or nothing if it fails, or is not there. The repository may be hostile, its configuration too: `core.fsmonitor` is
 * off, and nothing is fetched that a partial clone lacks (git-config(1), git(1) `GIT_ALLOW_PROTOCOL`). Only for commands that run nothing
 * else that a repository names, as `status` and `archive` do with its filters.
 */
export function git(folder: string, ...args: string[]): Promise<string | undefined> {
  const options = { ...optionsIn(folder), timeout: 10_000, maxBuffer: 256 * 1024 * 1024 };
  return new Promise((resolve) => {
    execFile('git', [...CONFIG, ...args], options, (error, stdout) => resolve(error === null ? stdout : undefined));
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

function optionsIn(cwd: string): { cwd: string; env: NodeJS.ProcessEnv } {
  return { cwd, env: { ...process.env, GIT_ALLOW_PROTOCOL: 'none', GIT_NO_LAZY_FETCH: '1', GIT_OPTIONAL_LOCKS: '0' } };
}

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

/** The contents of blobs, in the order of their ids, as they are stored: without filters. @throws if one is missing */
export async function* readBlobs(checkout: string, ids: readonly string[]): AsyncGenerator<Buffer> {
  const child = spawn('git', [...CONFIG, 'cat-file', '--batch', '--buffer'], {
    ...optionsIn(checkout),
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined).end(ids.map((id) => `${id}\n`).join(''));
  const chunks = child.stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let rest: Buffer = Buffer.alloc(0);
  const fill = async (size: number): Promise<void> => {
    const parts = [rest];
    for (let length = rest.length; length < size;) {
      const { value, done } = await chunks.next();
      if (done) throw new Error(MISSING_OBJECT);
      parts.push(value);
      length += value.length;
    }
    rest = Buffer.concat(parts);
  };
  const take = (size: number): Buffer => {
    const taken = rest.subarray(0, size);
    rest = rest.subarray(size);
    return taken;
  };
  try {
    for (const _ of ids) {
      while (!rest.includes('\n')) await fill(rest.length + 1);
      const head = take(rest.indexOf('\n') + 1).toString('latin1');
      const size = /^[0-9a-f]+ blob (\d+)\n$/.exec(head)?.[1];
      if (size === undefined) throw new Error(MISSING_OBJECT);
      await fill(Number(size) + 1);
      yield take(Number(size) + 1).subarray(0, -1);
    }
  } finally {
    child.kill();
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
  const unix = Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
  return [unix, Buffer.from(lfsPointer(bytes))].some((content) => blobId(content, id) === id);
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
