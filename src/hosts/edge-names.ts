import type { EdgeHost } from '../theme/site.ts';

/** `files.json` in the edge directory lists every other file there and the number of mapped users; and how the file begins. */
export const PRIVATE_LIST = { file: 'files.json', start: /^\{"version":1,"users":\d+,"files":\[/ };

/** The modules of the handler, with its rules and the mapping. */
const MODULES =
  '(?:answer|cookie|cors|etag|handler|hostname|jwks|mapping|media|negotiate|responses|rules|shards|shards-data|site-file|theme-id|token|white-space)\\.js';

/** The names of the files that each adapter writes below `edge/<host>/`, besides README.md. */
const HOST_FILES: Readonly<Record<EdgeHost, string>> = {
  nginx: 'themecast-rules|(?:hash|headers|locations|maps|theme-service)\\.conf|token\\.js|(?:users|groups)\\.map',
  apache:
    'themecast-rules|(?:theme-service|virtual-host)\\.conf|make-maps\\.sh|(?:users|groups|redirects)\\.txt|answers/(?:40[3-6]|(?:list|config|theme)_options)\\.json',
  caddy: 'themecast-rules|(?:files|maps|service|theme-service|users|groups)\\.caddy',
  cloudflare: `worker\\.js|wrangler\\.jsonc|kv/(?:users|shards|pointer)\\.json|${MODULES}`,
  netlify: `netlify\\.toml|netlify/edge-functions/theme\\.js|netlify/themecast/${MODULES}`,
  vercel: `middleware\\.js|package\\.json|vercel\\.json|themecast/${MODULES}`,
  cloudfront: 'kvs\\.json|viewer-(?:request|response)\\.js',
  fetch: `node\\.js|theme\\.js|themecast/${MODULES}`,
  static: '_headers|_redirects|wrangler\\.jsonc',
};

const COMMON =
  '(?:build|files|rules)\\.json|users\\.ndjson|shards/(?:pointer|s-[0-9a-f]{3}-[0-9a-f]{12}|i-[0-9a-f]{16}-[0-9a-f]{2})';
const HOSTS = Object.entries(HOST_FILES).map(([host, files]) => `${host}/(?:README\\.md|${files})`);
const EDGE_FILE = new RegExp(`^(?:${[COMMON, ...HOSTS].join('|')})$`);

/**
 * Whether a build may write this path below `edge/`. The hosts may have changed since, so the names of every host match. Foreign files,
 * such as an nginx map with a secret or `.wrangler/`, belong to the operator.
 */
export function isEdgeName(path: string): boolean {
  return EDGE_FILE.test(path);
}

const FOLDERS = `shards|(?:${Object.keys(HOST_FILES).join('|')})(?:/(?:answers|kv|netlify(?:/(?:edge-functions|themecast))?|themecast))?`;
const EDGE_FOLDER = new RegExp(`^(?:${FOLDERS})$`);

/** Whether a build may make this folder below `edge/`. */
export function isEdgeFolder(path: string): boolean {
  return EDGE_FOLDER.test(path);
}
