import { writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { fastly } from '../../src/hosts/fastly/index.ts';
import { listening } from '../listening.ts';
import type { Host } from './contract.ts';
import { JWKS, JWKS_URL } from './contract/tokens.ts';
import { install, type InstalledFiles } from './install.ts';
import { type PublishedSite, textOf } from './site.ts';

// Simulates Fastly on Node.js: its modules and globals, as documented for `@fastly/js-compute`.

type Listener = (event: { request: Request; respondWith(answer: Promise<Response>): void }) => void;
interface FetchOptions extends RequestInit {
  backend?: string;
}

/** Matches keys that a KV Store rejects ("KVStore", JavaScript SDK reference). */
const INVALID_KEY = /[#;?^|\r\n]|^\.{0,2}$|^\.well-known\/acme-challenge\/|^.{1025}/;

/** Runs the service as `fastly compute publish` deploys it, with its stores and backends. */
export async function startFastlyShim(site: PublishedSite): Promise<Host> {
  const { listener } = await loadService(site, await install('fastly', fastly, site));
  return listening((request, response) => {
    answer(request, response, listener).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
}

async function loadService(site: PublishedSite, { folder, files }: InstalledFiles): Promise<{ listener: Listener }> {
  const loaded: { listener?: Listener } = {};
  const shim = Symbol.for(folder);
  Object.assign(globalThis, {
    [shim]: {
      addEventListener: (_type: 'fetch', listener: Listener) => (loaded.listener = listener),
      fetch: (url: string, options: FetchOptions) => fetchFrom(site, files.get('fastly.toml') ?? '', url, options),
      CacheOverride: function CacheOverride() {},
      KVStore: kvStore(
        ['users.ndjson', 'shards.ndjson', 'pointer.ndjson'].map((name) => files.get(name) ?? '').join(''),
      ),
      SecretStore: secretStore(site.secrets),
    },
  });
  const shimModule = `export const { addEventListener, fetch, CacheOverride, KVStore, SecretStore } = globalThis[Symbol.for(${JSON.stringify(folder)})];`;
  const service = (files.get('src/index.js') ?? '').replaceAll(/'fastly:[\w-]+'/g, "'./shim.js'");
  await writeFile(path.join(folder, 'src/shim.js'), shimModule);
  await writeFile(
    path.join(folder, 'src/index.js'),
    `import { addEventListener, fetch } from './shim.js';\n${service}`,
  );
  await import(pathToFileURL(path.join(folder, 'src/index.js')).href);
  const { listener } = loaded;
  if (listener === undefined) throw new Error('The service does not listen for requests.');
  return { listener };
}

/** Responds as the backends do, with public keys or with files, whose ETags are of time and size. */
async function fetchFrom(site: PublishedSite, manifest: string, url: string, options: FetchOptions): Promise<Response> {
  const { backend = '', method = 'GET', headers } = options;
  if (!manifest.includes(`[setup.backends.${backend}]`)) throw new Error(`There is no backend "${backend}".`);
  if (backend !== 'files')
    return url === JWKS_URL ? Response.json({ keys: JWKS }) : new Response(null, { status: 502 });
  const { pathname } = new URL(url);
  if (!site.files.has(pathname.slice(1))) return new Response('missing', { status: 404 });
  const text = textOf(site, pathname.slice(1));
  const etag = `"6a1f2b80-${text.length.toString(16)}"`;
  const same = new Headers(headers).get('If-None-Match') === etag;
  const fileHeaders = { ETag: etag, 'Content-Type': 'application/octet-stream', 'Content-Length': String(text.length) };
  if (same) return new Response(null, { status: 304, headers: fileHeaders });
  return new Response(method === 'HEAD' ? null : text, { headers: fileHeaders });
}

function kvStore(lines: string) {
  const entries = lines
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { key: string; value: string });
  const store = new Map(entries.map(({ key, value }) => [checkKey(key), Buffer.from(value, 'base64').toString()]));
  return class {
    async get(key: string) {
      const value = store.get(checkKey(key));
      return value === undefined ? null : { text: async () => value };
    }
  };
}

function checkKey(key: string): string {
  if (INVALID_KEY.test(key)) throw new TypeError(`A KV Store takes no key ${JSON.stringify(key)}.`);
  return key;
}

function secretStore(secrets: Readonly<Record<string, string>>) {
  return class {
    async get(name: string) {
      const secret = secrets[name];
      return secret === undefined ? null : { plaintext: () => secret };
    }
  };
}

async function answer(incoming: IncomingMessage, outgoing: ServerResponse, listener: Listener): Promise<void> {
  const { method = 'GET', url = '/', headersDistinct } = incoming;
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct))
    headers.set(name, values.join(name === 'cookie' ? '; ' : ', '));
  const request = new Request(`http://host.invalid${url}`, { method, headers });
  const response = await new Promise<Response>((resolve) => {
    listener({ request, respondWith: (promise) => resolve(promise) });
  });
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.end(Buffer.from(await response.arrayBuffer()));
}
