import type { EdgeRules } from '../contract.ts';
import { MIN_SECRET_BYTES } from '../../edge-runtime/token.ts';
import { KEY_SECRET_IS, SHARDS_ARE } from '../keyed-text.ts';
import { KEY_SECRET, newSecret, NEW_SECRET_IS, OLD_KEY_SECRET, secretNames } from '../secrets.ts';
import { MAPPING_BINDING } from './worker.ts';

/** `README.md`, for whoever installs the Worker. */
export function readme(rules: EdgeRules): string {
  const { endpoints, basePath, keyed } = rules;
  return `# The theme service on Cloudflare

A Worker answers \`${endpoints.list.path}\` and \`${endpoints.config.path}\`; the files of \`dist/\` are its static assets, and KV knows who gets
which theme.

| file | what it is |
|---|---|
| \`wrangler.jsonc\` | the settings; copy it, see below |
| \`worker.js\`, \`rules.js\` and the other modules | the Worker |
${keyed ? SHARD_FILES : KEY_FILES}| \`dist/_headers\` | how long pictures may be kept, and what an SVG may do |

Tested in miniflare 4.20260426 (workerd). The commands are those of wrangler 4.

## Install

1. Copy \`wrangler.jsonc\` to a folder that no build overwrites, with the paths as seen from there; where the site was built, say:

       mkdir -p cloudflare && cd cloudflare
       sed -e 's#"worker.js"#"../edge/cloudflare/worker.js"#' -e 's#"directory": ".*"#"directory": "../dist/"#' ../edge/cloudflare/wrangler.jsonc > wrangler.jsonc

2. There, run \`npx wrangler kv namespace create theme-users\`; put the id that it prints into \`kv_namespaces\`.
3. Fill in \`routes\`: the service has \`${basePath}/api/v2/theme*\`, and \`${basePath}/media/*\` where \`media_url\` points here.
${secretsStep(rules)}
${tryOut(rules)}
## Publish, in this order

1. \`npx wrangler deploy\`: \`dist/\` and the Worker, as one version.
${keyed ? SHARD_STEPS : KEY_STEPS}4. \`curl -i https://…${endpoints.config.path} -H 'Cookie: …'\`. A change of the mapping is everywhere after a minute or two.
${keyed ? NEW_SECRET : ''}
## What Cloudflare cannot do

- **Headers of proxies by their address.** Only \`shared_secret\` proves that a header came from your proxy.
- **Refusals of pictures.** Cloudflare sends pictures before it asks the Worker, so that they cost no call of it. It answers POST
  there with a 405 that has the headers of the picture, and takes no notice of \`If-Match\` and \`Range\`.
- **All at once.** KV is eventually consistent: for a minute${keyed ? ' or two' : ''} after a change, some places still know the old theme of a user.
- **A query as it was sent.** A redirect to the trailing slash writes a quotation mark in the query as \`%22\`.
- **More than 20,000 files** on the free plan, 100,000 on others, or one beyond 25 MiB.
`;
}

const KEY_FILES = `| \`kv/users-….json\` | who gets which theme, 10,000 keys a file. **Personal data**: never below a published folder |
`;

const SHARD_FILES = `| \`kv/shards-….json\` | ${SHARDS_ARE}; never below a published folder |
| \`kv/pointer.json\` | the one value that is replaced: it says which build is live |
| \`kv-delta/\` | what has changed since the build before, if the build had that at hand |
`;

const KEY_STEPS = `2. The mapping, each file in turn (a theme must be published before a user is given it):

       for file in ../edge/cloudflare/kv/*.json; do npx wrangler kv bulk put "$file" --binding ${MAPPING_BINDING} --remote; done

3. Whoever is no longer in the mapping. KV keeps a key until it is told otherwise, so without this step a user who went back to the
   default theme keeps the old one. The lists hold the keys of all users, and Git tracks the folder that you are in: so they go into a
   temporary one that nobody else can read.

       dir=$(mktemp -d)
       npx wrangler kv key list --binding ${MAPPING_BINDING} --remote > "$dir/have.json"
       jq -s '[.[0][].name] - [.[1:][][].key]' "$dir/have.json" ../edge/cloudflare/kv/*.json > "$dir/gone.json"
       npx wrangler kv bulk delete "$dir/gone.json" --binding ${MAPPING_BINDING} --remote
       rm -r "$dir"

`;

const SHARD_STEPS = `2. The mapping (a theme must be published before a user is given it): first the shards, which nobody reads yet; a minute later, when they
   are everywhere, the pointer to them. Until then everybody is answered by the build before.

       (set -e
       for file in ../edge/cloudflare/kv/shards-*.json; do npx wrangler kv bulk put "$file" --binding ${MAPPING_BINDING} --remote; done
       sleep 60
       npx wrangler kv bulk put ../edge/cloudflare/kv/pointer.json --binding ${MAPPING_BINDING} --remote)

   It is enough to put \`kv-delta/shards-*.json\` in their place if KV holds the build that the delta starts from, that
   is, if this prints the same twice:

       jq -r .from ../edge/shards-delta.json
       npx wrangler kv key get pointer --binding ${MAPPING_BINDING} --remote --text | jq -r .build

3. Five minutes after the pointer, when no place reads by the one before it any more: what only the build before had. After a delta,

       npx wrangler kv bulk delete ../edge/cloudflare/kv-delta/delete.json --binding ${MAPPING_BINDING} --remote

   and otherwise whatever this build does not name. Nothing goes wrong without this step; KV only fills up.

       npx wrangler kv key list --binding ${MAPPING_BINDING} --remote > have.json
       jq -s '[.[0][].name] - [.[1:][][].key]' have.json ../edge/cloudflare/kv/*.json > gone.json
       npx wrangler kv bulk delete gone.json --binding ${MAPPING_BINDING} --remote
       rm have.json gone.json

`;

const NEW_SECRET = `
## Another secret

The Worker takes the one of its two secrets that the pointer was made with, so nobody is without their theme meanwhile:

1. \`npx wrangler secret put ${OLD_KEY_SECRET}\` with the secret in use; then \`npx wrangler secret put ${KEY_SECRET}\` with the new one.
2. Build with the new one, and publish as above. All shards are new ones.
3. Five minutes later, after step 3 above: \`npx wrangler secret delete ${OLD_KEY_SECRET}\`.
`;

/** What wrangler runs without an account and without the network. */
function tryOut(rules: EdgeRules): string {
  const names = secretNames(rules);
  const put = (name: string) =>
    name === KEY_SECRET ? `(umask 077; printf '${name}=%s\\n' "$${name}" >> .dev.vars)` : newSecret('.dev.vars', name);
  return `## Try it on this machine

\`wrangler dev\` runs the Worker in workerd, Cloudflare's own runtime, with its files and a KV of this machine. It takes neither an account nor the
network, and none of the other steps. In the folder of step 1:

    for file in ../edge/cloudflare/kv/*.json; do npx wrangler kv bulk put "$file" --binding ${MAPPING_BINDING} --local; done
${names.length === 0 ? '' : `\nSecrets of this machine are in \`.dev.vars\`${rules.keyed ? `, \`${KEY_SECRET}\` as the site was built with` : ''}:\n\n${names.map((name) => `    ${put(name)}\n`).join('')}`}
Then run

    npx wrangler dev

and, while it runs, \`curl -i http://localhost:8787${rules.endpoints.config.path} -H 'Cookie: …'\`. \`.dev.vars\` and \`.wrangler/\` are personal data and secrets:
list both in \`.gitignore\`.
`;
}

function secretsStep(rules: EdgeRules): string {
  const names = secretNames(rules);
  if (names.length === 0) return '';
  const commands = names.map((name) => `\`npx wrangler secret put ${name}\``).join(', ');
  return `4. The secrets, each of ${MIN_SECRET_BYTES} characters or more (${NEW_SECRET_IS}); Cloudflare keeps them, no file does: ${commands}.
${rules.keyed ? `   ${KEY_SECRET_IS}\n` : ''}`;
}
