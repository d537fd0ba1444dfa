import { textFile } from '../../document/output-file.ts';
import type { EdgeAdapter } from '../adapter.ts';
import { moduleFile } from '../handler-modules.ts';
import { EDGE_CODE } from '../presets.ts';
import { keyValueStore, MAX_STORE_KEYS, STORE_LIMIT, storeKey } from './key-value-store.ts';
import { identitySecrets } from '../secrets.ts';
import { viewerRequest, viewerResponse } from './functions.ts';

/** CloudFront Functions with a key value store, in front of an S3 bucket. */
export const cloudfront: EdgeAdapter = {
  title: 'CloudFront',
  capabilities: {
    ...EDGE_CODE,
    // The crypto module has HMAC, but no public keys.
    identity: ['cookie', 'header (shared_secret)', 'JWT (HS256)', 'hostname'],
    maxKeys: MAX_STORE_KEYS,
    maxKeysBecause: STORE_LIMIT,
  },
  files(input) {
    const { rules, mapping } = input;
    return [
      moduleFile('viewer-request.js', viewerRequest(input)),
      moduleFile('viewer-response.js', viewerResponse(input)),
      textFile('kvs.json', keyValueStore(rules, mapping), 'application/json', 'config'),
    ];
  },
  routing:
    'Add each as an alternate domain name with a certificate. The function reads `Host` before the cache, which stores one object per file: `Host` does not belong in the cache policy.',
  readme: ({ rules }) => ({
    stored_secrets: identitySecrets(rules.identity).map((env) => ({ key: storeKey('secret', env), env })),
    user_key: storeKey('user', 'KEY'),
    group_key: storeKey('group', 'KEY'),
  }),
};
