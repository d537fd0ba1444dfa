import type { EdgeRules } from '../contract.ts';
import { MIN_SECRET_BYTES } from '../../edge-runtime/token.ts';
import { KEY_SECRET_NOTE, ROTATE_SECRET, SHARDS_DESCRIPTION } from '../keyed-shards-readme.ts';
import { CREATE_SECRET, secretNames } from '../secrets.ts';

/** `README.md`, for the administrator who deploys the project. */
export function readme(rules: EdgeRules): string {
  const { endpoints, basePath, keyed } = rules;
  const secrets = secretNames(rules);
  return `# The theme service on Vercel

A middleware with the mapping in its code serves \`${endpoints.list.path}\` and \`${endpoints.config.path}\`. Vercel itself serves the
images.

| File | Purpose |
|---|---|
| \`vercel.json\` | the configuration, with the headers of images |
| \`middleware.js\` | the middleware |
| \`themecast/\` | its modules; ${keyed ? `\`shards-data.js\` is ${SHARDS_DESCRIPTION}. Never` : '`mapping.js` maps keys to themes. **Personal data**: never'} put it below a published folder |
| \`package.json\` | marks the code as ECMAScript modules |

The middleware is tested in edge-runtime 4.0. What Vercel puts around it (its cache, \`vercel.json\`) is not tested: check the first
deployment as described below.

## Publish

1. Copy this folder to a folder of its own, and \`dist/\` into it as \`public/\`. There, run:

       npx vercel link
       npx vercel deploy --prod

   A deployment is one version of files, middleware and mapping: the order of steps does not matter, and a rollback reverts all of them.
2. ${secrets.length === 0 ? 'This site needs no secrets.' : `Set the secrets, each of ${MIN_SECRET_BYTES} characters or more (${CREATE_SECRET}), before the deployment: ${secrets.map((name) => `\`npx vercel env add ${name} production\``).join(', ')}.`}
${keyed ? `   ${KEY_SECRET_NOTE}\n` : ''}3. If Deployment Protection is on, enable *Protection Bypass for Automation*: the middleware fetches files from the deployment.
4. Check \`curl -i https://…${endpoints.config.path} -H 'Cookie: …'\`: \`Cache-Control: private, no-cache\`, and the theme of that user. And
   \`curl -i https://…${basePath}/media/…svg\`: \`immutable\`, and a \`Content-Security-Policy\`; neither on a 404 there.

To update the users, build and deploy again.
${keyed ? ROTATE_SECRET : ''}
## What Vercel cannot do

- **Trusted proxies by address.** Only \`shared_secret\` proves that a header comes from your proxy.
- **More than ${keyed ? '130,000' : '10,000'} keys**: a middleware is limited to 1 MB, compressed.
- **Error responses for images.** Vercel sends its own: a page for 404, without \`Cache-Control: no-store\`.
- **A single counted request.** The middleware fetches a file from the site, so Vercel counts two requests.
`;
}
