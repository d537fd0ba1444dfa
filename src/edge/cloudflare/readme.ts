import type { EdgeRules } from '../../mapping/edge-rules.ts';
import { secretNames } from '../secrets.ts';
import { MAPPING_BINDING } from './worker.ts';

/** `README.md`, for whoever installs the Worker. */
export function readme(rules: EdgeRules): string {
  const { endpoints, basePath } = rules;
  return `# The theme service on Cloudflare

A Worker answers \`${endpoints.list.path}\` and \`${endpoints.config.path}\`; the files of \`dist/\` are its static assets, and KV knows who gets
which theme.

| file | what it is |
|---|---|
| \`wrangler.jsonc\` | the settings; copy it, see below |
| \`worker.js\`, \`rules.js\` and the other modules | the Worker |
| \`kv/users-….json\` | who gets which theme, 10,000 keys a file. **Personal data**: never below a published folder |
| \`dist/_headers\` | how long pictures may be kept, and what an SVG may do |

Tested in miniflare 4.20260426 (workerd). The commands are those of wrangler 4.

## Install

1. Copy \`wrangler.jsonc\` to a folder that no build overwrites, \`cloudflare/\` beside \`edge/\`, say, and set \`"main"\` to
   \`"../edge/cloudflare/worker.js"\` and \`"directory"\` to \`"../dist"\` in it.
2. \`cd\` there, then \`npx wrangler kv namespace create theme-users\`; put the id that it prints into \`kv_namespaces\`.
3. Fill in \`routes\`: the service has \`${basePath}/api/v2/theme*\`, and \`${basePath}/media/*\` where \`media_url\` points here.
${secretsStep(rules)}
## Publish, in this order

1. \`npx wrangler deploy\`: \`dist/\` and the Worker, as one version.
2. The mapping, each file in turn (a theme must be published before a user is given it):

       for file in ../edge/cloudflare/kv/*.json; do npx wrangler kv bulk put "$file" --binding ${MAPPING_BINDING} --remote; done

3. Whoever is no longer in the mapping. KV keeps a key until it is told otherwise, so without this step a user who went back to the
   default theme keeps the old one. The lists hold the keys of all users, and Git tracks the folder that you are in: so they go into a
   temporary one that nobody else can read.

       dir=$(mktemp -d)
       npx wrangler kv key list --binding ${MAPPING_BINDING} --remote > "$dir/have.json"
       jq -s '[.[0][].name] - [.[1:][][].key]' "$dir/have.json" ../edge/cloudflare/kv/*.json > "$dir/gone.json"
       npx wrangler kv bulk delete "$dir/gone.json" --binding ${MAPPING_BINDING} --remote
       rm -r "$dir"

4. \`curl -i https://…${endpoints.config.path} -H 'Cookie: …'\`. A change of the mapping is everywhere after a minute or two.

## What Cloudflare cannot do

- **Headers of proxies by their address.** Only \`shared_secret\` proves that a header came from your proxy.
- **Refusals of pictures.** Cloudflare sends pictures before it asks the Worker, so that they cost no call of it. It answers POST
  there with a 405 that has the headers of the picture, and takes no notice of \`If-Match\` and \`Range\`.
- **All at once.** KV is eventually consistent: for a minute after a change, some places still know the old theme of a user.
- **A query as it was sent.** A redirect to the trailing slash writes a quotation mark in the query as \`%22\`.
- **More than 20,000 files** on the free plan, 100,000 on others, or one beyond 25 MiB.
`;
}

function secretsStep(rules: EdgeRules): string {
  const names = secretNames(rules);
  if (names.length === 0) return '';
  const commands = names.map((name) => `\`npx wrangler secret put ${name}\``).join(', ');
  return `4. The secrets, each of 32 characters or more; Cloudflare keeps them, no file does: ${commands}.
`;
}
