import type { KeyKind } from '../../users/key.ts';
import { filledFile, jsonFile } from '../config-file.ts';
import { defineFetchHost } from '../fetch-host.ts';
import { jsonParse } from '../handler-modules.ts';
import { identitySecrets } from '../secrets.ts';
import { storeFiles } from '../store-files.ts';
import { FILES_BACKEND, jwksBackends, manifestView, PACKAGE_JSON, STORE } from './manifest.ts';

/** How long Fastly caches the files of the endpoints, in seconds. */
const FILES_TTL_SECONDS = 60;
/** How long Fastly caches public keys, in seconds. */
const KEYS_TTL_SECONDS = 300;

/** Fastly Compute with a KV Store, in front of any static host of `dist/`. */
export const fastly = defineFetchHost({
  title: 'Fastly',
  capabilities: {
    maxKeys: 1_000_000,
    maxKeysBecause: 'an hour or more to upload',
    keyed: { maxKeys: 10_000_000, maxKeysBecause: 'a KV Store has no limit' },
  },
  routing: 'Add each as a domain of the service.',
  readme: ({ rules }) => ({ backends: jwksBackends(rules), files_backend: FILES_BACKEND, store: STORE }),
  entry: 'src/index.js',
  modules: 'src/runtime/',
  imports: './runtime/',
  secret: (name) => `await readSecret('${name}')`,
  store: {
    // Compute usually keeps no memory between requests, so each request reads the pointer, a page and a shard.
    readValue: `async (name) => (await new KVStore('${STORE}').get(name))?.text()`,
    files: (mapping) =>
      storeFiles(mapping, {
        path: (name) => `${name}.ndjson`,
        key: keyName,
        // The format of `fastly kv-store-entry create --file`.
        entry: (key, value) => ({ key, value: Buffer.from(value).toString('base64') }),
        isArray: false,
      }),
  },
  template: 'fastly/index.js.mustache',
  view: (rules) => ({
    secret_names: jsonParse(identitySecrets(rules.identity)),
    jwks_backends: jsonParse(jwksBackends(rules).map(({ url, name }) => [url, name])),
    store: STORE,
    files_backend: FILES_BACKEND,
    files_ttl: String(FILES_TTL_SECONDS),
    keys_ttl: String(KEYS_TTL_SECONDS),
  }),
  config: ({ rules, templates }) => [
    filledFile(templates, 'fastly/fastly.toml', manifestView(rules)),
    jsonFile('package.json', PACKAGE_JSON),
  ],
});

/** Returns the name of a key in the store: `user/tom`, `group/staff`; percent-encoded, because names must not contain `|`. */
function keyName(kind: KeyKind, key: string): string {
  return `${kind}/${encodeURIComponent(key)}`;
}
