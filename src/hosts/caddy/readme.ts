import type { EdgeRules } from '../contract.ts';
import { environmentStep, identitySecrets } from '../secrets.ts';

/** `README.md`, for the administrator who installs the rules. */
export function readme(rules: EdgeRules): string {
  const { basePath, origin, endpoints } = rules;
  return `# The theme service on Caddy

| File | Purpose |
|---|---|
| \`service.caddy\` | for a site: \`${endpoints.list.path}\`, \`${endpoints.config.path}\` and \`${basePath}/media/\` |
| \`maps.caddy\` | negotiation, identity, headers; read by \`service.caddy\` |
| \`theme-service.caddy\` | a dedicated site that imports \`service.caddy\`, on \`${origin.listen}\` |
| \`users.caddy\`, \`groups.caddy\` | the mapping of keys to themes. **Personal data**: never put it below a published folder |

Requires Caddy with its standard modules; tested with 2.6.

## Install

1. Upload \`dist/\` to \`${origin.document_root}\`. The user that Caddy runs as must be able to read it. Preserve the modification times:
   on LIST they are part of the ETag.
2. Copy this folder and let Caddy, which runs as \`caddy\`, read it: the build restricts it to its owner, and so are copies of it.

       mkdir -p /etc/caddy/themecast && cp -r edge/caddy/. /etc/caddy/themecast/
       chown -R root:caddy /etc/caddy/themecast && chmod -R u=rwX,g=rX,o= /etc/caddy/themecast

3. In \`/etc/caddy/Caddyfile\`, after its global options, add one line:

       import themecast/theme-service.caddy

   To use an existing site instead (Caddy may provide its TLS), add \`import themecast/service.caddy\` to it. Its \`root\`, \`try_files\` and
   \`rewrite\` do not matter; deferred \`header\` directives, \`redir\`, \`basicauth\` and \`encode\` do apply.
${environmentStep(4, identitySecrets(rules), 'caddy')}
Check the configuration and reload:

    caddy validate --config /etc/caddy/Caddyfile && systemctl reload caddy

The check runs as root, which can read files that Caddy cannot. If Caddy can read all files, this prints nothing:

    su -s /bin/sh caddy -c 'cat /etc/caddy/themecast/* >/dev/null'

## Update

Always update in this order: \`dist/\`, then this folder with all of step 2 (new files are again restricted to their owner), then check and
reload. If only users changed, repeat step 2 and reload. Until the reload, users of a removed theme get the default theme.

## What Caddy cannot do

- **Validators on CONFIG.** Caddy derives ETag and Last-Modified from the time and size of a file, and two themes may share both. So CONFIG
  has neither and is always sent in full.
- **More than 10,000 keys.** Caddy searches a map from its beginning for every request to CONFIG: 10,000 keys halve the throughput of 1,000.
- **An empty \`Accept\`** is treated as a missing one.
- **Paths as they were sent.** Caddy compares them after percent-decoding, so \`${basePath}/api/v2/%74heme/\` gets the same
  response as the endpoint itself.
- **Several \`Cookie\` lines** in one HTTP/1 request are joined with commas. Browsers do not send them.
- **Responses before the site.** A malformed request (400) gets Caddy's own text, without \`Allow\` and \`Vary\`.
- **Range requests.** Files are always sent in full. \`If-Match\` is rejected on images (412) and ignored elsewhere.
`;
}
