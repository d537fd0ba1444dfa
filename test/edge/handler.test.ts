import { contractSuite } from './contract.ts';
import { startHandler } from './handler-process.ts';

contractSuite('the host-neutral handler on node:http', startHandler, {
  identity: {
    names: ['user', 'group', 'theme'],
    cookie: true,
    trustedProxies: true,
    sharedSecret: true,
    jwt: ['HS256', 'RS256', 'ES256'],
    authRequest: false,
  },
  caseSensitiveKeys: true,
  etag: 'content',
  media: false,
});
