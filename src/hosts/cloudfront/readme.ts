import type { EdgeRules } from '../contract.ts';
import { MIN_SECRET_BYTES } from '../../edge-runtime/token.ts';
import type { Mapping } from '../../users/mapping.ts';
import type { Shards } from '../../users/shards.ts';
import { KEY_SECRET_NOTE, SHARDS_DESCRIPTION } from '../keyed-shards-readme.ts';
import { identitySecrets, KEY_SECRET, CREATE_SECRET } from '../secrets.ts';
import { storeKey } from './key-value-store.ts';

/** `response-headers-policy.json`: the headers of error responses of the bucket, for which CloudFront runs no function. */
export function responseHeadersPolicy({ headers }: EdgeRules): string {
  const policy = {
    Name: 'themecast',
    SecurityHeadersConfig: {
      ContentTypeOptions: { Override: true },
      ReferrerPolicy: { Override: true, ReferrerPolicy: headers.all['Referrer-Policy'] ?? 'same-origin' },
    },
  };
  return `${JSON.stringify(policy, null, 2)}\n`;
}

/** `README.md`, for the administrator who installs the functions. */
export function readme(rules: EdgeRules, { shards }: Mapping): string {
  const { basePath, endpoints } = rules;
  return `# The theme service on CloudFront

| File | Purpose |
|---|---|
| \`viewer-request.js\` | responds without a file, or maps the request to its file |
| \`viewer-response.js\` | sets the headers of the files |
${shards === undefined ? KEY_FILES : SHARD_FILES}| \`response-headers-policy.json\` | the headers of error responses of the bucket |

Both functions use the runtime \`cloudfront-js-2.0\`. They are tested in a shim of the documented runtime and in njs 0.7.9, a similar engine,
**not in CloudFront itself**: test them with \`aws cloudfront test-function\` before the first release.

## Install

Run all commands with the AWS CLI 2 in one shell, where the site was built. Replace \`BUCKET\`, \`PRIVATE\` and \`ID\` with your values.

1. Upload \`dist/\` to a private bucket that the distribution reads through origin access control, in the order of the phases of manifest.json:

       aws s3 cp dist/media s3://BUCKET/media --recursive
       aws s3 cp dist/api s3://BUCKET/api --recursive --cache-control max-age=60
${rules.schemas.length === 0 ? '' : '       aws s3 cp dist/schema s3://BUCKET/schema --recursive --cache-control max-age=60\n'}
   Use no encryption or SSE-S3: with SSE-KMS the ETag is not a hash of the content. The function sets the content types.
2. Create the key value store from \`kvs.json\` in another private bucket (only a new store can import a file):

       aws s3 cp edge/cloudfront/kvs.json s3://PRIVATE/themecast-kvs.json
       aws cloudfront create-key-value-store --name themecast-1 \\
         --import-source SourceType=S3,SourceARN=arn:aws:s3:::PRIVATE/themecast-kvs.json

   The import continues in the background. Repeat this until it prints \`READY\`, then continue (anything but \`PROVISIONING\` is a failure):

       aws cloudfront describe-key-value-store --name themecast-1 --query KeyValueStore.Status --output text

   Then delete the copy, and set the ARN of the store for the next steps:

       aws s3 rm s3://PRIVATE/themecast-kvs.json
       KVS_ARN=$(aws cloudfront describe-key-value-store --name themecast-1 --query KeyValueStore.ARN --output text)

${secretSteps(secretsOf(rules, shards))}${shards === undefined ? '' : `   ${KEY_SECRET_NOTE} The store names\n   it by an id from the pointer, so that the old and the new secret can coexist.\n\n`}${CREATE_FUNCTIONS}5. In the distribution, create ${rules.schemas.length === 0 ? 'two' : 'three'} behaviours with the origin, both functions and the policy: \`${basePath}/api/v2/theme*\` with **all seven
   methods** (otherwise CloudFront itself rejects POST), and \`${basePath}/media/*\`${rules.schemas.length === 0 ? '' : ` and \`${basePath}/schema/*\``} with GET and HEAD. Use the cache policy \`CachingOptimized\`, or
   one without cookies, headers and query strings in its key, and no origin request policy. The functions remove all credentials, so the
   cache stores one object per theme.
6. Check with \`curl -i https://…${endpoints.config.path}\`, and again with the cookie or header of a user.

## Update

Always update in this order: \`dist/\`, then \`aws cloudfront create-invalidation --distribution-id ID --paths '/api/v2/theme/*'${rules.schemas.length === 0 ? '' : " '/schema/*'"}\`, then users and
functions.

${shards === undefined ? KEY_UPDATE : SHARD_UPDATE}- To replace all users, create a new store as in step 2 under a new name; run \`update-function\` with its ARN and the ETag from
  \`describe-function\`, \`publish-function\` with the ETag that this returned, then \`delete-key-value-store\` for the old store with the ETag from
  \`aws cloudfront describe-key-value-store\`.

Delete the files of a theme from the bucket only when no store names the theme.
${shards === undefined ? '' : ROTATE_SECRET}
${limits(shards)}`;
}

const KEY_FILES = `| \`kvs.json\` | the mapping of keys to themes, for the import into a key value store. **Personal data**: never upload it to the bucket of \`dist/\` |
`;

const SHARD_FILES = `| \`kvs.json\` | ${SHARDS_DESCRIPTION}. For the import into a key value store; never upload it to the bucket of \`dist/\` |
| \`kvs-delta/\` | the changes since the previous build, if the build had access to it |
`;

const KEY_UPDATE = `- To change a few users, run \`aws cloudfront-keyvaluestore update-keys\`, with the ETag from \`aws cloudfront-keyvaluestore describe-key-value-store\` (keys have
  the form \`${storeKey('user', 'KEY')}\` and \`${storeKey('group', 'KEY')}\`).
`;

const SHARD_UPDATE = `- To apply the changes alone, the store must have the build that the delta is based on, that is, the first two commands must print the same
  id, and 5 MB must suffice for added and deleted values together. This uploads the shards, which are not read yet; a minute later, when they
  have reached all locations, the pointer; five minutes later, when the previous pointer is no longer in use, it deletes the old values.

      jq -r .from edge/shards-delta.json
      aws cloudfront-keyvaluestore get-key --kvs-arn "$KVS_ARN" --key pointer --query Value --output text | jq -r .build
      (set -e
      update() {
        ETAG=$(aws cloudfront-keyvaluestore describe-key-value-store --kvs-arn "$KVS_ARN" --query ETag --output text)
        aws cloudfront-keyvaluestore update-keys --kvs-arn "$KVS_ARN" --if-match "$ETAG" "--$1" "file://$2"
      }
      for file in edge/cloudfront/kvs-delta/put-*.json; do update puts "$file"; done
      sleep 60
      update puts edge/cloudfront/kvs-delta/pointer.json
      sleep 300
      for file in edge/cloudfront/kvs-delta/delete-*.json; do update deletes "$file"; done)

`;

const ROTATE_SECRET = `
To rotate the secret, build with the new one and update in either way. The store must have the new secret, under the id that the new README
names, before it has the new pointer (before a delta, add it first). Delete the old secret together with the old values.
`;

interface Secret {
  /** In the key value store. */
  key: string;
  /** Its environment variable. */
  env: string;
}

function secretsOf(rules: EdgeRules, shards: Shards | undefined): Secret[] {
  const secrets = identitySecrets(rules).map((env) => ({ key: storeKey('secret', env), env }));
  return shards === undefined
    ? secrets
    : [...secrets, { key: storeKey('secret', shards.pointer.key_id), env: KEY_SECRET }];
}

function secretSteps(secrets: readonly Secret[]): string {
  if (secrets.length === 0) return '';
  return `   Add the secrets, each of ${MIN_SECRET_BYTES} bytes or more (${CREATE_SECRET}), from the environment of the shell. No generated file contains them; anyone
   who can read the store can read them. Every change returns a new ETag, which the next change needs; the first one comes from
   \`cloudfront-keyvaluestore\` (\`cloudfront\` returns a different one).

       ETAG=$(aws cloudfront-keyvaluestore describe-key-value-store --kvs-arn "$KVS_ARN" --query ETag --output text)
${secrets.map(putSecret).join('')}
`;
}

function putSecret({ key, env }: Secret): string {
  return `       ETAG=$(aws cloudfront-keyvaluestore put-key --kvs-arn "$KVS_ARN" --if-match "$ETAG" --query ETag --output text \\
         --key ${key} --value "$${env}")\n`;
}

function limits(shards: Shards | undefined): string {
  return `## What CloudFront cannot do

- **Error responses for missing files.** For a missing image the bucket responds with 403 (404 if the distribution may list it) and XML, and
  CloudFront runs no function. The same holds for the files of a theme that the store names and the bucket lacks.
- **More than 5 MB of users**, ${shards === undefined ? 'keys, themes and the JSON around them together' : 'about 300,000 (with `mapping: {keyed: true, shards: 8192}`)'}. Map groups instead.
- **Trusted proxies by address.** Use \`shared_secret\` instead.
- **Tokens with public keys, and login services.** A function cannot send requests. Use HS256.
- **Other methods than the seven**, and malformed requests: they get CloudFront's own page.
- **Malformed \`Cookie\` headers.** CloudFront parses them in ways that AWS does not document.
`;
}

const CREATE_FUNCTIONS = `3. Create both functions, and publish each with the ETag that its creation returned:

       ETAG=$(aws cloudfront create-function --name themecast-request --query ETag --output text \\
         --function-code fileb://edge/cloudfront/viewer-request.js --function-config '{"Comment":"","Runtime":"cloudfront-js-2.0",
         "KeyValueStoreAssociations":{"Quantity":1,"Items":[{"KeyValueStoreARN":"'"$KVS_ARN"'"}]}}')
       aws cloudfront publish-function --name themecast-request --if-match "$ETAG"
       ETAG=$(aws cloudfront create-function --name themecast-response --query ETag --output text \\
         --function-code fileb://edge/cloudfront/viewer-response.js --function-config '{"Comment":"","Runtime":"cloudfront-js-2.0"}')
       aws cloudfront publish-function --name themecast-response --if-match "$ETAG"

4. Create the policy for error responses of the bucket, and note the printed \`Id\` for the distribution:

       aws cloudfront create-response-headers-policy \\
         --response-headers-policy-config file://edge/cloudfront/response-headers-policy.json

`;
