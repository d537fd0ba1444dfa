import { CMS_FOLDER, MARK } from './page.ts';
import type { Authoring, CmsTarget } from './config.ts';

/** What to know before setting it up: a sentence or two each, without line breaks. */
export const CAVEATS = [
  'The CMS removes comments from each file that it writes (decap-cms#5099), including the line `# yaml-language-server`: configure the schema in `.vscode/settings.json` instead (`"yaml.schemas": {"themes/theme.schema.json": "themes/*/theme.yaml"}`).',
  'Editors need write access to the repository, and a token or an account that an OAuth application accepts.',
  'Do not publish this folder with the public site unless you mean to.',
  'The CMS validates little: run `themecast check` on every pull request, and protect the branch so that a failed check blocks the merge.',
] as const;

/**
 * `README.md` of the folder, for the person who sets it up.
 * @param folder - its path relative to the working directory
 */
export function cmsReadme(
  { host, branch, themesPath, oauth }: CmsTarget,
  authoring: Authoring,
  version: string,
  folder: string,
): string {
  const isGitHub = host.name === 'GitHub';
  const request = isGitHub ? 'pull request' : 'merge request';
  return `<!-- ${MARK} -->
# Editing themes in the browser

This folder is a web page, [Sveltia CMS](https://sveltiacms.app/) ${version}, for editing the themes of \`${host.repository}\` in forms. It has
no server: it talks to ${host.name} directly. Every change is a ${request} into \`${branch}\`, and a draft until its author sends it
for review.

| file | content |
|---|---|
| \`index.html\`, \`start.js\` | the page |
| \`config.yml\` | the form, from the fields of \`theme.yaml\` and the value lists of \`site.yaml\` |
| \`${CMS_FOLDER}/\` | the CMS as its npm package has it, and what draws its preview, with their licences (MIT); \`VERSION.txt\` lists the changes |

\`themecast cms\` writes all of it. Run it again after an update of themecast or of the CMS, and after a change of \`site.yaml\`.

## Try it on this machine

    npx http-server ${folder} -a 127.0.0.1 -p 8090 -c-1

Open http://127.0.0.1:8090/ in Chrome or Edge, select "Work with Local Repository", and choose the folder of the repository (the one that
contains \`${themesPath === '' ? '.git' : themesPath}\`). The CMS then writes into your working tree and commits nothing.

## Install

Serve the folder over https from any web server or static host, if possible for editors only: behind a login or in the company network.
Send the header \`X-Frame-Options: DENY\`, which a page cannot set for itself.

## Signing in

${signIn(isGitHub, host.host, oauth)}

## What to know

${CAVEATS.map((caveat) => `- ${caveat}`).join('\n')}
- The form cannot edit an image set that is given by URLs (\`{original: …, thumbnail: …}\`), and the CMS would drop it when it saves. So the form
  omits every field that any theme writes like this. Run \`themecast cms\` again when a theme begins to.
${colours(authoring)}
${users(authoring)}
- The browser console shows blocked requests: for fonts from a CDN (the CMS bundles them), for the latest version of the CMS, and for the
  status of ${host.name}. The policy of the page allows requests to ${host.name} only, and images only from the site's
  \`allowed_hosts\` and for avatars. Until you sign in, the page sends no requests to other servers.
`;
}

function colours({ hasHexColours }: Authoring): string {
  return hasHexColours
    ? `- The palette has colour pickers, because every colour is written as \`#rrggbb\`. A picker clears any other notation, such as \`navy\`, as soon as
  the theme is opened: run \`themecast cms\` again when one is used.`
    : `- The palette has text fields: the colour picker of the CMS clears every colour that is not written as \`#rrggbb\`, and some themes use other
  notations. Write all colours as \`#rrggbb\`, and run \`themecast cms\` again, to get colour pickers.`;
}

function users({ hasRowsOnly }: Authoring): string {
  return hasRowsOnly
    ? `- Users are not in the form: they are in CSV or NDJSON files, which the CMS cannot write. It can write \`users.yaml\`.`
    : `- "Users" is the form of \`users.yaml\`, with the themes that there are now: run \`themecast cms\` again when one is added. Keys in CSV and NDJSON
  files and in lists are not in it.`;
}

function signIn(isGitHub: boolean, host: string, oauth: string | undefined): string {
  if (oauth !== undefined) {
    return isGitHub
      ? `Editors sign in with their GitHub accounts through the OAuth client at ${oauth}, or with a token.`
      : `Editors sign in with their accounts at ${host} through the application \`${oauth}\` (PKCE; its redirect URI is the URL of this page), or with a token.`;
  }
  return isGitHub
    ? `Editors sign in with a fine-grained personal access token for this one repository, with read and write access to contents and pull requests.
To let them sign in with their accounts, run an OAuth client ([Sveltia CMS Authenticator](https://github.com/sveltia/sveltia-cms-auth), a
Cloudflare Worker) and name it: \`themecast cms --oauth https://auth.example.org\`.`
    : `Editors sign in with a personal access token with the scope \`api\`. To let them sign in with their accounts, create an application at ${host}
(not confidential, scope \`api\`, redirect URI: the URL of this page) and name its id: \`themecast cms --oauth ID\`.`;
}
