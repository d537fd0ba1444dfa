import { type PrivateFile, textFile } from '../../core/document/files/output-file.ts';
import type { Mapping } from '../../core/users/mapping.ts';
import { POINTER } from '../../core/users/shards.ts';
import { filledFile } from '../contract/config-file.ts';
import type { EdgeRules } from '../contract/contract.ts';
import { defineFetchHost } from '../adapter/fetch-host.ts';
import { schemaPaths, servicePaths } from '../adapter/handler-modules.ts';
import { fileHeaders, headersFile } from '../adapter/headers-file.ts';
import { storeFiles } from '../adapter/store-files.ts';
import type { View } from '../adapter/template.ts';

/** The binding of the KV namespace with the mapping. Secrets of identity rules cannot clash with it, because they are strings. */
export const MAPPING_BINDING = 'THEMES_OF_KEYS';

/** The prefixes of keys in KV: `u:tom`, `g:staff`. */
const KEY_PREFIX = { user: 'u:', group: 'g:' } as const;

/** How long each location may cache values that change, in seconds. A change is in effect after that time. */
const MUTABLE_TTL_SECONDS = 60;
/** How long each location may cache values of shards, in seconds. A shard never changes, but KV may cache that a value is missing. */
const IMMUTABLE_TTL_SECONDS = 3600;

/** A Cloudflare Worker with static assets, and the mapping in KV. */
export const cloudflare = defineFetchHost({
  title: 'Cloudflare',
  capabilities: {
    ranOn: 'workerd, the runtime of the platform, on one machine',
    maxKeys: 1_000_000,
    maxKeysBecause: 'a bulk file that wrangler reads whole',
    keyed: { maxKeys: 10_000_000, maxKeysBecause: 'KV has no limit' },
  },
  routing: 'Add a route or a custom domain for each.',
  readme: () => ({ binding: MAPPING_BINDING }),
  entry: 'worker.js',
  modules: '',
  imports: './',
  // Read at each request: a new secret applies without a new Worker.
  secret: (name) => `bindings.${name}`,
  template: 'cloudflare/worker.js.mustache',
  view: () => ({
    binding: MAPPING_BINDING,
    key_prefix: JSON.stringify(KEY_PREFIX),
    mutable_ttl: String(MUTABLE_TTL_SECONDS),
  }),
  store: {
    readValue: `async (name) => {
    const cacheTtl = name === '${POINTER}' ? ${MUTABLE_TTL_SECONDS} : ${IMMUTABLE_TTL_SECONDS};
    return (await bindings.${MAPPING_BINDING}.get(name, { cacheTtl })) ?? undefined;
  }`,
    files: bulkFiles,
  },
  config: ({ rules, templates }) => [filledFile(templates, 'cloudflare/wrangler.jsonc', wranglerView(rules))],
  // The Worker responds to missing files, so these headers are never on a 404.
  publicFiles: ({ rules }) => [textFile('_headers', headersFile(fileHeaders(rules)))],
});

/** Returns `kv/users.json` and so on, for `wrangler kv bulk put`. */
function bulkFiles(mapping: Mapping): PrivateFile[] {
  return storeFiles(mapping, 'kv', (kind, key) => KEY_PREFIX[kind] + key);
}

function wranglerView(rules: EdgeRules): View {
  const { hostname } = new URL(rules.baseUrl);
  const files = ['/api/v2/theme*', '/media/*', ...rules.schemas.map(({ file }) => file)];
  const handled = [...servicePaths(rules), ...schemaPaths(rules)];
  return {
    routes: JSON.stringify(files.map((path) => hostname + rules.basePath + path)),
    paths: JSON.stringify(handled),
    binding: MAPPING_BINDING,
  };
}
