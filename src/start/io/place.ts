import { existsSync, lstatSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type Forge, forgeOf } from '../forge.ts';
import { PACKAGE_MANAGERS, type PackageManager } from '../package-manager.ts';
import { readGitRemote } from '../../io/git-remote.ts';
import { checkoutOf } from '../../io/disk/tracked.ts';
import { UsageError } from '../../command-line/command.ts';

/** A folder that becomes a repository of themes. */
export interface Place {
  /** Absolute. */
  folder: string;
  /** The root of the Git repository that it is in; the folder itself if it is in none. */
  root: string;
  /** The folder below the root, with `/`; empty for the root. */
  prefix: string;
  isInGit: boolean;
  /** The forge of its remote `origin`, if the host name of that shows it. */
  forge: Forge | undefined;
  /** That of the nearest lockfile, up to the root. */
  packageManager: PackageManager;
  /** Whether this package can be run there by npx. */
  hasThemecast: boolean;
}

/** @throws {UsageError} if the folder cannot be used */
export async function findPlace(folder: string): Promise<Place> {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isDirectory())
    throw new UsageError(`${folder} is ${stats.isSymbolicLink() ? 'a link' : 'not a folder'}. Name a folder.`);
  const checkout = checkoutOf(folder);
  const root = checkout ?? folder;
  const remote = checkout === undefined ? undefined : await readGitRemote(root);
  return {
    folder,
    root,
    prefix: path.relative(root, folder).split(path.sep).join('/'),
    isInGit: checkout !== undefined,
    forge: remote && forgeOfRemote(remote.url),
    packageManager: packageManagerOf(folder, root),
    hasThemecast: resolves(folder),
  };
}

function forgeOfRemote(url: string): Forge | undefined {
  const host =
    /^(?:https?|ssh|git):\/\/(?:[^@/]*@)?([^:/]+)/.exec(url)?.[1] ?? /^(?:[^@/:]+@)?([^:/]+):/.exec(url)?.[1];
  return host === undefined ? undefined : forgeOf(host.toLowerCase());
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
