import { git } from './git.ts';

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
  return { url: url.trim(), branch: branch.trim(), folder: prefix.trim().replace(/\/$/, '') };
}
