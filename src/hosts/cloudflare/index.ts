import { textFile } from '../../document/output-file.ts';
import { POINTER } from '../../users/shards.ts';
import { filledFile } from '../config-file.ts';
import type { EdgeRules } from '../contract.ts';
import { defineFetchHost } from '../fetch-host.ts';
import { schemaPaths, servicePaths } from '../handler-modules.ts';
import { fileHeaders, headersFile } from '../headers-file.ts';
import type { View } from '../template.ts';
import { KEY_PREFIX, keyFiles, shardFiles } from './kv.ts';

/** Name of the binding of the KV namespace with the mapping. It cannot clash with secrets of identity rules, which are strings. */
export const MAPPING_BINDING = 'THEMES_OF_KEYS';

/**
 * How long each location may cache values that change, in seconds, which is the time that a change takes; and values of shards. These
 * never change, but a missing value may be cached too.
 */
const MUTABLE_TTL = 60;
const IMMUTABLE_TTL = 3600;

/** A Cloudflare Worker with static assets, and the mapping in KV. */
export const cloudflare = defineFetchHost({
  title: 'Cloudflare',
  capabilities: {
    maxKeys: 10_000_000,
    maxKeysBecause: 'KV has no limit; a thousand bulk files of 10,000',
    redirects: 10_000,
    redirectsBecause: 'they are part of the Worker',
    keyed: { maxKeys: 10_000_000, maxKeysBecause: 'KV has no limit; two bulk files' },
  },
  storedIn: (kind, key) => `KV, as ${KEY_PREFIX[kind]}${key}`,
  routing: 'Add a route or a custom domain for each.',
  readme: () => ({ binding: MAPPING_BINDING }),
  entry: 'worker.js',
  modules: '',
  imports: './',
  // The current ones: a new secret applies without a new Worker.
  secret: (name) => `bindings.${name}`,
  template: 'cloudflare/worker.js.mustache',
  view: () => ({ binding: MAPPING_BINDING, key_prefix: JSON.stringify(KEY_PREFIX), mutable_ttl: String(MUTABLE_TTL) }),
  store: {
    readValue: `async (name) => {
    const cacheTtl = name === '${POINTER}' ? ${MUTABLE_TTL} : ${IMMUTABLE_TTL};
    return (await bindings.${MAPPING_BINDING}.get(name, { cacheTtl })) ?? undefined;
  }`,
    files: (mapping) => (mapping.shards === undefined ? keyFiles(mapping) : shardFiles(mapping.shards)),
  },
  config: ({ rules, templates }) => [filledFile(templates, 'cloudflare/wrangler.jsonc', wranglerView(rules))],
  // Missing files are handled by the Worker, so these headers are never on a 404.
  publicFiles: ({ rules }) => [
    textFile('_headers', headersFile(fileHeaders(rules)), 'text/plain; charset=utf-8', 'list'),
  ],
});

/** What `wrangler.jsonc` has. */
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
