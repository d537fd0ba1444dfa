import { textFile } from '../../document/output-file.ts';
import type { EdgeAdapter } from '../adapter.ts';
import { STATIC_FILES } from '../presets.ts';
import { documentHeaders, fileHeaders, headersFile, schemaHeaders } from '../headers-file.ts';
import { pathRewrites } from './redirects.ts';
import { ASSETS_CONFIG, readme } from './readme.ts';
import { configFile } from '../config-file.ts';

/** Cloudflare's static assets (or Pages) without a Worker: `_headers` and `_redirects`, which it reads in the published folder. */
export const cloudflareStatic: EdgeAdapter = {
  title: 'Cloudflare without a Worker',
  capabilities: {
    ...STATIC_FILES,
    headers: true,
    etag: 'content',
    // Cloudflare reads 2,000 lines without placeholders; the endpoints take four.
    redirects: 1996,
    redirectsBecause: '2,000 lines of `_redirects`',
  },
  files: () => [configFile('wrangler.jsonc', ASSETS_CONFIG)],
  readme: ({ rules }) => readme(rules),
  publicFiles({ rules }) {
    const { endpoints, headers, basePath } = rules;
    const page = { ...headers.all, ...headers.endpoint, ...headers.html };
    const blocks = [
      ...Object.values(endpoints).map((endpoint) => ({
        path: endpoint.path,
        headers: documentHeaders(endpoint, rules),
      })),
      { path: `${endpoints.list.folder}*.html`, headers: page },
      ...rules.schemas.map(({ path }) => ({ path, headers: schemaHeaders(rules) })),
      ...fileHeaders(rules).map((one) => ({ ...one, path: basePath + one.path })),
    ];
    return [
      textFile('_headers', headersFile(blocks), 'text/plain; charset=utf-8', 'list'),
      textFile('_redirects', pathRewrites(rules), 'text/plain; charset=utf-8', 'list'),
    ];
  },
};
