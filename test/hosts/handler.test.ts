import { type Capabilities, contractSuite, keyedContractSuite } from './contract.ts';
import { startHandler, startServing } from './handler-process.ts';

const CAPABILITIES: Capabilities = {
  identity: {
    names: ['user', 'group', 'theme'],
    cookie: true,
    trustedProxies: true,
    sharedSecret: true,
    jwt: ['HS256', 'RS256', 'ES256'],
    authRequest: false,
    host: true,
  },
  caseSensitiveKeys: true,
  etag: 'content',
  media: false,
  absoluteForm: false,
};

contractSuite('the host-neutral handler on node:http', startHandler, CAPABILITIES);
keyedContractSuite('the host-neutral handler on node:http', startServing, CAPABILITIES);
