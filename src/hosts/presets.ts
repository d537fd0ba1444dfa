import type { Capabilities } from './adapter.ts';

type Preset = Omit<Capabilities, 'maxKeys' | 'maxKeysBecause'>;

/** A server that sees the connection: it knows the address of a proxy, and makes an ETag from the time and size of a file. */
export const WEB_SERVER = {
  identity: {
    names: ['user', 'group', 'theme'],
    cookie: true,
    trustedProxies: true,
    sharedSecret: true,
    jwt: [],
    authRequest: false,
    host: true,
  },
  caseSensitiveKeys: true,
  hasRules: true,
  redirects: 100_000,
  redirectsBecause: 'looked up like users',
  etag: 'list-only',
} as const satisfies Preset;

/** Code on a CDN. The address that it sees is the visitor's, so a proxy is known by its secret alone. */
export const EDGE_CODE = {
  ...WEB_SERVER,
  identity: { ...WEB_SERVER.identity, trustedProxies: false, jwt: ['HS256', 'RS256', 'ES256'] },
  etag: 'content',
} as const satisfies Preset;

/** A host that sends files and runs nothing: every request gets the default theme as JSON. */
export const STATIC_FILES = {
  identity: {
    names: [],
    cookie: false,
    trustedProxies: false,
    sharedSecret: false,
    jwt: [],
    authRequest: false,
    host: false,
  },
  maxKeys: 0,
  maxKeysBecause: 'it sends files and runs nothing',
  caseSensitiveKeys: true,
  hasRules: false,
  etag: 'none',
  redirects: 0,
  redirectsBecause: 'not every static host can',
} as const satisfies Capabilities;
