import type { EdgeRules } from '../contract.ts';
import { POINTER } from '../../users/shards.ts';
import { GENERATED, type LookUp, SHARDED_THEME_OF, shardedImport, shardedThemes } from '../handler-modules.ts';
import { KEY_SECRET, OLD_KEY_SECRET } from '../secrets.ts';

/** Name of the binding of the KV namespace with the mapping. It cannot clash with secrets of identity rules, which are strings. */
export const MAPPING_BINDING = 'THEMES_OF_KEYS';

/** The name of a key in KV: `u:tom`, `g:staff`. */
export const KEY_PREFIX = { user: 'u:', group: 'g:' } as const;

/**
 * How long each location may cache values that change, in seconds, which is the time that a change takes; and values of shards. These
 * never change, but a missing value may be cached too.
 */
const MUTABLE_TTL = 60;
const IMMUTABLE_TTL = 3600;

const KEY_LOOK_UP: LookUp = {
  imports: '',
  setUp: `
const KEY_PREFIX = ${JSON.stringify(KEY_PREFIX)};
// How long each location may cache an entry, in seconds: the time that a change takes.
const CACHE_TTL = ${MUTABLE_TTL};
`,
  themeOf: `async (kind, key) => (await env.${MAPPING_BINDING}.get(KEY_PREFIX[kind] + key, { cacheTtl: CACHE_TTL })) ?? undefined`,
};

/** `bindings` are the current ones: a new secret applies without a new Worker. */
const SHARD_LOOK_UP: LookUp = {
  imports: shardedImport('./'),
  setUp: shardedThemes(
    `async (name) => {
    const cacheTtl = name === '${POINTER}' ? ${MUTABLE_TTL} : ${IMMUTABLE_TTL};
    return (await bindings.${MAPPING_BINDING}.get(name, { cacheTtl })) ?? undefined;
  }`,
    [`bindings.${KEY_SECRET}`, `bindings.${OLD_KEY_SECRET}`],
  ),
  themeOf: SHARDED_THEME_OF,
};

/** `worker.js`: connects Cloudflare to the handler. */
export function workerModule({ keyed }: EdgeRules): string {
  const { imports, setUp, themeOf } = keyed ? SHARD_LOOK_UP : KEY_LOOK_UP;
  return `${GENERATED}
${keyed ? "import { env as bindings } from 'cloudflare:workers';\n" : ''}import { handle, notFound } from './handler.js';
import { fetchJwks } from './jwks.js';
import { rules } from './rules.js';
${imports}${setUp}
export default {
  async fetch(request, env) {
    const response = await handle(request, rules, {
      readFile: (path) => readAsset(path, request, env),
      themeOf: ${themeOf},
      secret: (name) => (typeof env[name] === 'string' ? env[name] : undefined),
      jwks: fetchJwks,
      // Requests that bypass the proxy have an address of Cloudflare too.
      isTrusted: () => false,
    });
    return response ?? image(request, env);
  },
};

async function readAsset(path, { url }, env) {
  const { status, body, headers } = await env.ASSETS.fetch(new URL(path, url));
  // The ETag of an asset is a hash of its content.
  return status === 200 ? { body, etag: headers.get('ETag') } : undefined;
}

/** An image below the path of base_url. Without such a path Cloudflare serves images itself, and only missing files get here. */
async function image(request, env) {
  const { pathname } = new URL(request.url);
  const reads = request.method === 'GET' || request.method === 'HEAD';
  if (!reads || !pathname.startsWith(rules.basePath + '/media/')) return notFound(rules);
  const url = new URL(pathname.slice(rules.basePath.length), request.url);
  const response = await env.ASSETS.fetch(new Request(url, request));
  return response.status === 200 || response.status === 304 ? response : notFound(rules);
}
`;
}
