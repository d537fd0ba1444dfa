import { lstatSync } from 'node:fs';
import { git } from '../../../system/git/git.ts';
import { gitHost } from '../../../core/document/preview/git-host.ts';
import { checkoutOf } from '../../../system/disk/checkout.ts';
import { UsageError } from '../../../system/command-line/command.ts';

/** The folder that `init` writes to. */
export interface Place {
  /** Absolute. */
  folder: string;
  isInGit: boolean;
  /** Whether it is the root of a repository: Git hosts read workflows only there. */
  isRoot: boolean;
  /** The host of the remote `origin`, if it supports workflows. */
  ci: 'github' | 'gitlab' | undefined;
}

/** Inspects the folder. @throws {UsageError} if it is a link or no folder */
export async function findPlace(folder: string): Promise<Place> {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isDirectory())
    throw new UsageError(`${folder} is ${stats.isSymbolicLink() ? 'a link' : 'not a folder'}. Name a folder.`);
  const root = checkoutOf(folder);
  const remote = root && (await git(root, 'remote', 'get-url', 'origin'));
  const host = remote === undefined ? undefined : gitHost(remote)?.name;
  return {
    folder,
    isInGit: root !== undefined,
    isRoot: root === undefined || root === folder,
    ci: host && ({ GitHub: 'github', GitLab: 'gitlab' } as const)[host],
  };
}
