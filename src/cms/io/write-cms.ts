import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { LinkedThemes } from '../../compiler/model.ts';
import { UsageError } from '../../command-line/command.ts';
import { count, printable } from '../../diagnostics/quote.ts';
import { fileSize } from '../../document/file-size.ts';
import { fill } from '../../hosts/template.ts';
import { displayPath, isInside } from '../../disk/files.ts';
import { readGitRemote } from '../../git/git.ts';
import { shellWord } from '../../command-line/invocation.ts';
import { gitHost } from '../../document/preview/git-host.ts';
import { writeYaml } from '../../source/write-yaml.ts';
import { IMAGE_SET_FIELDS } from '../../theme/fields.ts';
import { isPublicUrl, PUBLIC_URL } from '../../theme/public-url.ts';
import { type Authoring, cmsConfig, type CmsTarget } from '../config.ts';
import { CMS_FOLDER, cmsPage, MARK, PREVIEW_FOLDER, startScript } from '../page.ts';
import { writeCmsFolder } from './folder.ts';
import { CMS_VERSION, readCmsPackage, readPreview } from './package.ts';

interface Options {
  themes: string;
  admin: string;
  branch?: string | undefined;
  oauth?: string | undefined;
}

/** Checks the folder of the page. @throws {UsageError} if it would be read as a theme */
export function checkAdmin({ themes, admin }: Options): void {
  if (isInside(path.resolve(admin), path.resolve(themes)))
    throw new UsageError(
      `${admin} is inside the themes folder, where it would be read as a theme. Choose another folder: --admin DIR.`,
    );
}

/** Writes the page of the CMS. @returns a report */
export async function writeCms({ admin, ...options }: Options, linked: LinkedThemes): Promise<string> {
  const target = await targetOf(options);
  const { version, files } = await readCmsPackage(process.cwd());
  for (const [file, content] of await readPreview()) files.set(`${PREVIEW_FOLDER}/${file}`, content);
  const { site } = linked.settings;
  const authoring = authoringOf(linked);
  const pages = {
    'index.html': cmsPage(site, target.host),
    'start.js': startScript(site),
    'config.yml': writeYaml(Object.entries(cmsConfig(site, target, authoring)), `# ${MARK}`),
    'README.md': await readme(target, version, displayPath(admin, process.cwd())),
  };
  const written = await writeCmsFolder(admin, pages, { version, files });
  const { host, branch, oauth } = target;
  const signIn =
    oauth === undefined
      ? 'each with a personal access token; to sign in with accounts, use --oauth'
      : 'with their accounts, or each with a personal access token';
  return [
    `✔ ${admin}/ written: ${count(written.files, 'file')}, ${fileSize(written.bytes)}, with Sveltia CMS ${version} (MIT)`,
    ...(version === CMS_VERSION ? [] : [`! tested with Sveltia CMS ${CMS_VERSION}; this is another version`]),
    `  Repository  ${printable(host.repository)} on ${host.host}; every change is a ${requestOf(target)} into ${printable(branch)}`,
    `  Sign in     ${signIn}`,
    '',
    `Next: \`npx http-server ${shellWord(admin)} -a 127.0.0.1 -p 8090 -c-1\`, open http://127.0.0.1:8090/ in Chrome or Edge, and choose "Work with Local Repository". See ${admin}/README.md.`,
    '',
  ].join('\n');
}

function requestOf({ host }: CmsTarget): string {
  return host.name === 'GitHub' ? 'pull request' : 'merge request';
}

async function targetOf({ themes, branch, oauth }: Omit<Options, 'admin'>): Promise<CmsTarget> {
  const remote = await readGitRemote(path.resolve(themes));
  const host = remote && gitHost(remote.url);
  if (remote === undefined || host === undefined)
    throw new UsageError(
      `The CMS edits a repository on GitHub or GitLab, and ${themes}/ is in none: add a remote \`origin\` at github.com, gitlab.com or a host whose name begins with \`gitlab.\`, and check out a branch.`,
    );
  if (oauth !== undefined && host.name === 'GitHub' && !isPublicUrl(oauth))
    throw new UsageError(`--oauth must be the URL of an OAuth client for GitHub, ${PUBLIC_URL}, not \`${oauth}\`.`);
  if (oauth !== undefined && host.name === 'GitLab' && !/^[A-Za-z0-9]{16,128}$/.test(oauth))
    throw new UsageError(`--oauth must be the id of an application at GitLab, letters and digits, not \`${oauth}\`.`);
  return { host, branch: branch ?? remote.branch, themesPath: remote.folder, oauth };
}

function authoringOf({ themes, nextId }: LinkedThemes): Authoring {
  return { byUrls: IMAGE_SET_FIELDS.filter((field) => themes.some(({ images }) => 'url' in images[field])), nextId };
}

/** Returns `README.md` for the administrator of the CMS. @param folder - its path relative to the working directory */
async function readme(target: CmsTarget, version: string, folder: string): Promise<string> {
  const template = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const { host, branch, themesPath, oauth = '' } = target;
  const isGitHub = host.name === 'GitHub';
  const values = { ...host, branch, oauth, version, folder };
  return fill(template, {
    ...values,
    mark: MARK,
    cms: CMS_FOLDER,
    request: requestOf(target),
    marker: themesPath === '' ? '.git' : themesPath,
    oauth_github: isGitHub && oauth !== '',
    oauth_gitlab: !isGitHub && oauth !== '',
    token_github: isGitHub && oauth === '',
    token_gitlab: !isGitHub && oauth === '',
  });
}
