import { textFile } from '../document/output-file.ts';
import { type EdgeAdapter, WHOLE_CONTRACT } from './adapter.ts';
import { keyValueStore, STORE_KEYS, STORE_LIMIT } from './cloudfront/key-value-store.ts';
import { readme, responseHeadersPolicy } from './cloudfront/readme.ts';
import { viewerRequest } from './cloudfront/viewer-request.ts';
import { viewerResponse } from './cloudfront/viewer-response.ts';

const TITLE = 'CloudFront';

/** CloudFront Functions with a key value store, in front of an S3 bucket. */
export const cloudfront: EdgeAdapter = {
  title: TITLE,
  capabilities: {
    identity: {
      names: ['user', 'group', 'theme'],
      cookie: true,
      // The address that CloudFront sees is the visitor's; what stands before it can send a secret.
      trustedProxies: false,
      sharedSecret: true,
      // Its crypto module has HMAC, and nothing for public keys.
      jwt: ['HS256'],
      // A function sends no requests.
      authRequest: false,
    },
    maxKeys: STORE_KEYS,
    maxKeysBecause: STORE_LIMIT,
    caseSensitiveKeys: true,
    ...WHOLE_CONTRACT,
    etag: 'content',
  },
  files({ rules, assignments, report }) {
    return [
      textFile('viewer-request.js', viewerRequest(rules), 'text/javascript', 'config'),
      textFile('viewer-response.js', viewerResponse(rules), 'text/javascript', 'config'),
      textFile('kvs.json', keyValueStore(rules, assignments, TITLE, report), 'application/json', 'config'),
      textFile('response-headers-policy.json', responseHeadersPolicy(rules), 'application/json', 'config'),
      textFile('README.md', readme(rules), 'text/markdown', 'config'),
    ];
  },
};
