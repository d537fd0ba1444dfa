import { execFile } from 'node:child_process';
import { git } from '../../io/git.ts';

/** What a commit that is live is to the one that was built: `newer` too if neither is an ancestor of the other. */
export type Relation = 'same' | 'older' | 'newer' | 'unknown';

/** The commit that is checked out; nothing outside of Git. */
export async function headOf(folder: string): Promise<string | undefined> {
  return (await git(folder, 'rev-parse', '--verify', '--quiet', 'HEAD^{commit}'))?.trim();
}

/** Whether the index has other files below a folder than the commit, or the folder others than the index, as far as their times show. */
export async function isChanged(folder: string): Promise<boolean> {
  return ((await git(folder, 'diff-index', '--name-only', 'HEAD', '--', '.')) ?? '') !== '';
}

/** Compares the live commit with ours. What this clone lacks is fetched once. */
export async function relationOf(folder: string, live: string, own: string): Promise<Relation> {
  const local = await localRelation(folder, live, own);
  if (local === 'same' || local === 'older') return local;
  const isShallow = await isShallowClone(folder);
  if (local === 'newer' && !isShallow) return local;
  await fetch(folder, isShallow ? ['--unshallow'] : []);
  const fetched = await localRelation(folder, live, own);
  return fetched === 'newer' && (await isShallowClone(folder)) ? 'unknown' : fetched;
}

export async function isShallowClone(folder: string): Promise<boolean> {
  return (await git(folder, 'rev-parse', '--is-shallow-repository'))?.trim() === 'true';
}

async function localRelation(folder: string, live: string, own: string): Promise<Relation> {
  if (live === own) return 'same';
  if ((await git(folder, 'rev-parse', '--verify', '--quiet', `${live}^{commit}`)) === undefined) return 'unknown';
  return (await git(folder, 'merge-base', live, own))?.trim() === live ? 'older' : 'newer';
}

/** Fetches what the remote has. Without a connection, or credentials, nothing is fetched: what is unknown stays so. */
function fetch(folder: string, flags: readonly string[]): Promise<void> {
  const args = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'safe.directory=*'];
  const env = { ...process.env, GIT_TERMINAL_PROMPT: '0' };
  return new Promise((resolve) => {
    execFile('git', [...args, 'fetch', '--quiet', ...flags, 'origin'], { cwd: folder, env, timeout: 300_000 }, () =>
      resolve(),
    );
  });
}
