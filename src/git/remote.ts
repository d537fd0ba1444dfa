import { git } from './git.ts';

/** The origin of the themes: remote, branch, and folder in the repository. */
export interface GitRemote {
  url: string;
  branch: string;
  /** With `/`; empty for the root. */
  folder: string;
}

/** Reads the remote, branch and path of a folder; nothing outside a repository, or without a remote or branch. */
export async function readGitRemote(folder: string): Promise<GitRemote | undefined> {
  const [url, branch, prefix] = await Promise.all([
    git(folder, 'remote', 'get-url', 'origin'),
    git(folder, 'symbolic-ref', '--short', 'HEAD'),
    git(folder, 'rev-parse', '--show-prefix'),
  ]);
  if (!url || !branch || prefix === undefined) return undefined;
  return { url: url.trim(), branch: branch.trim(), folder: prefix.trim().replace(/\/$/, '') };
}
