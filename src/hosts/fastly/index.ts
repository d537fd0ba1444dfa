import { textFile } from '../../document/output-file.ts';
import { defineFetchHost } from '../fetch-host.ts';
import { jsonParse } from '../handler-modules.ts';
import { identitySecrets } from '../secrets.ts';
import { keyLines, shardLines, STORE_KEY } from './kv.ts';
import { FILES_BACKEND, jwksBackends, manifestToml, PACKAGE_JSON, STORE } from './manifest.ts';

/** How long Fastly caches the files of the endpoints, and public keys, in seconds. */
const FILES_TTL = 60;
const KEYS_TTL = 300;

/** Fastly Compute with a KV Store, in front of any static host of `dist/`. */
export const fastly = defineFetchHost({
  title: 'Fastly',
  capabilities: {
    maxKeys: 1_000_000,
    maxKeysBecause: 'an hour or more to upload',
    redirects: 10_000,
    redirectsBecause: 'they are part of the program',
    keyed: { maxKeys: 10_000_000, maxKeysBecause: 'a KV Store has no limit' },
  },
  storedIn: (kind, key) => `the KV Store, as ${kind}/${encodeURIComponent(key)}`,
  routing: 'Add each as a domain of the service.',
  readme: ({ rules }) => ({ backends: jwksBackends(rules), files_backend: FILES_BACKEND, store: STORE }),
  entry: 'src/index.js',
  modules: 'src/runtime/',
  imports: './runtime/',
  secret: (name) => `await readSecret('${name}')`,
  store: {
    setUp: `
async function themeOf(kind, key) {
  const entry = await new KVStore('${STORE}').get(${STORE_KEY});
  return entry === null ? undefined : entry.text();
}
`,
    themeOf: 'themeOf',
    // The memory of Compute mostly ends with the request, so each request reads the pointer, a page and a shard.
    readValue: `async (name) => (await new KVStore('${STORE}').get(name))?.text()`,
    files: (mapping) => (mapping.shards === undefined ? [keyLines(mapping)] : shardLines(mapping.shards)),
  },
  code: (rules, themeOf) => `import { CacheOverride } from 'fastly:cache-override';
import { KVStore } from 'fastly:kv-store';
import { SecretStore } from 'fastly:secret-store';
import { etagOf } from './runtime/etag.js';

// The backend overrides the host of its requests.
const FILES = 'https://files.invalid';
const SECRETS = ${jsonParse(identitySecrets(rules))};
const JWKS_BACKENDS = new Map(${jsonParse(jwksBackends(rules).map(({ url, name }) => [url, name]))});

addEventListener('fetch', (event) => event.respondWith(respond(event.request)));

async function respond(request) {
  const secrets = new Map(await Promise.all(SECRETS.map(async (name) => [name, await readSecret(name)])));
  return answer(request, rules, {
    readFile,
    themeOf: ${themeOf},
    jwks,
    secret: (name) => secrets.get(name),
    image: (path) => readImage(path, request),
  });
}

async function readSecret(name) {
  return (await new SecretStore('${STORE}').get(name))?.plaintext();
}

/** A published file, cached for a minute or until it is purged; its ETag is the SHA-256 of its content. */
async function readFile(path) {
  const cacheOverride = new CacheOverride('override', { ttl: ${FILES_TTL}, surrogateKey: 'themecast' });
  const response = await fetch(FILES + path, { backend: '${FILES_BACKEND}', cacheOverride });
  if (response.status === 404 || response.status === 403) return undefined;
  if (response.status !== 200) throw new Error(\`The backend responds with \${response.status} for \${path}.\`);
  const body = await response.arrayBuffer();
  return { body, etag: await etagOf(body) };
}

/** Public keys, in the cache of Fastly: the memory of Compute ends with the request. */
async function jwks(url) {
  const cacheOverride = new CacheOverride('override', { ttl: ${KEYS_TTL} });
  const response = await fetch(url, { backend: JWKS_BACKENDS.get(url), cacheOverride });
  return response.status === 200 ? (await response.json()).keys : [];
}

/** An image, without the headers of the backend but these. */
async function readImage(path, request) {
  const tag = request.headers.get('If-None-Match');
  const conditions = tag === null ? {} : { 'If-None-Match': tag };
  const init = { backend: '${FILES_BACKEND}', method: request.method, headers: conditions };
  const { status, body, headers } = await fetch(FILES + path, init);
  const kept = ['ETag', 'Content-Length'].filter((name) => headers.has(name)).map((name) => [name, headers.get(name)]);
  return new Response(status === 200 ? body : null, { status, headers: kept });
}
`,
  config: (rules) => [
    textFile('fastly.toml', manifestToml(rules), 'text/plain; charset=utf-8', 'config'),
    textFile('package.json', PACKAGE_JSON, 'application/json', 'config'),
  ],
});
