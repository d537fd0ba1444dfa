import type { EdgeRules } from '../contract.ts';
import { mediaFilePattern, TYPES_BY_EXTENSION } from '../media.ts';
import {
  GENERATED,
  type LookUp,
  jsonParse,
  SHARDED_THEME_OF,
  shardedImport,
  shardedThemes,
} from '../handler-modules.ts';
import { identitySecrets, KEY_SECRET, OLD_KEY_SECRET } from '../secrets.ts';
import { STORE_KEY } from './kv.ts';
import { FILES_BACKEND, jwksBackends, STORE } from './manifest.ts';

/** How long Fastly caches the files of the endpoints, and public keys, in seconds. */
const FILES_TTL = 60;
const KEYS_TTL = 300;

const KEY_LOOK_UP: LookUp = {
  imports: '',
  setUp: `
async function themeOf(kind, key) {
  const entry = await new KVStore('${STORE}').get(${STORE_KEY});
  return entry === null ? undefined : entry.text();
}
`,
  themeOf: 'themeOf',
};

/** The memory of Compute mostly ends with the request, so each request reads the pointer, a page and a shard. */
const SHARD_LOOK_UP: LookUp = {
  imports: shardedImport('./runtime/'),
  setUp: shardedThemes(`async (name) => (await new KVStore('${STORE}').get(name))?.text()`, [
    `await readSecret('${KEY_SECRET}')`,
    `await readSecret('${OLD_KEY_SECRET}')`,
  ]),
  themeOf: SHARDED_THEME_OF,
};

/** The part of the service that reads published files and public keys. */
const READS = `/** A published file, cached for a minute or until it is purged; its ETag is the SHA-256 of its content. */
async function readFile(path) {
  const cacheOverride = new CacheOverride('override', { ttl: ${FILES_TTL}, surrogateKey: 'themecast' });
  const response = await fetch(FILES + path, { backend: '${FILES_BACKEND}', cacheOverride });
  if (response.status === 404 || response.status === 403) return undefined;
  if (response.status !== 200) throw new Error(\`The backend responds with \${response.status} for \${path}.\`);
  const body = await response.arrayBuffer();
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', body));
  return { body, etag: \`"\${Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')}"\` };
}

/** Public keys, in the cache of Fastly: the memory of Compute ends with the request. */
async function jwks(url) {
  const cacheOverride = new CacheOverride('override', { ttl: ${KEYS_TTL} });
  const response = await fetch(url, { backend: JWKS_BACKENDS.get(url), cacheOverride });
  return response.status === 200 ? (await response.json()).keys : [];
}

/** An image with its headers. */
async function image(request) {
  const { pathname } = new URL(request.url);
  const file = pathname.startsWith(rules.basePath) ? pathname.slice(rules.basePath.length) : '';
  const reads = request.method === 'GET' || request.method === 'HEAD';
  const type = MEDIA_FILE.test(file) ? MEDIA_TYPES.get(file.slice(file.lastIndexOf('.') + 1)) : undefined;
  if (!reads || type === undefined) return notFound(rules);
  if (request.headers.has('If-Match')) return new Response(null, { status: 412, headers: rules.headers.error });
  const tag = request.headers.get('If-None-Match');
  const headers = tag === null ? {} : { 'If-None-Match': tag };
  const response = await fetch(FILES + file, { backend: '${FILES_BACKEND}', method: request.method, headers });
  if (response.status !== 200 && response.status !== 304) return notFound(rules);
  const found = new Headers({ ...rules.headers.all, ...rules.headers.media, 'Content-Type': type });
  if (type === 'image/svg+xml') for (const [name, value] of Object.entries(rules.headers.svg)) found.set(name, value);
  for (const name of ['ETag', 'Content-Length']) {
    if (response.headers.has(name)) found.set(name, response.headers.get(name));
  }
  return new Response(response.status === 304 ? null : response.body, { status: response.status, headers: found });
}
`;

/** `src/index.js`: connects Fastly Compute to the handler. */
export function serviceModule(rules: EdgeRules): string {
  const { imports, setUp, themeOf } = rules.keyed ? SHARD_LOOK_UP : KEY_LOOK_UP;
  return `${GENERATED}/// <reference types="@fastly/js-compute" />

import { CacheOverride } from 'fastly:cache-override';
import { KVStore } from 'fastly:kv-store';
import { SecretStore } from 'fastly:secret-store';
import { rules } from './rules.js';
import { handle, notFound } from './runtime/handler.js';
${imports}
// The backend overrides the host of its requests.
const FILES = 'https://files.invalid';
const SECRETS = ${jsonParse(identitySecrets(rules))};
const JWKS_BACKENDS = new Map(${jsonParse(jwksBackends(rules).map(({ url, name }) => [url, name]))});
const MEDIA_FILE = /^\\/media\\/${mediaFilePattern().replace('/', '\\/')}$/;
const MEDIA_TYPES = new Map(${jsonParse(TYPES_BY_EXTENSION)});

addEventListener('fetch', (event) => event.respondWith(respond(event.request)));

async function respond(request) {
  const secrets = await readSecrets();
  const response = await handle(request, rules, {
    readFile,
    themeOf${themeOf === 'themeOf' ? '' : `: ${themeOf}`},
    jwks,
    secret: (name) => secrets.get(name),
    isTrusted: () => false,
  });
  return response ?? image(request);
}

async function readSecrets() {
  if (SECRETS.length === 0) return new Map();
  return new Map(await Promise.all(SECRETS.map(async (name) => [name, await readSecret(name)])));
}

async function readSecret(name) {
  return (await new SecretStore('${STORE}').get(name))?.plaintext();
}
${setUp}
${READS}`;
}
