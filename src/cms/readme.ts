import { CMS_FOLDER, MARK } from './page.ts';
import type { CmsTarget } from './config.ts';

/** What whoever sets it up must know, a sentence or two each, without line breaks. */
export const CAVEATS = [
  'Comments in a theme.yaml are lost when the CMS writes it (decap-cms#5099), and with them the line `# yaml-language-server`: name the schema in `.vscode/settings.json` instead (`"yaml.schemas": {"themes/theme.schema.json": "themes/*/theme.yaml"}`).',
  'Whoever signs in needs the right to write to the repository, and a token or an account that an OAuth application lets in.',
  'Keep this folder out of the public site, unless it is meant to be there.',
  'The CMS checks little: let `themecast check` run on every pull request. What it says there stands in the way of nothing unless the branch is protected.',
] as const;

/**
 * `README.md` of the folder, for whoever sets it up.
 * @param folder - where it is, as the working directory sees it
 */
export function cmsReadme({ host, branch, themesPath, oauth }: CmsTarget, version: string, folder: string): string {
  const isGitHub = host.name === 'GitHub';
  const request = isGitHub ? 'pull request' : 'merge request';
  return `<!-- ${MARK} -->
# Editing themes in the browser

This folder is a page, [Sveltia CMS](https://sveltiacms.app/) ${version}, in which the themes of \`${host.repository}\` are edited as forms. It talks to
${host.name} alone: there is no server behind it. Every change is a ${request} into \`${branch}\`, and
a draft until whoever made it sends it for review.

| file | what it is |
|---|---|
| \`index.html\`, \`start.js\` | the page |
| \`config.yml\` | the form, from the fields that themecast knows and the value lists of \`site.yaml\` |
| \`${CMS_FOLDER}/\` | the CMS as its npm package has it, with its licence (MIT); \`VERSION.txt\` says what was changed |

\`themecast cms\` writes all of it anew: after an update of themecast or of the CMS, and when \`site.yaml\` has changed.

## Try it on this machine

    npx http-server ${folder} -a 127.0.0.1 -p 8090 -c-1

Open http://127.0.0.1:8090/ in Chrome or Edge, take "Work with Local Repository", and choose the folder of the repository (the one with
\`${themesPath === '' ? '.git' : themesPath}\` in it). It then writes into your working tree; nothing is committed.

## Install

Serve the folder over https from any web server or host of static files, for editors alone if you can: behind a login, or in the
company's network. Send \`X-Frame-Options: DENY\`, which a page cannot say of itself.

## Signing in

${signIn(isGitHub, host.host, oauth)}

## What to know

${CAVEATS.map((caveat) => `- ${caveat}`).join('\n')}
- A picture set that is given by URLs (\`{original: …, thumbnail: …}\`) cannot be edited in a form, and the CMS drops it when it saves: so a
  field that any theme writes like this is not in the form. Run \`themecast cms\` again when a theme begins to.
- The console of the browser shows requests that were refused: for fonts of a CDN (the CMS has them itself), for its newest version,
  and for the state of ${host.name}. The policy of the page lets nothing through but ${host.name}, and pictures: avatars, and
  those on the site's \`allowed_hosts\`. Before somebody signs in, nobody is asked.
`;
}

function signIn(isGitHub: boolean, host: string, oauth: string | undefined): string {
  if (oauth !== undefined) {
    return isGitHub
      ? `With an account of GitHub, by way of the OAuth client at ${oauth}; or with a token.`
      : `With an account of ${host}, by way of the application \`${oauth}\` (PKCE; its redirect URI is the URL of this page); or with a token.`;
  }
  return isGitHub
    ? `With a fine-grained personal access token for the one repository: contents and pull requests, read and write. So that editors sign in
with their accounts, run an OAuth client ([Sveltia CMS Authenticator](https://github.com/sveltia/sveltia-cms-auth), a Worker at Cloudflare) and
name it: \`themecast cms --oauth https://auth.example.org\`.`
    : `With a personal access token with the scope \`api\`. So that editors sign in with their accounts, make an application at ${host}
(not confidential, scope \`api\`, redirect URI: the URL of this page) and name its id: \`themecast cms --oauth ID\`.`;
}
