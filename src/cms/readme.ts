import { fill } from '../hosts/template.ts';
import type { Authoring, CmsTarget } from './config.ts';
import { CMS_FOLDER, MARK } from './page.ts';

/**
 * `README.md` of the folder, for the person who sets it up.
 * @param template - `src/cms/README.md`
 * @param folder - its path relative to the working directory
 */
export function cmsReadme(
  template: string,
  { host: { name, host, repository }, branch, themesPath, oauth = '' }: CmsTarget,
  { hasHexColours: hex, hasRowsOnly: rows }: Authoring,
  version: string,
  folder: string,
): string {
  const isGitHub = name === 'GitHub';
  const signIn = {
    oauth_github: isGitHub && oauth !== '',
    oauth_gitlab: !isGitHub && oauth !== '',
    token_github: isGitHub && oauth === '',
    token_gitlab: !isGitHub && oauth === '',
  };
  const request = isGitHub ? 'pull request' : 'merge request';
  const marker = themesPath === '' ? '.git' : themesPath;
  const values = { name, host, repository, branch, oauth, version, folder, request, marker, hex, rows };
  return fill(template, { mark: MARK, cms: CMS_FOLDER, ...values, ...signIn });
}
