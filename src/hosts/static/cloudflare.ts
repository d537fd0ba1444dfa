import { type OutputFile, textFile } from '../../document/output-file.ts';
import { configFile } from '../config-file.ts';
import type { EdgeRules } from '../contract.ts';
import { documentHeaders, fileHeaders, headersFile, ownFiles } from '../headers-file.ts';

/** For Cloudflare's static assets (or Pages) without a Worker: `wrangler.jsonc`, and what it reads in the published folder. */
export function cloudflareFiles(rules: EdgeRules): OutputFile[] {
  const { endpoints, headers, basePath } = rules;
  const blocks = [
    ...Object.values(endpoints).map((endpoint) => ({ path: endpoint.path, headers: documentHeaders(endpoint, rules) })),
    { path: `${endpoints.list.folder}*.html`, headers: { ...headers.all, ...headers.endpoint, ...headers.html } },
    ...ownFiles(rules),
    ...fileHeaders(rules, basePath),
  ];
  return [
    configFile('wrangler.jsonc', ASSETS_CONFIG),
    textFile('_headers', headersFile(blocks), 'text/plain; charset=utf-8', 'config'),
    textFile('_redirects', pathRewrites(rules), 'text/plain; charset=utf-8', 'config'),
  ];
}

/** `wrangler.jsonc`. Without HTML handling, which would redirect `browse.html` to `browse`. */
const ASSETS_CONFIG = `// themecast: static assets without a Worker. Copy this to the root of your repository; builds overwrite it here.
{
  "name": "theme-service",
  "compatibility_date": "2026-04-01",
  "assets": {
    "directory": "./dist",
    "html_handling": "none",
    "not_found_handling": "none"
  }
}
`;

/**
 * `_redirects`: path, file, status; 200 serves the file under the URL of the request. Paths keep to `A–Z a–z 0–9 . _ ~ / -` (site.yaml),
 * so none has anything that would mean more than itself.
 */
function pathRewrites(rules: EdgeRules): string {
  const { endpoints, basePath } = rules;
  const documents = Object.values(endpoints);
  const lines = [
    ...documents.map(({ path, folder }) => `${path} ${folder}index.json 200`),
    ...documents.map(({ path }) => `${path.slice(0, -1)} ${path} 301`),
    ...(basePath === ''
      ? []
      : [`${basePath}/media/* /media/:splat 200`, ...ownFiles(rules).map(({ path, file }) => `${path} ${file} 200`)]),
  ];
  return lines.map((line) => `${line}\n`).join('');
}
