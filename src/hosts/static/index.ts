import type { OutputFile } from '../../document/output-file.ts';
import type { EdgeAdapter, EdgeInput } from '../adapter.ts';
import { configFile, filledFile, jsonFile } from '../config-file.ts';
import type { EdgeRules } from '../contract.ts';
import { documentHeaders, fileHeaders, headersFile, ownFiles } from '../headers-file.ts';
import { TYPES_BY_EXTENSION } from '../media.ts';
import { STATIC_FILES } from '../presets.ts';

/** Static hosts: S3 websites, Cloudflare without a Worker, GitHub and GitLab Pages, Firebase Hosting, Azure Static Web Apps. */
export const staticFiles: EdgeAdapter = {
  title: 'a static host',
  capabilities: STATIC_FILES,
  files: (input) => [
    jsonFile('firebase.json', firebaseConfig(input.rules)),
    jsonFile('staticwebapp.config.json', staticWebAppConfig(input.rules)),
    ...cloudflareFiles(input),
  ],
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

/**
 * `firebase.json`. Without `trailingSlash`: with it, Firebase looks for the endpoints as files and answers 404 (superstatic 10.0.0).
 * Where several blocks set a header, the last one holds (firebase-tools#9467).
 */
function firebaseConfig(rules: EdgeRules): object {
  const { basePath, endpoints, headers } = rules;
  const documents = Object.values(endpoints);
  return {
    hosting: {
      public: 'dist',
      ignore: ['firebase.json', '**/.*', 'manifest.json'],
      rewrites: documents.map(({ path }) => ({ source: path, destination: `${path}index.json` })),
      headers: [
        ...documents.map((endpoint) => block(endpoint.path, documentHeaders(endpoint, rules))),
        block(`${endpoints.list.path}**/*.html`, { ...headers.all, ...headers.endpoint, ...headers.html }),
        ...ownFiles(rules).map((file) => block(file.path, file.headers)),
        block(`${basePath}/media/**`, { ...headers.all, ...headers.media }),
        block(`${basePath}/media/**/*.svg`, headers.svg),
      ],
    },
  };
}

function block(source: string, headers: Readonly<Record<string, string>>): object {
  return { source, headers: Object.entries(headers).map(([key, value]) => ({ key, value })) };
}

/**
 * `staticwebapp.config.json`. The first route that matches is the only one, and nothing of a request but its path and method decides
 * whether it does (Microsoft, "Configure Azure Static Web Apps"), so each has all of its headers.
 */
function staticWebAppConfig(rules: EdgeRules): object {
  const { basePath, endpoints, headers } = rules;
  const image = { ...headers.all, ...headers.media };
  return {
    routes: [
      ...Object.values(endpoints).map((endpoint) => ({
        route: endpoint.path,
        rewrite: `${endpoint.path}index.json`,
        headers: documentHeaders(endpoint, rules),
      })),
      ...ownFiles(rules).map((file) => ({ route: file.path, headers: file.headers })),
      { route: `${basePath}/media/*.{svg}`, headers: { ...image, ...headers.svg } },
      { route: `${basePath}/media/*`, headers: image },
      {
        route: `${endpoints.list.path}*.{html}`,
        headers: { ...headers.all, ...headers.endpoint, ...headers.html },
      },
    ],
    mimeTypes: Object.fromEntries(TYPES_BY_EXTENSION.map(([extension, mediaType]) => [`.${extension}`, mediaType])),
  };
}

/** For Cloudflare's static assets (or Pages) without a Worker: `wrangler.jsonc`, and what it reads in the published folder. */
function cloudflareFiles({ rules, templates }: EdgeInput): OutputFile[] {
  const { endpoints, headers, basePath } = rules;
  const blocks = [
    ...Object.values(endpoints).map((endpoint) => ({ path: endpoint.path, headers: documentHeaders(endpoint, rules) })),
    { path: `${endpoints.list.folder}*.html`, headers: { ...headers.all, ...headers.endpoint, ...headers.html } },
    ...ownFiles(rules),
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
