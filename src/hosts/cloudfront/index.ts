import { textFile } from '../../core/document/files/output-file.ts';
import type { EdgeAdapter } from '../adapter/adapter.ts';
import { EDGE_CODE } from '../contract/presets.ts';
import { keyValueStore, STORE_LIMIT } from './key-value-store.ts';
import { identitySecrets } from '../contract/secrets.ts';
import { viewerFunction } from './functions.ts';

/** CloudFront Functions with a key value store, in front of an S3 bucket. */
export const cloudfront: EdgeAdapter = {
  title: 'CloudFront',
  capabilities: {
    ...EDGE_CODE,
    ranOn: 'a stand-in, made from the documentation of CloudFront',
    // The crypto module has HMAC, but no signatures with public keys.
    identity: ['cookie', 'header (shared_secret)', 'JWT (HS256)', 'hostname'],
    // At 50 bytes per entry, such as a key of 12 characters and a slug of 8.
    maxKeys: 100_000,
    maxKeysBecause: STORE_LIMIT,
  },
  files(input) {
    const { rules, mapping } = input;
    return [
      viewerFunction('request', input),
      viewerFunction('response', input),
      textFile('kvs.json', keyValueStore(rules, mapping)),
    ];
  },
  routing:
    'Add each as an alternate domain name with a certificate. The function reads `Host` before the cache, which stores one object per file: `Host` does not belong in the cache policy.',
  readme: ({ rules }) => ({
    stored_secrets: identitySecrets(rules.identity).map((env) => ({ key: `secret:${env}`, env })),
  }),
};
