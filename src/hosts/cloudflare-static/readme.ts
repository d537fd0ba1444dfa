import type { EdgeRules } from '../contract.ts';
import type { Releases } from '../releases.ts';

/** `wrangler.jsonc`. Names of files are left as they are: else `browse.html` would be redirected to `browse`. */
export function assetsConfig({ releases = false }: Releases): string {
  return `// themecast: static assets without a Worker. Copy this to the root of your repository; builds overwrite it here.
{
  "name": "theme-service",
  "compatibility_date": "2026-04-01",
  "assets": {
    "directory": "./dist${releases ? '/current' : ''}",
    "html_handling": "none",
    "not_found_handling": "none"
  }
}
`;
}

/** `README.md`, for whoever publishes without a Worker. */
export function readme({ endpoints: { list, config } }: EdgeRules): string {
  return `# The theme service on Cloudflare, without a Worker

Everyone gets the default theme, as JSON. For themes of users, content negotiation and OPTIONS take the adapter \`cloudflare\`; the two
cannot be had together.

| file | what it is |
|---|---|
| \`dist/_redirects\` | serves the two documents under the paths of the endpoints |
| \`dist/_headers\` | their headers, and those of the pictures |
| \`wrangler.jsonc\` | for static assets; copy it to the root of the repository |

Tested in miniflare 4.20260426 (workerd).

## Publish

\`npx wrangler deploy\` uploads \`dist/\`, all of it or nothing. On Pages: \`npx wrangler pages deploy dist/\`, without \`wrangler.jsonc\`. Check with
\`curl -i https://…${config.path}\`.

## What Cloudflare cannot do without a Worker

- **Know who asks.** Every \`${config.path}\` is the default theme.
- **Negotiate.** \`Accept\` and \`?format=\` make no difference. The browsable page of the list is \`${list.path}browse.html\`.
- **OPTIONS and refusals of its own.** Other methods than GET and HEAD get an empty 405, what is not there an empty 404, and CORS is not possible.
- **Hide the files** behind the endpoints: \`${list.path}index.json\` and the documents of the other themes can be had by their names.
`;
}
