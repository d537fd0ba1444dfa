import { existsSync, lstatSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { PACKAGE_MANAGERS, type PackageManager } from '../package-manager.ts';
import { git } from '../../git/git.ts';
import { gitHost } from '../../document/preview/git-host.ts';
import { checkoutOf } from '../../git/tracked.ts';
import { UsageError } from '../../command-line/command.ts';

/** A folder that becomes a repository of themes. */
export interface Place {
  /** Absolute. */
  folder: string;
  isInGit: boolean;
  /** Whether a Git host looks for workflows there: not in a folder of a repository. */
  isRoot: boolean;
  /** The host of its remote `origin`, if it is one that has workflows. */
  ci: 'github' | 'gitlab' | undefined;
  /** That of the nearest lockfile, up to the root of the repository. */
  packageManager: PackageManager;
  /** Whether this package can be run there by npx. */
  hasThemecast: boolean;
}

/** @throws {UsageError} if the folder cannot be used */
export async function findPlace(folder: string): Promise<Place> {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isDirectory())
    throw new UsageError(`${folder} is ${stats.isSymbolicLink() ? 'a link' : 'not a folder'}. Name a folder.`);
  const root = checkoutOf(folder);
  const remote = root && (await git(root, 'remote', 'get-url', 'origin'));
  const host = remote === undefined ? undefined : gitHost(remote.trim())?.name;
  return {
    folder,
    isInGit: root !== undefined,
    isRoot: root === undefined || root === folder,
    ci: host && ({ GitHub: 'github', GitLab: 'gitlab' } as const)[host],
    packageManager: packageManagerOf(folder, root ?? folder),
    hasThemecast: resolves(folder),
  };
}

function packageManagerOf(folder: string, root: string): PackageManager {
  const managers = Object.keys(PACKAGE_MANAGERS) as PackageManager[];
  const own = managers.find((manager) => existsSync(path.join(folder, PACKAGE_MANAGERS[manager].lockfile)));
  return own ?? (folder === root ? 'npm' : packageManagerOf(path.dirname(folder), root));
}

function resolves(folder: string): boolean {
  try {
    createRequire(path.join(folder, 'package.json')).resolve('themecast/package.json');
    return true;
  } catch {
    return false;
  }
}
