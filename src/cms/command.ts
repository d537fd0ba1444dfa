import path from 'node:path';
import type { CmsTarget } from './config.ts';
import { defineCommand, UsageError } from '../command-line/command.ts';
import { FLAGS } from '../command-line/flags.ts';
import { readValidSite } from '../build/read-themes.ts';
import { count, printable, visibleLines } from '../diagnostics/quote.ts';
import { fileSize } from '../document/file-size.ts';
import type { Authored } from '../build/pipeline.ts';

const flags = {
  themes: FLAGS.themes,
  admin: {
    type: 'string',
    value: 'DIR',
    default: 'admin',
    inSiteRoot: true,
    about: 'Folder to write the page to',
  },
  branch: { type: 'string', value: 'NAME', about: 'Branch that changes are merged into (the one checked out)' },
  oauth: {
    type: 'string',
    value: 'CLIENT',
    about: 'OAuth client that editors sign in with: a URL (GitHub) or an id (GitLab)',
  },
  quiet: { ...FLAGS.quiet, about: 'Print errors only' },
} as const;

export const command = defineCommand({
  examples: ['cms', 'cms --branch main --admin public/admin'],
  flags,
  async run({ themes, admin, branch, oauth, quiet }) {
    const { isInside } = await import('../io/disk/files.ts');
    if (isInside(path.resolve(admin), path.resolve(themes)))
      throw new UsageError(
        `${admin} is inside the themes folder, where it would be read as a theme. Name another folder: --admin DIR.`,
      );
    const authored = await readValidSite(themes, 'No form can be made without a valid site.yaml.');
    if (authored === undefined) return 1;
    const target = await targetOf(themes, branch, oauth);
    const { readCmsPackage } = await import('./io/package.ts');
    const { writeCmsFolder } = await import('./io/folder.ts');
    const assets = await readCmsPackage(process.cwd());
    await addPreview(assets.files);
    const written = await writeCmsFolder(admin, await pagesOf(authored, target, assets.version, admin), assets);
    if (!quiet) process.stdout.write(visibleLines(await report(admin, written, target, assets.version)));
    return 0;
  },
});

/** The files of the CMS that are made from the site. */
async function pagesOf(
  authored: Authored,
  target: CmsTarget,
  version: string,
  admin: string,
): Promise<Record<'index.html' | 'start.js' | 'config.yml' | 'README.md', string>> {
  const { cmsConfig } = await import('./config.ts');
  const { cmsPage, MARK, startScript } = await import('./page.ts');
  const { cmsReadme } = await import('./readme.ts');
  const { displayPath } = await import('../io/disk/files.ts');
  const { writeYaml } = await import('../source/write-yaml.ts');
  const { authoringOf } = await import('./io/authoring.ts');
  const { readTemplate } = await import('./io/package.ts');
  const { site } = authored;
  const authoring = authoringOf(authored);
  return {
    'index.html': cmsPage(site, target.host),
    'start.js': startScript(site),
    'config.yml': writeYaml(Object.entries(cmsConfig(site, target, authoring)), `# ${MARK}`),
    'README.md': cmsReadme(await readTemplate(), target, authoring, version, displayPath(admin, process.cwd())),
  };
}

/** Adds what draws the preview to the files of the CMS. */
async function addPreview(files: Map<string, Buffer | string>): Promise<void> {
  const { PREVIEW_FOLDER, PREVIEW_STYLE_FILE } = await import('./page.ts');
  const { PREVIEW_STYLE } = await import('./preview/style.ts');
  const { readPreviewModules } = await import('./io/preview.ts');
  for (const [file, content] of await readPreviewModules()) files.set(`${PREVIEW_FOLDER}/${file}`, content);
  files.set(PREVIEW_STYLE_FILE, PREVIEW_STYLE);
}

async function targetOf(themes: string, branch: string | undefined, oauth: string | undefined): Promise<CmsTarget> {
  const { readGitRemote } = await import('../io/git-remote.ts');
  const { gitHost } = await import('../preview/git-host.ts');
  const remote = await readGitRemote(path.resolve(themes));
  const host = remote && gitHost(remote.url);
  if (remote === undefined || host === undefined)
    throw new UsageError(
      `The CMS edits a repository on GitHub or GitLab, and Git names none for ${themes}/: add a remote \`origin\` at github.com, gitlab.com or a host whose name begins with \`gitlab.\`, and check out a branch.`,
    );
  if (oauth !== undefined) await checkOauth(oauth, host.name);
  return { host, branch: branch ?? remote.branch, themesPath: remote.folder, oauth };
}

async function checkOauth(oauth: string, host: 'GitHub' | 'GitLab'): Promise<void> {
  const { isPublicUrl, PUBLIC_URL } = await import('../theme/public-url.ts');
  if (host === 'GitHub' && !isPublicUrl(oauth))
    throw new UsageError(`--oauth must be the URL of an OAuth client for GitHub, ${PUBLIC_URL}, not \`${oauth}\`.`);
  if (host === 'GitLab' && !/^[A-Za-z0-9]{16,128}$/.test(oauth))
    throw new UsageError(`--oauth must be the id of an application at GitLab, letters and digits, not \`${oauth}\`.`);
}

async function report(
  admin: string,
  { files, bytes }: { files: number; bytes: number },
  { host, branch, oauth }: CmsTarget,
  version: string,
): Promise<string> {
  const { CMS_VERSION } = await import('./io/package.ts');
  const request = host.name === 'GitHub' ? 'pull request' : 'merge request';
  const signIn =
    oauth === undefined ? 'with a token each; for accounts, see --oauth' : 'with their accounts, or a token each';
  return [
    `✔ ${admin}/ written: ${count(files, 'file')}, ${fileSize(bytes)}, with Sveltia CMS ${version} (MIT)`,
    ...(version === CMS_VERSION ? [] : [`! tested with Sveltia CMS ${CMS_VERSION}; this is another version`]),
    `  Repository  ${printable(host.repository)} on ${host.host}; every change is a ${request} into ${printable(branch)}`,
    `  Sign in     ${signIn}`,
    '',
    `Next: \`npx http-server ${admin} -a 127.0.0.1 -p 8090 -c-1\`, open http://127.0.0.1:8090/ in Chrome or Edge, and choose "Work with Local Repository". See ${admin}/README.md.`,
    '',
  ].join('\n');
}
