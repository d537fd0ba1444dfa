import type { EdgeRules } from '../contract.ts';
import { MIN_SECRET_BYTES } from '../../edge-runtime/token.ts';
import { KEY_SECRET_NOTE, SHARDS_DESCRIPTION } from '../keyed-shards-readme.ts';
import { KEY_SECRET, CREATE_SECRET, OLD_KEY_SECRET, secretNames } from '../secrets.ts';
import { FILES_BACKEND, jwksBackends, STORE } from './manifest.ts';

/** `README.md`, for the administrator who deploys the service. */
export function readme(rules: EdgeRules): string {
  const { basePath, endpoints, keyed } = rules;
  return `# The theme service on Fastly Compute

| File | Purpose |
|---|---|
| \`src/\` | the service: \`index.js\` connects Fastly to the handler, \`rules.js\` contains its rules |
| \`fastly.toml\`, \`package.json\` | the build, and the resources that the first deployment creates |
${keyed ? SHARD_FILES : KEY_FILES}
The service is tested in a shim of Fastly's interfaces on Node.js, **not on Fastly itself** or in Viceroy: test it with
\`fastly compute serve\` before the first release. A VCL service can forward \`${basePath}/api/v2/theme*\` to it.

## Install

1. Serve \`dist/\` as static files on any host; it need not be public. The path of the list must be \`/api/v2/theme/index.json\`.
2. Copy this folder outside the repository. There, run \`npm install\` (\`@fastly/js-compute\` 3.34 or later) and \`fastly compute publish\`. Enter the
   address of the backend \`${FILES_BACKEND}\` when asked, and set the same name as its **override host** (\`--override-host\`, and \`--ssl-sni-hostname\`).
${backendStep(rules)}3. Link a KV Store and, if there are secrets, a Secret Store to the service. Name both \`${STORE}\`.
${secretSteps(secretNames(rules))}${keyed ? SHARD_STEP : KEY_STEP}
5. Check with \`curl -i https://…${endpoints.config.path}\`, and again with the cookie or header of a user.

## Update

Always update in this order: \`dist/\`; \`fastly purge --key themecast\` (otherwise the files of the endpoints stay cached for a minute); the
users as in step 4; the service, if site.yaml or the themes changed. ${keyed ? SHARD_UPDATE : KEY_UPDATE}
## What Fastly cannot do

- **Trusted proxies by address, and login services** (\`auth_request\`). Use \`shared_secret\` or tokens instead.
- **Range requests for images**, and preconditions other than \`If-None-Match\`: images are sent in full, and \`If-Match\` is always rejected (412).
- **An unchanged query in redirects.** The redirect to the trailing slash writes a quotation mark in the query as \`%22\`.
- **Atomic updates.** A KV Store is eventually consistent: a change may take a minute to reach all locations.
${keyed ? '- **Caching shards in memory.** The memory of Compute mostly ends with the request, so each request with a key reads the store three times.\n' : ''}`;
}

const KEY_FILES = `| \`users.ndjson\` | the mapping of keys to themes, for a KV Store. **Personal data**: never put it below a published folder |
`;

const SHARD_FILES = `| \`shards.ndjson\` | ${SHARDS_DESCRIPTION}. For a KV Store; never put it below a published folder |
| \`pointer.ndjson\` | the only value that is overwritten: it selects the live build |
| \`shards-delta.ndjson\`, \`shards-delete.txt\` | the changes since the previous build, if the build had access to it |
`;

const KEY_STEP = `4. Upload the users:

       fastly kv-store-entry create --store-id STORE_ID --file users.ndjson
`;

const SHARD_STEP = `   ${KEY_SECRET_NOTE}

4. Upload the users: first the shards, which are not read yet; a minute later, when they have reached all locations, the pointer. Until then
   the previous build stays live.

       fastly kv-store-entry create --store-id STORE_ID --file shards.ndjson && sleep 60 &&
         fastly kv-store-entry create --store-id STORE_ID --file pointer.ndjson
`;

const KEY_UPDATE = `The file adds and replaces keys. To remove a
user, run \`fastly kv-store-entry delete --key user/KEY\` (the key percent-encoded, as in the file). To remove many, fill a new store and link it
instead.
`;

const SHARD_UPDATE = `You can upload
\`shards-delta.ndjson\` instead of \`shards.ndjson\` if the store has the build that the delta is based on, that is, if both commands print the same id:

    jq -r .from …/edge/shards-delta.json
    fastly kv-store-entry get --store-id STORE_ID --key pointer | jq -r .build

Five minutes after the pointer, when the previous one is no longer in use, delete the values of the previous build. Without this step only the
storage grows. (After a full update, the simplest way to remove the old values is a new store.)

    while read -r name; do fastly kv-store-entry delete --store-id STORE_ID --key "$name"; done < shards-delete.txt

## Rotate the secret

The service uses the secret that matches the pointer, so users keep their themes during the rotation.

1. Add the current secret to the Secret Store as \`${OLD_KEY_SECRET}\`, then the new one as \`${KEY_SECRET}\`, with \`--recreate\`.
2. Build with the new secret and update the users as above. All shards change.
3. Five minutes later, delete \`${OLD_KEY_SECRET}\`.
`;

function backendStep(rules: EdgeRules): string {
  return jwksBackends(rules)
    .map(({ url, name }) => `   Configure the backend \`${name}\` for ${url}, with its host as override host.\n`)
    .join('');
}

function secretSteps(secrets: readonly string[]): string {
  if (secrets.length === 0) return '';
  return `   Add the secrets, each of ${MIN_SECRET_BYTES} characters or more (${CREATE_SECRET}). No generated file contains them:

${secrets.map((name) => `       fastly secret-store-entry create --store-id SECRET_STORE_ID --name ${name} --stdin\n`).join('')}
`;
}
