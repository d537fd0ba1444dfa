import type { OutputFile } from '../../core/document/files/output-file.ts';
import type { EdgeAdapter, EdgeInput } from '../adapter/adapter.ts';
import { configFile, filledFile } from '../contract/config-file.ts';
import type { EdgeRules } from '../contract/contract.ts';
import { fileHeaders, headersFile } from '../adapter/headers-file.ts';

/** Static hosts: S3 websites, Cloudflare without a Worker, GitHub and GitLab Pages. */
export const staticFiles: EdgeAdapter = {
  title: 'a static host',
  capabilities: {
    ranOn: 'the static assets of Cloudflare in workerd, on one machine; S3 for uploads',
    identity: [],
    maxKeys: 0,
    maxKeysBecause: 'it sends files and runs nothing',
    caseSensitiveKeys: true,
    hasRules: false,
    etag: 'none',
    redirects: 0,
  },
  files: cloudflareFiles,
  readme({ rules: { basePath, endpoints } }) {
    const folder = basePath.slice(1);
    return {
      folder,
      prefix: folder === '' ? '' : `${folder}/`,
      list_folder: endpoints.list.folder.slice(1),
      config_folder: endpoints.config.folder.slice(1),
      list_cache: endpoints.list.cacheControl,
    };
  },
};

/** Returns the files for Cloudflare's static assets (or Pages) without a Worker, which reads two of them in the published folder. */
function cloudflareFiles({ rules, templates }: EdgeInput): OutputFile[] {
  const { endpoints, schemas, records, headers, contentTypes, basePath } = rules;
  const { all, endpoint: common, html } = headers;
  const json = { 'Content-Type': contentTypes.json };
  const blocks = [
    // `:id` matches `config` too, whose block comes later and replaces the headers.
    ...[endpoints.theme, endpoints.list, endpoints.config].map(({ kind, path, cacheControl, allow, vary }) => ({
      path: path.replace('*', ':id'),
      replaces: kind === 'config',
      headers: { ...json, 'Cache-Control': cacheControl, Allow: allow, Vary: vary, ...all, ...common },
    })),
    { path: `${endpoints.list.folder}*.html`, headers: { ...all, ...common, ...html } },
    ...schemas.map(({ path }) => ({ path, headers: { ...all, ...json, ...headers.schema } })),
    ...records.map(({ path }) => ({ path, headers: { ...all, ...json, ...headers.record } })),
    ...fileHeaders(rules, basePath),
  ];
  return [
    // Without HTML handling, which would redirect `browse.html` to `browse`.
    filledFile(templates, 'static/wrangler.jsonc', {}),
    configFile('_headers', headersFile(blocks)),
    configFile('_redirects', pathRewrites(rules)),
  ];
}

/**
 * Returns `_redirects`: path, file, status; 200 serves the file under the URL of the request. Paths consist of `A–Z a–z 0–9 . _ ~ / -`
 * (site.yaml), so they have no special characters.
 */
function pathRewrites({ endpoints, schemas, records, basePath }: EdgeRules): string {
  const documents = Object.values(endpoints);
  const lines = [
    // The first line that matches decides, so `config` is no id.
    ...documents.map(({ path, folder }) => `${path} ${folder}index.json 200`.replaceAll('*', ':id')),
    // Not for themes: `:id` without slash would match assets.json.
    ...documents.flatMap(({ kind, path }) => (kind === 'theme' ? [] : [`${path.slice(0, -1)} ${path} 301`])),
    ...(basePath === ''
      ? []
      : [
          `${basePath}/media/* /media/:splat 200`,
          ...[...schemas, ...records].map(({ path, file }) => `${path} ${file} 200`),
        ]),
  ];
  return lines.map((line) => `${line}\n`).join('');
}
