import { execFile } from 'node:child_process';

/**
 * What Git prints, or nothing if it fails, or is not there. The repository may be hostile, its configuration too: `core.fsmonitor` is
 * off, and nothing is fetched that a partial clone lacks (git-config(1), git(1) `GIT_ALLOW_PROTOCOL`). Only for commands that run nothing
 * else that a repository names, as `status` and `archive` do with its filters.
 */
export function git(folder: string, ...args: string[]): Promise<string | undefined> {
  const config = ['core.fsmonitor=false', 'core.untrackedCache=false', 'safe.directory=*'].flatMap((one) => [
    '-c',
    one,
  ]);
  return new Promise((resolve) => {
    execFile(
      'git',
      [...config, '--literal-pathspecs', ...args],
      {
        cwd: folder,
        timeout: 10_000,
        maxBuffer: 256 * 1024 * 1024,
        env: { ...process.env, GIT_ALLOW_PROTOCOL: 'none', GIT_NO_LAZY_FETCH: '1', GIT_OPTIONAL_LOCKS: '0' },
      },
      (error, stdout) => resolve(error === null ? stdout : undefined),
    );
  });
}
