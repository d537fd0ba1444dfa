import type { EdgeRules } from '../contract.ts';
import { MIN_SECRET_BYTES } from '../../edge-runtime/token.ts';
import { KEY_SECRET_NOTE, SHARDS_DESCRIPTION } from '../keyed-shards-readme.ts';
import { KEY_SECRET, newSecret, CREATE_SECRET, OLD_KEY_SECRET, secretNames } from '../secrets.ts';
import { MAPPING_BINDING } from './worker.ts';

/** `README.md`, for the administrator who installs the Worker. */
export function readme(rules: EdgeRules): string {
  const { endpoints, basePath, keyed } = rules;
  return `# The theme service on Cloudflare

A Worker serves \`${endpoints.list.path}\` and \`${endpoints.config.path}\`. The files of \`dist/\` are its static assets; KV stores the mapping of
keys to themes.

| File | Purpose |
|---|---|
| \`wrangler.jsonc\` | the configuration; copy it, see below |
| \`worker.js\`, \`rules.js\` and the other modules | the Worker |
${keyed ? SHARD_FILES : KEY_FILES}| \`dist/_headers\` | the headers of the images |

Tested in miniflare 4.20260426 (workerd). The commands are those of wrangler 4.

## Install

1. Copy \`wrangler.jsonc\` to a folder that builds do not overwrite, and adjust its paths. For example, where the site was built:

       mkdir -p cloudflare && cd cloudflare
       sed -e 's#"worker.js"#"../edge/cloudflare/worker.js"#' -e 's#"directory": ".*"#"directory": "../dist/"#' ../edge/cloudflare/wrangler.jsonc > wrangler.jsonc

2. In that folder, run \`npx wrangler kv namespace create theme-users\` and copy the printed id to \`kv_namespaces\`.
3. Set \`routes\`: \`${basePath}/api/v2/theme*\`, and \`${basePath}/media/*\` if \`media_url\` points to this site.
${secretsStep(rules)}
${tryOut(rules)}
## Publish, in this order

1. Run \`npx wrangler deploy\`. It uploads \`dist/\` and the Worker as one version.
${keyed ? SHARD_STEPS : KEY_STEPS}4. Check with \`curl -i https://…${endpoints.config.path} -H 'Cookie: …'\`. A change of the mapping takes a minute or two to reach all locations.
${keyed ? ROTATE_SECRET : ''}
## What Cloudflare cannot do

- **Trusted proxies by address.** Only \`shared_secret\` proves that a header comes from your proxy.
- **Error responses for images.** Cloudflare serves images without invoking the Worker. It responds to POST with a 405 that has the headers of
  the image, and ignores \`If-Match\` and \`Range\`.
- **Atomic updates.** KV is eventually consistent: for a minute${keyed ? ' or two' : ''} after a change, some locations serve the old theme of a user.
- **An unchanged query in redirects.** The redirect to the trailing slash writes a quotation mark in the query as \`%22\`.
- **More than 20,000 files** on the free plan, 100,000 on others, or a file larger than 25 MiB.
`;
}

const KEY_FILES = `| \`kv/users-….json\` | the mapping of keys to themes, 10,000 keys per file. **Personal data**: never put it below a published folder |
`;

const SHARD_FILES = `| \`kv/shards-….json\` | ${SHARDS_DESCRIPTION}. Never put it below a published folder |
| \`kv/pointer.json\` | the only value that is overwritten: it selects the live build |
| \`kv-delta/\` | the changes since the previous build, if the build had access to it |
`;

const KEY_STEPS = `2. Upload the mapping (a theme must be published before it is assigned to a user):

       for file in ../edge/cloudflare/kv/*.json; do npx wrangler kv bulk put "$file" --binding ${MAPPING_BINDING} --remote; done

3. Delete the keys that are no longer mapped. Otherwise a user who returned to the default theme keeps the old one. The lists contain all
   keys, and Git tracks the current folder, so they are written to a private temporary folder.

       dir=$(mktemp -d)
       npx wrangler kv key list --binding ${MAPPING_BINDING} --remote > "$dir/have.json"
       jq -s '[.[0][].name] - [.[1:][][].key]' "$dir/have.json" ../edge/cloudflare/kv/*.json > "$dir/gone.json"
       npx wrangler kv bulk delete "$dir/gone.json" --binding ${MAPPING_BINDING} --remote
       rm -r "$dir"

`;

const SHARD_STEPS = `2. Upload the mapping (a theme must be published before it is assigned to a user): first the shards, which are not read yet; a minute later,
   when they have reached all locations, the pointer. Until then the previous build stays live.

       (set -e
       for file in ../edge/cloudflare/kv/shards-*.json; do npx wrangler kv bulk put "$file" --binding ${MAPPING_BINDING} --remote; done
       sleep 60
       npx wrangler kv bulk put ../edge/cloudflare/kv/pointer.json --binding ${MAPPING_BINDING} --remote)

   You can upload \`kv-delta/shards-*.json\` instead if KV has the build that the delta is based on, that is, if this prints the same id
   twice:

       jq -r .from ../edge/shards-delta.json
       npx wrangler kv key get pointer --binding ${MAPPING_BINDING} --remote --text | jq -r .build

3. Five minutes after the pointer, when the previous one is no longer in use, delete the values of the previous build. After a delta, run:

       npx wrangler kv bulk delete ../edge/cloudflare/kv-delta/delete.json --binding ${MAPPING_BINDING} --remote

   Otherwise delete all values that this build does not name. Without this step only the storage grows.

       npx wrangler kv key list --binding ${MAPPING_BINDING} --remote > have.json
       jq -s '[.[0][].name] - [.[1:][][].key]' have.json ../edge/cloudflare/kv/*.json > gone.json
       npx wrangler kv bulk delete gone.json --binding ${MAPPING_BINDING} --remote
       rm have.json gone.json

`;

const ROTATE_SECRET = `
## Rotate the secret

The Worker uses the secret that matches the pointer, so users keep their themes during the rotation.

1. Run \`npx wrangler secret put ${OLD_KEY_SECRET}\` with the current secret, then \`npx wrangler secret put ${KEY_SECRET}\` with the new one.
2. Build with the new secret and publish as above. All shards change.
3. Five minutes later, after step 3 above, run \`npx wrangler secret delete ${OLD_KEY_SECRET}\`.
`;

/** How to run the Worker locally, without an account and without the network. */
function tryOut(rules: EdgeRules): string {
  const names = secretNames(rules);
  const put = (name: string) =>
    name === KEY_SECRET ? `(umask 077; printf '${name}=%s\\n' "$${name}" >> .dev.vars)` : newSecret('.dev.vars', name);
  return `## Try it locally

\`wrangler dev\` runs the Worker in workerd, Cloudflare's runtime, with its files and a local KV. It needs neither an account nor the network, and
only step 1. In that folder:

    for file in ../edge/cloudflare/kv/*.json; do npx wrangler kv bulk put "$file" --binding ${MAPPING_BINDING} --local; done
${names.length === 0 ? '' : `\nSet local secrets in \`.dev.vars\`${rules.keyed ? `; use the \`${KEY_SECRET}\` of the build` : ''}:\n\n${names.map((name) => `    ${put(name)}\n`).join('')}`}
Then run

    npx wrangler dev

and, while it runs, \`curl -i http://localhost:8787${rules.endpoints.config.path} -H 'Cookie: …'\`. \`.dev.vars\` and \`.wrangler/\` contain secrets and personal
data: add both to \`.gitignore\`.
`;
}

function secretsStep(rules: EdgeRules): string {
  const names = secretNames(rules);
  if (names.length === 0) return '';
  const commands = names.map((name) => `\`npx wrangler secret put ${name}\``).join(', ');
  return `4. Set the secrets, each of ${MIN_SECRET_BYTES} characters or more (${CREATE_SECRET}). Cloudflare stores them; they are in no file: ${commands}.
${rules.keyed ? `   ${KEY_SECRET_NOTE}\n` : ''}`;
}
