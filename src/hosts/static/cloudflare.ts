import type { OutputFile } from '../../document/output-file.ts';
import type { EdgeInput } from '../adapter.ts';
import { configFile } from '../config-file.ts';
import type { EdgeRules } from '../contract.ts';
import { documentHeaders, fileHeaders, headersFile, ownFiles } from '../headers-file.ts';
import { fillFile } from '../template.ts';

/** For Cloudflare's static assets (or Pages) without a Worker: `wrangler.jsonc`, and what it reads in the published folder. */
export function cloudflareFiles({ rules, templates }: EdgeInput): OutputFile[] {
  const { endpoints, headers, basePath } = rules;
  const blocks = [
    ...Object.values(endpoints).map((endpoint) => ({ path: endpoint.path, headers: documentHeaders(endpoint, rules) })),
    { path: `${endpoints.list.folder}*.html`, headers: { ...headers.all, ...headers.endpoint, ...headers.html } },
    ...ownFiles(rules),
    ...fileHeaders(rules, basePath),
  ];
  return [
    // Without HTML handling, which would redirect `browse.html` to `browse`.
    configFile('wrangler.jsonc', fillFile(templates, 'static/wrangler.jsonc.mustache', {})),
    configFile('_headers', headersFile(blocks)),
    configFile('_redirects', pathRewrites(rules)),
  ];
}

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
