import path from 'node:path';
import type { MiniflareOptions } from 'miniflare';
import { cloudflare, MAPPING_BINDING } from '../../src/hosts/cloudflare/index.ts';
import type { Host } from './contract.ts';
import { JWKS, JWKS_URL } from './contract/tokens.ts';
import { install } from './install.ts';
import type { PublishedSite } from './site.ts';

/** The settings that the adapter writes to `wrangler.jsonc`. */
export interface WranglerConfig {
  main: string;
  compatibility_date: string;
  assets: {
    directory: string;
    binding: string;
    html_handling: 'none';
    not_found_handling: 'none';
    run_worker_first: string[];
  };
  kv_namespaces: { binding: string; id: string }[];
}

interface KvNamespace {
  put(key: string, value: string): Promise<void>;
}

interface KvPair {
  key: string;
  value: string;
}

/** Runs the Worker in workerd as wrangler deploys it, with its mapping in KV. */
export async function startCloudflare(site: PublishedSite): Promise<Host> {
  const { folder, files } = await install('cloudflare', cloudflare, site);
  const { Miniflare } = await import('miniflare');
  const server = new Miniflare(translate(parseWrangler(files.get('wrangler.jsonc') ?? ''), folder, site));
  const { port } = await server.ready;
  // The package with the declared type is not installed.
  const mapping = (await server.getKVNamespace(MAPPING_BINDING)) as unknown as KvNamespace;
  const pairs = [...files]
    .filter(([name]) => name.startsWith('kv/'))
    .flatMap(([, text]) => JSON.parse(text) as KvPair[]);
  await Promise.all(pairs.map(({ key, value }) => mapping.put(key, value)));
  return { port: Number(port), stop: () => server.dispose() };
}

/** Parses JSON with comments on separate lines. */
export function parseWrangler(text: string): WranglerConfig {
  return JSON.parse(text.replace(/^\s*\/\/.*$/gm, '')) as WranglerConfig;
}

/** Converts the settings to options of Miniflare, as wrangler does. */
export function translate(config: WranglerConfig, folder: string, site: PublishedSite): MiniflareOptions {
  const { directory, binding, html_handling, not_found_handling, run_worker_first } = config.assets;
  return {
    host: '127.0.0.1',
    port: 0,
    rootPath: folder,
    modules: true,
    modulesRoot: folder,
    modulesRules: [{ type: 'ESModule', include: ['**/*.js'] }],
    scriptPath: config.main,
    compatibilityDate: config.compatibility_date,
    // An administrator sets these by `wrangler secret put`.
    bindings: { ...site.secrets },
    kvNamespaces: Object.fromEntries(config.kv_namespaces.map((namespace) => [namespace.binding, namespace.id])),
    assets: {
      directory: path.join(folder, directory),
      binding,
      routerConfig: { has_user_worker: true, static_routing: { user_worker: run_worker_first } },
      assetConfig: { html_handling, not_found_handling },
    },
    outboundService: ({ url }: { url: string }) =>
      url === JWKS_URL ? Response.json({ keys: JWKS }) : new Response(null, { status: 502 }),
  };
}
