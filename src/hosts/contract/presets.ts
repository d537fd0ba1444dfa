import type { Capabilities } from '../adapter/adapter.ts';

type Preset = Omit<Capabilities, 'maxKeys' | 'maxKeysBecause' | 'ranOn'>;

/** A server that sees the connection, so it can recognise a proxy by address. It makes an ETag of a file's time and size. */
export const WEB_SERVER = {
  identity: ['cookie', 'header (trusted_proxies)', 'header (shared_secret)', 'hostname'],
  caseSensitiveKeys: true,
  hasRules: true,
  redirects: 100_000,
  etag: 'list-only',
} as const satisfies Preset;

/** Code on a CDN. The address that it sees is the visitor's, so it recognises a proxy by the secret alone. */
export const EDGE_CODE = {
  ...WEB_SERVER,
  identity: ['cookie', 'header (shared_secret)', 'JWT (HS256)', 'JWT (RS256)', 'JWT (ES256)', 'hostname'],
  redirects: 10_000,
  etag: 'content',
} as const satisfies Preset;
