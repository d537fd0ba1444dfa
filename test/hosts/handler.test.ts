import { EDGE_CODE } from '../../src/hosts/contract/presets.ts';
import { type Capabilities, contractSuite, keyedContractSuite } from './contract.ts';
import { startHandler, startServing } from './handler-process.ts';
import { itRejectsShortSecrets } from './server-settings.ts';

const CAPABILITIES: Capabilities = {
  identity: [...EDGE_CODE.identity, 'header (trusted_proxies)'],
  caseSensitiveKeys: true,
  etag: 'content',
  media: false,
  absoluteForm: false,
};

contractSuite('the host-neutral handler on node:http', startHandler, CAPABILITIES);
keyedContractSuite('the host-neutral handler on node:http', startServing, CAPABILITIES);
itRejectsShortSecrets(startHandler);
