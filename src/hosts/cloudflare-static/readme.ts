import type { EdgeRules } from '../contract.ts';

/** `wrangler.jsonc`. Without HTML handling, which would redirect `browse.html` to `browse`. */
export const ASSETS_CONFIG = `// themecast: static assets without a Worker. Copy this to the root of your repository; builds overwrite it here.
{
  "name": "theme-service",
  "compatibility_date": "2026-04-01",
  "assets": {
    "directory": "./dist",
    "html_handling": "none",
    "not_found_handling": "none"
  }
}
`;

/** `README.md`, for the administrator who publishes without a Worker. */
export function readme({ endpoints: { list, config } }: EdgeRules): string {
  return `# The theme service on Cloudflare, without a Worker

Everyone gets the default theme as JSON. For per-user themes, content negotiation and OPTIONS, use the adapter \`cloudflare\`; the two cannot be
combined.

| File | Purpose |
|---|---|
| \`dist/_redirects\` | serves the two documents under the paths of the endpoints |
| \`dist/_headers\` | the headers of documents and images |
| \`wrangler.jsonc\` | for static assets; copy it to the root of the repository |

Tested in miniflare 4.20260426 (workerd).

## Publish

Run \`npx wrangler deploy\`, which uploads \`dist/\` atomically. On Pages, run \`npx wrangler pages deploy dist/\` without \`wrangler.jsonc\`. Check with
\`curl -i https://…${config.path}\`.

## What Cloudflare cannot do without a Worker

- **Identify users.** \`${config.path}\` is always the default theme.
- **Negotiate content.** \`Accept\` and \`?format=\` are ignored. The browsable page of the list is \`${list.path}browse.html\`.
- **Respond to OPTIONS, CORS and errors.** Methods other than GET and HEAD get an empty 405, missing files an empty 404. CORS is not supported.
- **Hide the files** behind the endpoints: \`${list.path}index.json\` and the documents of all themes are public under their own names.
`;
}
