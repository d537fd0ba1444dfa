import type { EdgeRules } from '../contract.ts';
import { MIN_SECRET_BYTES } from '../../edge-runtime/token.ts';
import { KEY_SECRET_IS, NEW_SECRET, SHARDS_ARE } from '../keyed-text.ts';
import { NEW_SECRET_IS, secretNames } from '../secrets.ts';

/** `README.md`, for whoever installs the site. */
export function readme(rules: EdgeRules): string {
  const { endpoints, basePath, keyed } = rules;
  const secrets = secretNames(rules);
  return `# The theme service on Netlify

An edge function answers \`${endpoints.list.path}\` and \`${endpoints.config.path}\` and has the mapping in its code. It puts
the headers on the pictures too: Netlify would put them on a 404 as well, for browsers to keep for a year.

| file | what it is |
|---|---|
| \`netlify.toml\` | where everything is |
| \`netlify/edge-functions/theme.js\` | the function |
| \`netlify/themecast/\` | its modules; ${keyed ? `\`shards-data.js\` is ${SHARDS_ARE}` : '`mapping.js` is who gets which theme. **Personal data**'}${keyed ? ';' : ':'} never below a published folder |

The function is tested under Deno 2.9. What Netlify puts around it (its cache, \`netlify.toml\`) could not be tested here: see that the
first deployment answers as below.

## Publish

1. Where the site was built, or where both of its outputs were copied to whole, run in this folder, \`edge/netlify/\`. It publishes
   \`dist/\`:

       npx netlify-cli link
       npx netlify-cli deploy --prod

   A deployment is one version of files, function and mapping: nothing has an order, and a rollback takes all of them back.
2. ${secrets.length === 0 ? 'There are no secrets to set.' : `The secrets, each of ${MIN_SECRET_BYTES} characters or more (${NEW_SECRET_IS}), as environment variables with the scope *Functions*, before the deployment: ${secrets.map((name) => `\`npx netlify-cli env:set ${name} "$${name}"\``).join(', ')}.`}
${keyed ? `   ${KEY_SECRET_IS}\n` : ''}3. \`curl -i https://…${endpoints.config.path} -H 'Cookie: …'\`: \`Cache-Control: private, no-cache\`, and the theme of that user. And
   \`curl -i https://…${basePath}/media/…svg\`: \`immutable\`, and a \`Content-Security-Policy\`; neither on a 404 there.

For an update of the users, build and deploy again.
${keyed ? NEW_SECRET : ''}
## What Netlify cannot do

- **Headers of proxies by their address.** Only \`shared_secret\` proves that a header came from your proxy.
- **More than ${keyed ? '1,000,000' : '100,000'} keys**: code may have 20 MB, and is read anew at every cold start.
- **Conditions on pictures** but \`If-None-Match\`: \`If-Match\` is taken no notice of.
- **One call for one request**: for the endpoints the function fetches the file that it answers with from the site, which calls the function once more, to
  let it pass. Counted are two calls.
`;
}
