import { markup } from '../document/html.ts';
import type { Site } from '../theme/site.ts';
import { COLOUR_FIELD } from './config.ts';
import type { PreviewSite } from './preview/entry.ts';
import type { GitHost } from '../document/preview/git-host.ts';

/** The first line of each file, apart from lines that its format requires before. People remove it from a file that they edit. */
export const MARK = 'Written by themecast cms; changes are lost.';

/** Folder of the CMS beside `index.html`. */
export const CMS_FOLDER = 'sveltia-cms';

/** Folder of the modules that draw the preview, in {@link CMS_FOLDER}. */
export const PREVIEW_FOLDER = 'preview';
/** The style sheet of the preview, in this folder. */
export const PREVIEW_STYLE_FILE = 'style.css';
export const PREVIEW_MODULE = 'cms/preview/component.js';

/** Returns `start.js`, a separate module, because the policy of the page forbids inline scripts. */
export function startScript({ allowed_hosts }: PreviewSite): string {
  const site = JSON.stringify({ allowed_hosts });
  return `// ${MARK}
import * as cms from './${CMS_FOLDER}/npm/index.js';
import { registerColour, registerPreview } from './${CMS_FOLDER}/${PREVIEW_FOLDER}/${PREVIEW_MODULE}';

registerColour(cms, '${COLOUR_FIELD}');
registerPreview(cms, ${site}, '${CMS_FOLDER}/${PREVIEW_FOLDER}/${PREVIEW_STYLE_FILE}');
cms.init();
`;
}

/** Returns `index.html`, the page of the CMS. */
export function cmsPage(site: Site, host: GitHost): string {
  return markup`<!doctype html>
<!-- ${MARK} -->
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${policy(site, host)}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <title>Themes</title>
    <link rel="cms-config-url" type="application/yaml" href="config.yml">
    <script type="module" src="start.js"></script>
  </head>
  <body></body>
</html>
`.text;
}

/**
 * Returns the content security policy. It blocks unneeded requests of the CMS: for fonts, which are bundled, for its latest version, and
 * for the status of the Git host.
 */
function policy({ allowed_hosts: allowed }: Site, { name, host }: GitHost): string {
  const api = name === 'GitHub' ? 'api.github.com' : host;
  const avatars = name === 'GitHub' ? ['avatars.githubusercontent.com'] : [host, 'secure.gravatar.com'];
  const images = [...avatars, ...allowed].map((from) => `https://${from}`);
  return [
    "default-src 'none'",
    "script-src 'self'",
    // Components of the CMS set inline styles.
    "style-src 'self' 'unsafe-inline'",
    "font-src 'self'",
    ['img-src', "'self'", 'blob:', 'data:', ...new Set(images)].join(' '),
    `connect-src 'self' blob: data: https://${api}`,
    "worker-src 'self'",
    'frame-src blob:',
    'manifest-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}
