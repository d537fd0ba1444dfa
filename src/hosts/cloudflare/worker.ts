import type { EdgeRules } from '../contract.ts';
import { POINTER } from '../../users/shards.ts';
import { GENERATED, type LookUp, SHARDED_THEME_OF, shardedImport, shardedThemes } from '../handler-modules.ts';
import { KEY_SECRET, OLD_KEY_SECRET } from '../secrets.ts';

/** Name of the binding of the KV namespace with the mapping. No identity rule can mean it: their variables hold text. */
export const MAPPING_BINDING = 'THEMES_OF_KEYS';

/** What a key is called in KV: `u:tom`, `g:staff`. */
export const KEY_PREFIX = { user: 'u:', group: 'g:' } as const;

/**
 * Seconds for which each place of Cloudflare's may keep what changes, and so the time until a change has come everywhere; and those for
 * values of shards. These never change, but that there is none yet may be kept as well.
 */
const CHANGING = 60;
const UNCHANGING = 3600;

const KEY_LOOK_UP: LookUp = {
  imports: '',
  setUp: `
const KEY_PREFIX = ${JSON.stringify(KEY_PREFIX)};
// Seconds for which each place of Cloudflare's may keep an entry, and so the time until a change has come everywhere.
const CACHE_TTL = ${CHANGING};
`,
  themeOf: `async (kind, key) => (await env.${MAPPING_BINDING}.get(KEY_PREFIX[kind] + key, { cacheTtl: CACHE_TTL })) ?? undefined`,
};

/** `bindings` are those of the Worker as they are now: a new secret shows without a new Worker. */
const SHARD_LOOK_UP: LookUp = {
  imports: shardedImport('./'),
  setUp: shardedThemes(
    `async (name) => {
    const cacheTtl = name === '${POINTER}' ? ${CHANGING} : ${UNCHANGING};
    return (await bindings.${MAPPING_BINDING}.get(name, { cacheTtl })) ?? undefined;
  }`,
    [`bindings.${KEY_SECRET}`, `bindings.${OLD_KEY_SECRET}`],
  ),
  themeOf: SHARDED_THEME_OF,
};

/** `worker.js`: what Cloudflare lends to the handler. */
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
      // Whoever calls a Worker past the proxy has an address of Cloudflare's too.
      isTrusted: () => false,
    });
    return response ?? picture(request, env);
  },
};

async function readAsset(path, { url }, env) {
  const { status, body, headers } = await env.ASSETS.fetch(new URL(path, url));
  // The ETag of an asset is the hash of its content.
  return status === 200 ? { body, etag: headers.get('ETag') } : undefined;
}

/** A picture below the path of base_url. Without such a path Cloudflare sends pictures itself, and only what is not there gets here. */
async function picture(request, env) {
  const { pathname } = new URL(request.url);
  const reads = request.method === 'GET' || request.method === 'HEAD';
  if (!reads || !pathname.startsWith(rules.basePath + '/media/')) return notFound(rules);
  const url = new URL(pathname.slice(rules.basePath.length), request.url);
  const response = await env.ASSETS.fetch(new Request(url, request));
  return response.status === 200 || response.status === 304 ? response : notFound(rules);
}
`;
}
