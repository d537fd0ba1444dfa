import type { Capabilities } from '../adapter.ts';

/** What is left where a host sends files and runs nothing: the default theme, as JSON, to everyone. */
export const STATIC: Capabilities = {
  identity: { names: [], cookie: false, trustedProxies: false, sharedSecret: false, jwt: [], authRequest: false },
  maxKeys: 0,
  maxKeysBecause: 'it sends files and runs nothing',
  caseSensitiveKeys: true,
  negotiation: 'none',
  optionsBody: false,
  refusals: false,
  headers: false,
  etag: 'none',
  cors: false,
};
