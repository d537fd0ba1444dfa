import type { EdgeRules } from '../contract.ts';
import { MIN_SECRET_BYTES } from '../../edge-runtime/token.ts';
import { KEY_SECRET_NOTE, ROTATE_SECRET, SHARDS_DESCRIPTION } from '../keyed-shards-readme.ts';
import { CREATE_SECRET, secretNames } from '../secrets.ts';

/** `README.md`, for the administrator who deploys the site. */
export function readme(rules: EdgeRules): string {
  const { endpoints, basePath, keyed } = rules;
  const secrets = secretNames(rules);
  return `# The theme service on Netlify

An edge function with the mapping in its code serves \`${endpoints.list.path}\` and \`${endpoints.config.path}\`. It also sets the
headers of images: Netlify would add them to a 404 too, which browsers would then cache for a year.

| File | Purpose |
|---|---|
| \`netlify.toml\` | the configuration |
| \`netlify/edge-functions/theme.js\` | the function |
| \`netlify/themecast/\` | its modules; ${keyed ? `\`shards-data.js\` is ${SHARDS_DESCRIPTION}. Never` : '`mapping.js` maps keys to themes. **Personal data**: never'} put it below a published folder |

The function is tested under Deno 2.9. What Netlify puts around it (its cache, \`netlify.toml\`) is not tested: check the first
deployment as described below.

## Publish

1. Where the site was built, or where both \`dist/\` and \`edge/\` were copied to, run in this folder, \`edge/netlify/\`. This publishes
   \`dist/\`:

       npx netlify-cli link
       npx netlify-cli deploy --prod

   A deployment is one version of files, function and mapping: the order of steps does not matter, and a rollback reverts all of them.
2. ${secrets.length === 0 ? 'This site needs no secrets.' : `Set the secrets, each of ${MIN_SECRET_BYTES} characters or more (${CREATE_SECRET}), as environment variables with the scope *Functions*, before the deployment: ${secrets.map((name) => `\`npx netlify-cli env:set ${name} "$${name}"\``).join(', ')}.`}
${keyed ? `   ${KEY_SECRET_NOTE}\n` : ''}3. Check \`curl -i https://…${endpoints.config.path} -H 'Cookie: …'\`: \`Cache-Control: private, no-cache\`, and the theme of that user. And
   \`curl -i https://…${basePath}/media/…svg\`: \`immutable\`, and a \`Content-Security-Policy\`; neither on a 404 there.

To update the users, build and deploy again.
${keyed ? ROTATE_SECRET : ''}
## What Netlify cannot do

- **Trusted proxies by address.** Only \`shared_secret\` proves that a header comes from your proxy.
- **More than ${keyed ? '1,000,000' : '100,000'} keys**: the code is limited to 20 MB and loaded at every cold start.
- **Preconditions on images** other than \`If-None-Match\`: \`If-Match\` is ignored.
- **A single invocation per request.** For the endpoints the function fetches a file from the site, which invokes the function again. Netlify counts two
  invocations.
`;
}
