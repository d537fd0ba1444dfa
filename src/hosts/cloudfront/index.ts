import { textFile } from '../../document/output-file.ts';
import type { EdgeAdapter } from '../adapter.ts';
import { EDGE_CODE } from '../presets.ts';
import { keyValueStore, MAX_STORE_KEYS, STORE_LIMIT, storeDelta, storeKey } from './key-value-store.ts';
import { readme, responseHeadersPolicy } from './readme.ts';
import { viewerRequest } from './viewer-request.ts';
import { viewerResponse } from './viewer-response.ts';

/** CloudFront Functions with a key value store, in front of an S3 bucket. */
export const cloudfront: EdgeAdapter = {
  title: 'CloudFront',
  capabilities: {
    ...EDGE_CODE,
    identity: {
      ...EDGE_CODE.identity,
      // The crypto module has HMAC, but no public keys.
      jwt: ['HS256'],
      // Functions cannot send requests.
      authRequest: false,
    },
    maxKeys: MAX_STORE_KEYS,
    maxKeysBecause: STORE_LIMIT,
    redirects: 10_000,
    redirectsBecause: 'they share 5 MB with users',
    keyed: { maxKeys: 300_000, maxKeysBecause: '5 MB in a key value store, in values of 1 kB; shards: 8192' },
  },
  storedIn: (kind, key) => `the key value store, as ${storeKey(kind, key)}`,
  files({ rules, mapping }) {
    return [
      textFile('viewer-request.js', viewerRequest(rules), 'text/javascript', 'config'),
      textFile('viewer-response.js', viewerResponse(rules), 'text/javascript', 'config'),
      textFile('kvs.json', keyValueStore(rules, mapping), 'application/json', 'config'),
      ...storeDelta(rules, mapping),
      textFile('response-headers-policy.json', responseHeadersPolicy(rules), 'application/json', 'config'),
    ];
  },
  readme: ({ rules, mapping }) => readme(rules, mapping),
};
