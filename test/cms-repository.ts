import { execFile } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { makeSite, type SiteFolder, type SiteParts } from './site-folder.ts';

const run = promisify(execFile);

/** Returns a site in a repository with a remote, with the CMS installed. */
export async function makeRepository(
  remote = 'git@github.com:example/themes.git',
  parts: SiteParts = {},
): Promise<SiteFolder> {
  const site = await makeSite(parts);
  const git = (...args: string[]) => run('git', args, { cwd: site.root });
  await git('init', '--quiet', '--initial-branch=main');
  if (remote !== '') await git('remote', 'add', 'origin', remote);
  await symlink(path.join(import.meta.dirname, 'long/node_modules'), path.join(site.root, 'node_modules'));
  return site;
}
