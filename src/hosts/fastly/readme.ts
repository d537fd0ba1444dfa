import type { EdgeRules } from '../contract.ts';
import { MIN_SECRET_BYTES } from '../../edge-runtime/token.ts';
import { KEY_SECRET_IS, SHARDS_ARE } from '../keyed-text.ts';
import { KEY_SECRET, NEW_SECRET_IS, OLD_KEY_SECRET, secretNames } from '../secrets.ts';
import { FILES_BACKEND, jwksBackends, STORE } from './manifest.ts';

/** `README.md`, for whoever deploys the service. */
export function readme(rules: EdgeRules): string {
  const { basePath, endpoints, keyed } = rules;
  return `# The theme service on Fastly Compute

| file | what it is |
|---|---|
| \`src/\` | the service: \`index.js\` is what Fastly lends to the handler, \`rules.js\` what it answers by |
| \`fastly.toml\`, \`package.json\` | how it is built, and what the first deployment sets up |
${keyed ? SHARD_FILES : KEY_FILES}
themecast tests the service in a shim of Fastly's interfaces on Node.js, **not on Fastly itself** nor in Viceroy: try it with
\`fastly compute serve\` before the first release. A VCL service can pass \`${basePath}/api/v2/theme*\` on to this one.

## Install

1. Serve \`dist/\` as plain files on any host that need not be public, \`/api/v2/theme/index.json\` being the path of the list.
2. Copy this folder beside the repository, and there \`npm install\` (\`@fastly/js-compute\` 3.34 or later) and \`fastly compute publish\`. It asks for
   the address of the backend \`${FILES_BACKEND}\`; give the backend the same name as **override host** (\`--override-host\`, and \`--ssl-sni-hostname\`).
${backendStep(rules)}3. Link a KV Store and, if there are secrets, a Secret Store to the service, both called \`${STORE}\`.
${secretSteps(secretNames(rules))}${keyed ? SHARD_STEP : KEY_STEP}
5. Check: \`curl -i https://…${endpoints.config.path}\`, and once more with the cookie or header of a user.

For an update always in this order: \`dist/\`; \`fastly purge --key themecast\` (else the files of the endpoints stay for a minute); the
users as in step 4; the service, when site.yaml or the themes have changed. ${keyed ? SHARD_UPDATE : KEY_UPDATE}
## What Fastly cannot do

- **Trusted proxies by address, and login services** (\`auth_request\`). Use \`shared_secret\` or tokens.
- **Ranges of pictures**, and preconditions other than \`If-None-Match\`: they are sent whole, and \`If-Match\` is always refused (412).
- **A query as it was sent.** A redirect to the trailing slash writes a quotation mark in the query as \`%22\`.
- **All at once.** A KV Store is eventually consistent: a change may take a minute to be everywhere.
${keyed ? '- **Keep shards in memory.** What Compute holds mostly ends with the request, so one with a key reads the store three times.\n' : ''}`;
}

const KEY_FILES = `| \`users.ndjson\` | who gets which theme, for a KV Store. **Personal data**: never below a published folder |
`;

const SHARD_FILES = `| \`shards.ndjson\` | ${SHARDS_ARE}; for a KV Store, never below a published folder |
| \`pointer.ndjson\` | the one value that is replaced: it says which build is live |
| \`shards-delta.ndjson\`, \`shards-delete.txt\` | what has changed since the build before, if the build had that at hand |
`;

const KEY_STEP = `4. The users:

       fastly kv-store-entry create --store-id STORE_ID --file users.ndjson
`;

const SHARD_STEP = `   ${KEY_SECRET_IS}

4. The users: first the shards, which nobody reads yet; a minute later, when they are everywhere, the pointer to them. Until then everybody is
   answered by the build before.

       fastly kv-store-entry create --store-id STORE_ID --file shards.ndjson && sleep 60 &&
         fastly kv-store-entry create --store-id STORE_ID --file pointer.ndjson
`;

const KEY_UPDATE = `The file adds and replaces keys. A user who has gone from
it keeps the theme until \`fastly kv-store-entry delete --key user/KEY\` (the key percent-encoded, as in the file); for many, fill a new store
and link that one in its place.
`;

const SHARD_UPDATE = `In place of \`shards.ndjson\`, it is enough to
put \`shards-delta.ndjson\` if the store holds the build that the delta starts from, that is, if both of these print the same:

    jq -r .from …/edge/shards-delta.json
    fastly kv-store-entry get --store-id STORE_ID --key pointer | jq -r .build

Five minutes after the pointer, when nobody reads by the one before it any more, delete what only the build before had. Nothing goes wrong without
it; the store only fills up (after an update in full, a new store is the simplest way to be rid of the old values).

    while read -r name; do fastly kv-store-entry delete --store-id STORE_ID --key "$name"; done < shards-delete.txt

## Another secret

The service takes the one of its two secrets that the pointer was made with, so nobody is without their theme meanwhile:

1. Put the secret in use into the Secret Store once more, as \`${OLD_KEY_SECRET}\`; then the new one as \`${KEY_SECRET}\`, with \`--recreate\`.
2. Build with the new one, and update the users as above. All shards are new ones.
3. Five minutes later, delete \`${OLD_KEY_SECRET}\`.
`;

function backendStep(rules: EdgeRules): string {
  return jwksBackends(rules)
    .map(({ url, name }) => `   The backend \`${name}\` is for ${url}, with its host as override host.\n`)
    .join('');
}

function secretSteps(secrets: readonly string[]): string {
  if (secrets.length === 0) return '';
  return `   The secrets, each of ${MIN_SECRET_BYTES} characters or more (${NEW_SECRET_IS}), are yours to put there, and in no file of themecast:

${secrets.map((name) => `       fastly secret-store-entry create --store-id SECRET_STORE_ID --name ${name} --stdin\n`).join('')}
`;
}
