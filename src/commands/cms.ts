import path from 'node:path';
import { type Authored, readAuthored } from '../pipeline.ts';
import { Diagnostics } from '../diagnostics/diagnostic.ts';
import { formatText } from '../diagnostics/format-text.ts';
import { count, printable, visibleLines } from '../diagnostics/quote.ts';
import { fileSize } from '../document/file-size.ts';
import { cmsConfig, type CmsTarget } from '../cms/config.ts';
import { cmsPage, MARK, START_SCRIPT } from '../cms/page.ts';
import { CAVEATS, cmsReadme } from '../cms/readme.ts';
import { gitHost } from '../pages/git-links.ts';
import { CmsFolderError, writeCmsFolder } from '../io/cms/folder.ts';
import { CMS_VERSION, CmsPackageError, readCmsPackage } from '../io/cms/package.ts';
import { displayPath, isInside } from '../io/files.ts';
import { readGitRemote } from '../io/cms/git-remote.ts';
import { NO_CACHE } from '../io/incremental-cache.ts';
import { writeYaml } from '../source/write-yaml.ts';
import { IMAGE_SET_FIELDS } from '../theme/fields.ts';
import { isPublicUrl, PUBLIC_URL } from '../theme/site.ts';
import { type FlagValues, UsageError } from './flags.ts';
import type { Run } from './registry.ts';

export const run: Run = async (flags) => {
  const { themes = '', admin = '', quiet } = flags;
  if (isInside(path.resolve(admin), path.resolve(themes)))
    throw new UsageError(
      `${admin} lies among the themes, where it would be read as one. Name another folder: --admin DIR.`,
    );
  const authored = await readSound(themes);
  if (authored === undefined) return 1;
  const { site } = authored;
  const byUrls = IMAGE_SET_FIELDS.filter((field) => authored.themes.some(({ pictures }) => 'url' in pictures[field]));
  const target = await targetOf(flags);
  try {
    const cms = await readCmsPackage(process.cwd());
    const pages = {
      'index.html': cmsPage(site, target.host),
      'start.js': START_SCRIPT,
      'config.yml': writeYaml(Object.entries(cmsConfig(site, target, byUrls)), `# ${MARK}`),
      'README.md': cmsReadme(target, cms.version, displayPath(admin, process.cwd())),
    };
    const written = await writeCmsFolder(admin, pages, cms);
    if (!quiet) process.stdout.write(visibleLines(report(admin, written, target, cms.version)));
  } catch (error) {
    throw error instanceof CmsFolderError || error instanceof CmsPackageError ? new UsageError(error.message) : error;
  }
  return 0;
};

/** The site with its themes; nothing if site.yaml has errors, which are printed. */
async function readSound(themesDir: string): Promise<Authored | undefined> {
  const diagnostics = new Diagnostics();
  const cwd = process.cwd();
  const authored = await readAuthored({ themesDir, cwd }, NO_CACHE, diagnostics.report);
  // What is wrong with the themes can be mended in the CMS.
  const siteFile = displayPath(path.join(themesDir, 'site.yaml'), cwd);
  const errors = diagnostics.sorted.filter(
    ({ severity, code, location }) =>
      severity === 'error' && (location.file === siteFile || code === 'theme/folder-missing'),
  );
  if (errors.length === 0) return authored;
  const colour = process.stdout.isTTY && !process.env['NO_COLOR'];
  process.stdout.write(formatText(errors, () => authored.content.site?.text, colour));
  process.stdout.write('✘ No form can be made without a sound site.yaml.\n');
  return undefined;
}

async function targetOf({ themes = '', branch, oauth }: FlagValues): Promise<CmsTarget> {
  const remote = await readGitRemote(path.resolve(themes));
  const host = remote && gitHost(remote.url);
  if (remote === undefined || host === undefined)
    throw new UsageError(
      `The CMS edits a repository on GitHub or GitLab, and Git names none for ${themes}/: it takes a remote \`origin\` at github.com, gitlab.com or a host whose name begins with \`gitlab.\`, and a branch that is checked out.`,
    );
  if (oauth !== undefined) checkOauth(oauth, host.name);
  return { host, branch: branch ?? remote.branch, themesPath: remote.folder, oauth };
}

function checkOauth(oauth: string, host: 'GitHub' | 'GitLab'): void {
  if (host === 'GitHub' && !isPublicUrl(oauth))
    throw new UsageError(`--oauth must be the URL of an OAuth client for GitHub, ${PUBLIC_URL}, not \`${oauth}\`.`);
  if (host === 'GitLab' && !/^[A-Za-z0-9]{16,128}$/.test(oauth))
    throw new UsageError(`--oauth must be the id of an application at GitLab, letters and digits, not \`${oauth}\`.`);
}

function report(
  admin: string,
  { files, bytes }: { files: number; bytes: number },
  { host, branch, oauth }: CmsTarget,
  version: string,
): string {
  const request = host.name === 'GitHub' ? 'pull request' : 'merge request';
  const signIn =
    oauth === undefined ? 'a token each; with accounts of their own: see --oauth' : 'their accounts, or a token each';
  return [
    `✔ ${admin}/ written: ${count(files, 'file')}, ${fileSize(bytes)}, with Sveltia CMS ${version} (MIT)`,
    ...(version === CMS_VERSION ? [] : [`! tested with Sveltia CMS ${CMS_VERSION}; this is another version`]),
    `  Repository  ${printable(host.repository)} on ${host.host}; every change is a ${request} into ${printable(branch)}`,
    `  Sign in     ${signIn}`,
    '',
    ...CAVEATS.map((caveat) => `! ${caveat.replaceAll('`', '')}`),
    '',
    `Next: \`npx http-server ${admin} -a 127.0.0.1 -p 8090 -c-1\`, open http://127.0.0.1:8090/ in Chrome or Edge, and take "Work with Local Repository". More in ${admin}/README.md.`,
    '',
  ].join('\n');
}
