import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { UsageError } from '../../../system/command-line/command.ts';
import { gitHost } from '../../../core/document/preview/git-host.ts';
import { readGitRemote } from '../../../system/git/git.ts';
import { CMS_VERSION, type CmsSite } from '../cms.ts';

/** Reads the repository that the CMS edits. @throws {UsageError} if it has no remote at GitHub or GitLab */
export async function readCmsTarget(folder: string): Promise<Pick<CmsSite, 'host' | 'branch' | 'themesPath'>> {
  const remote = await readGitRemote(folder);
  const host = remote && gitHost(remote.url);
  if (remote === undefined || host === undefined)
    throw new UsageError(
      '--cms: The page edits a repository on GitHub or GitLab, and this folder is in none: add a remote `origin` at github.com, gitlab.com or a host whose name begins with `gitlab.`, and check out a branch.',
    );
  return { host, branch: remote.branch, themesPath: path.posix.join(remote.folder, 'themes') };
}

/** Reads the script of the CMS from its package in a project. @throws {UsageError} if it is not installed */
export async function readCmsScript(folder: string): Promise<Buffer> {
  try {
    const main = createRequire(path.join(folder, 'package.json')).resolve('@sveltia/cms');
    return await readFile(path.join(main, '../../dist/sveltia-cms.js'));
  } catch (error) {
    throw new UsageError(
      `--cms: The CMS is not installed in this project. Run \`npm install --save-dev @sveltia/cms@${CMS_VERSION}\`.`,
      { cause: error },
    );
  }
}
