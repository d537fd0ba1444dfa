import type { EdgeRules } from '../contract.ts';
import { MIN_SECRET_BYTES } from '../../edge-runtime/token.ts';
import type { Mapping } from '../../users/mapping.ts';
import type { Shards } from '../../users/shards.ts';
import { KEY_SECRET_IS, SHARDS_ARE } from '../keyed-text.ts';
import { identitySecrets, KEY_SECRET, NEW_SECRET_IS } from '../secrets.ts';
import { storeKey } from './key-value-store.ts';

/** `response-headers-policy.json`: what errors of the bucket get, for which CloudFront runs no function. */
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

/** `README.md`, for whoever installs the functions. */
export function readme(rules: EdgeRules, { shards }: Mapping): string {
  const { basePath, endpoints } = rules;
  return `# The theme service on CloudFront

| file | what it is |
|---|---|
| \`viewer-request.js\` | answers what needs no file, and leads every other request to its file |
| \`viewer-response.js\` | the headers of the files |
${shards === undefined ? KEY_FILES : SHARD_FILES}| \`response-headers-policy.json\` | the headers of what the bucket refuses |

Both functions are for the runtime \`cloudfront-js-2.0\`. themecast tests them in a shim that keeps to what AWS documents of it, and in
njs 0.7.9, an engine of the same kind; **not in CloudFront itself**: try them with \`aws cloudfront test-function\` before the first release.

## Install

All commands are for the AWS CLI 2, in one shell, where the site was built. \`BUCKET\`, \`PRIVATE\` and \`ID\` are yours
to fill in.

1. Upload \`dist/\` to a private bucket that the distribution reads through origin access control, with its manifest's phases in order:

       aws s3 cp dist/media s3://BUCKET/media --recursive
       aws s3 cp dist/api s3://BUCKET/api --recursive --cache-control max-age=60

   Keep to plain or SSE-S3 encryption: with SSE-KMS the ETag is not made of the content. Content types are set by the function.
2. Make the key value store from \`kvs.json\` in another private bucket (an import is possible only here):

       aws s3 cp edge/cloudfront/kvs.json s3://PRIVATE/themecast-kvs.json
       aws cloudfront create-key-value-store --name themecast-1 \\
         --import-source SourceType=S3,SourceARN=arn:aws:s3:::PRIVATE/themecast-kvs.json

   The import goes on after that. Repeat this until it says \`READY\`, and only then go on (anything but \`PROVISIONING\` is a failure):

       aws cloudfront describe-key-value-store --name themecast-1 --query KeyValueStore.Status --output text

   Then delete the copy, and keep the ARN of the store for what follows:

       aws s3 rm s3://PRIVATE/themecast-kvs.json
       KVS_ARN=$(aws cloudfront describe-key-value-store --name themecast-1 --query KeyValueStore.ARN --output text)

${secretSteps(secretsOf(rules, shards))}${shards === undefined ? '' : `   ${KEY_SECRET_IS} In the store it goes by an id, which the pointer\n   names, so that the old and the new one can be there side by side.\n\n`}3. Make both functions, and publish each with the ETag that making it returned:

       ETAG=$(aws cloudfront create-function --name themecast-request --query ETag --output text \\
         --function-code fileb://edge/cloudfront/viewer-request.js --function-config '{"Comment":"","Runtime":"cloudfront-js-2.0",
         "KeyValueStoreAssociations":{"Quantity":1,"Items":[{"KeyValueStoreARN":"'"$KVS_ARN"'"}]}}')
       aws cloudfront publish-function --name themecast-request --if-match "$ETAG"
       ETAG=$(aws cloudfront create-function --name themecast-response --query ETag --output text \\
         --function-code fileb://edge/cloudfront/viewer-response.js --function-config '{"Comment":"","Runtime":"cloudfront-js-2.0"}')
       aws cloudfront publish-function --name themecast-response --if-match "$ETAG"

4. The policy for what the bucket refuses; the distribution takes the \`Id\` that this prints:

       aws cloudfront create-response-headers-policy \\
         --response-headers-policy-config file://edge/cloudfront/response-headers-policy.json

5. In the distribution, two behaviours with the origin, both functions and the policy: \`${basePath}/api/v2/theme*\` with **all seven methods**
   (else CloudFront refuses POST itself), and \`${basePath}/media/*\` with GET and HEAD. Cache policy: \`CachingOptimized\`, or any that
   has no cookies, headers or query strings in its key; no origin request policy. The functions take away what says who asks, so the
   cache holds one object a theme.
6. Check: \`curl -i https://…${endpoints.config.path}\`, and once more with the cookie or header of a user.

For an update: first \`dist/\`, then \`aws cloudfront create-invalidation --distribution-id ID --paths '/api/v2/theme/*'\`, then users and functions.

${shards === undefined ? KEY_UPDATE : SHARD_UPDATE}- All of them: a new store as in step 2 under a new name, \`update-function\` with its ARN and the ETag from \`describe-function\`,
  \`publish-function\` with the ETag that this returned, then \`delete-key-value-store\` of the old one, with the ETag from
  \`aws cloudfront describe-key-value-store\`.

Delete files of a theme from the bucket only when no store names it.
${shards === undefined ? '' : NEW_SECRET}
## What CloudFront cannot do

- **Refuse in its own words what the bucket refuses.** For a picture that is not there the bucket answers 403 (404 if the distribution
  may list it), in XML: CloudFront runs no function for it. The same goes for the files of a theme that the store names and the bucket lacks.
- **More than 5 MB of users**, ${shards === undefined ? 'keys, themes and the JSON around them together' : 'about 300,000 (with `mapping: {keyed: true, shards: 8192}`)'}. Map groups instead.
- **Trusted proxies by address.** Use \`shared_secret\`.
- **Public keys of tokens, and login services.** A function sends no requests. Use HS256.
- **Methods beyond the usual seven**, and requests that it takes for malformed: they get CloudFront's own page.
- **Malformed \`Cookie\` headers** are taken apart by CloudFront, in ways that AWS does not document.
`;
}

const KEY_FILES = `| \`kvs.json\` | who gets which theme, for the import of a key value store. **Personal data**: never into the bucket of \`dist/\` |
`;

const SHARD_FILES = `| \`kvs.json\` | ${SHARDS_ARE}; for the import of a key value store, never into the bucket of \`dist/\` |
| \`kvs-delta/\` | what has changed since the build before, if the build had that at hand |
`;

const KEY_UPDATE = `- A few users: \`aws cloudfront-keyvaluestore update-keys\`, with the ETag from \`aws cloudfront-keyvaluestore describe-key-value-store\` (keys are
  written \`${storeKey('user', 'KEY')}\` and \`${storeKey('group', 'KEY')}\`).
`;

const SHARD_UPDATE = `- What has changed, if the store holds the build that the delta starts from, that is if the first two commands print the same, and 5 MB are
  enough for what comes and what goes together. First the shards, which nobody reads yet; a minute later, when they are everywhere, the
  pointer to them; and five minutes after that, when nobody reads by the one before it any more, what only the build before had.

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

const NEW_SECRET = `
For another secret, build with it and update in either way; the store must have the new secret, under its own id as this README then has it, before it
has the new pointer (in a delta, put it there first). Take the old one out of the store with the values that are deleted.
`;

interface Secret {
  /** In the key value store. */
  key: string;
  /** The environment variable that it is called by. */
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
  return `   Put the secrets there, each of ${MIN_SECRET_BYTES} bytes or more (${NEW_SECRET_IS}), from the environment of the shell. They are in no file of themecast; whoever may read the store can read them.
   Every change returns a new ETag, which the next one needs; the first comes from \`cloudfront-keyvaluestore\` (that of \`cloudfront\` is another).

       ETAG=$(aws cloudfront-keyvaluestore describe-key-value-store --kvs-arn "$KVS_ARN" --query ETag --output text)
${secrets.map(putSecret).join('')}
`;
}

function putSecret({ key, env }: Secret): string {
  return `       ETAG=$(aws cloudfront-keyvaluestore put-key --kvs-arn "$KVS_ARN" --if-match "$ETAG" --query ETag --output text \\
         --key ${key} --value "$${env}")\n`;
}
