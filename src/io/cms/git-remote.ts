import { execFile } from 'node:child_process';

/** Where the themes come from: their remote, the branch that is checked out, and their folder in the repository. */
export interface GitRemote {
  url: string;
  branch: string;
  /** With `/`; empty for the root. */
  folder: string;
}

/** What Git says of a folder; nothing if it is in no repository, or has no remote or branch. */
export async function readGitRemote(folder: string): Promise<GitRemote | undefined> {
  const [url, branch, prefix] = await Promise.all([
    git(folder, 'remote', 'get-url', 'origin'),
    git(folder, 'symbolic-ref', '--short', 'HEAD'),
    git(folder, 'rev-parse', '--show-prefix'),
  ]);
  if (!url || !branch || prefix === undefined) return undefined;
  return { url, branch, folder: prefix.replace(/\/$/, '') };
}

function git(cwd: string, ...args: string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile('git', args, { cwd, timeout: 5000 }, (error, stdout) => {
      resolve(error === null ? stdout.trim() : undefined);
    });
  });
}
