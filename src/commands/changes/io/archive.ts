import { GitError, gitBytes, type Repository } from '../../../system/git/git.ts';

/** Files per call of Git: their bytes are in memory at the same time, and Windows limits a command line to 32,767 characters. */
const FILES_PER_CALL = 100;

/**
 * Reads files of a commit by `git archive`, which fetches all that a partial clone lacks at once, and applies the filters of a checkout, such as Git
 * LFS and line ends. Yields no links.
 * @param names - relative to the root of the repository
 * @throws {GitError} if Git fails, or leaves a file out
 */
export async function* readCommit(
  { root }: Repository,
  commit: string,
  names: readonly string[],
): AsyncGenerator<readonly [name: string, bytes: Buffer]> {
  for (let from = 0; from < names.length; from += FILES_PER_CALL) {
    const batch = names.slice(from, from + FILES_PER_CALL);
    const args = ['--literal-pathspecs', 'archive', '--format=tar', commit, '--', ...batch];
    const entries = tarEntries(await gitBytes(root, ...args));
    for (const name of batch) {
      const entry = entries.get(name);
      if (entry === undefined)
        throw new GitError(
          `\`git archive\` leaves out ${name}: the .gitattributes of ${commit.slice(0, 7)} has \`export-ignore\` for it. Compare with a folder of themes.`,
        );
      if (entry.isFile) yield [name, entry.bytes];
    }
  }
}

interface TarEntry {
  isFile: boolean;
  bytes: Buffer;
}

const BLOCK = 512;

/**
 * Reads a tar as `git archive` writes it: ustar, and a pax header for a path of more than 100 bytes that cannot be split. A package for all kinds of
 * tar would be larger than this function.
 */
function tarEntries(tar: Buffer): Map<string, TarEntry> {
  const entries = new Map<string, TarEntry>();
  let longName: string | undefined;
  for (let at = 0; at + BLOCK <= tar.length && tar[at] !== 0;) {
    const field = (start: number, length: number): string =>
      tar.toString('utf8', at + start, at + start + length).replace(/\0.*$/s, '');
    const [kind, prefix, size] = [field(156, 1), field(345, 155), Number.parseInt(field(124, 12), 8)];
    const bytes = tar.subarray(at + BLOCK, at + BLOCK + size);
    if (kind === 'x') longName = paxPath(bytes);
    else if (kind !== 'g') {
      const name = longName ?? (prefix === '' ? '' : `${prefix}/`) + field(0, 100);
      entries.set(name.replace(/\/$/, ''), { isFile: kind === '0', bytes });
      longName = undefined;
    }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return entries;
}

/** Returns the path in a pax header, whose records are `LENGTH path=PATH\n`. */
function paxPath(header: Buffer): string | undefined {
  for (let at = 0; at < header.length;) {
    const length = Number.parseInt(header.toString('latin1', at, at + 20), 10);
    const record = header.toString('utf8', at, at + length - 1).replace(/^\d+ /, '');
    if (record.startsWith('path=')) return record.slice(5);
    at += length;
  }
  return undefined;
}
