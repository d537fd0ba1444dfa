import type { EdgeRules } from '../contract.ts';
import { MIN_SECRET_BYTES } from '../../edge-runtime/token.ts';
import { KEY_SECRET_IS, NEW_SECRET, SHARDS_ARE } from '../keyed-text.ts';
import { NEW_SECRET_IS, secretNames } from '../secrets.ts';

/** `README.md`, for whoever installs the project. */
export function readme(rules: EdgeRules): string {
  const { endpoints, basePath, keyed } = rules;
  const secrets = secretNames(rules);
  return `# The theme service on Vercel

A middleware answers \`${endpoints.list.path}\` and \`${endpoints.config.path}\` and has the mapping in its code. Vercel itself sends the
pictures.

| file | what it is |
|---|---|
| \`vercel.json\` | where the files are, and the headers of the pictures |
| \`middleware.js\` | the middleware |
| \`themecast/\` | its modules; ${keyed ? `\`shards-data.js\` is ${SHARDS_ARE}` : '`mapping.js` is who gets which theme. **Personal data**'}${keyed ? ';' : ':'} never below a published folder |
| \`package.json\` | says that these are modules |

The middleware is tested in edge-runtime 4.0. What Vercel puts around it (its cache, \`vercel.json\`) could not be tested here: see that the
first deployment answers as below.

## Publish

1. Copy this folder to one of its own, and \`dist/\` into that as \`public/\`. There:

       npx vercel link
       npx vercel deploy --prod

   A deployment is one version of files, middleware and mapping: nothing has an order, and a rollback takes all of them back.
2. ${secrets.length === 0 ? 'There are no secrets to set.' : `The secrets, each of ${MIN_SECRET_BYTES} characters or more (${NEW_SECRET_IS}), before the deployment: ${secrets.map((name) => `\`npx vercel env add ${name} production\``).join(', ')}.`}
${keyed ? `   ${KEY_SECRET_IS}\n` : ''}3. If Deployment Protection is on, switch on *Protection Bypass for Automation* too: the middleware fetches files from the deployment.
4. \`curl -i https://…${endpoints.config.path} -H 'Cookie: …'\`: \`Cache-Control: private, no-cache\`, and the theme of that user. And
   \`curl -i https://…${basePath}/media/…svg\`: \`immutable\`, and a \`Content-Security-Policy\`; neither on a 404 there.

For an update of the users, build and deploy again.
${keyed ? NEW_SECRET : ''}
## What Vercel cannot do

- **Headers of proxies by their address.** Only \`shared_secret\` proves that a header came from your proxy.
- **More than ${keyed ? '130,000' : '10,000'} keys**: a middleware may have 1 MB, compressed.
- **Refusals of pictures** are Vercel's own: a page for 404, without \`Cache-Control: no-store\`.
- **One request for one**: the middleware fetches the file that it answers with from the site. Counted are two requests.
`;
}
