import type { EdgeRules } from '../contract.ts';
import { environmentStep, identitySecrets } from '../secrets.ts';

/** `README.md`, for whoever installs the rules. */
export function readme(rules: EdgeRules): string {
  const { basePath, origin, endpoints } = rules;
  return `# The theme service on Caddy

| file | what it is |
|---|---|
| \`service.caddy\` | for a site: \`${endpoints.list.path}\`, \`${endpoints.config.path}\` and \`${basePath}/media/\` |
| \`maps.caddy\` | negotiation, identity, headers; read by \`service.caddy\` |
| \`theme-service.caddy\` | \`service.caddy\` in a site of its own, on \`${origin.listen}\` |
| \`users.caddy\`, \`groups.caddy\` | who gets which theme. **Personal data**: never below a published folder |

It takes Caddy with the modules that it comes with; tested with 2.6.

## Install

1. Upload \`dist/\` to \`${origin.document_root}\`, readable for the user that Caddy runs as. Keep the times of the files as they are
   written: on LIST they are part of the ETag.
2. Copy this folder, and let Caddy, which runs as \`caddy\`, read all of it; the build keeps it to its owner, and copies are as closed:

       mkdir -p /etc/caddy/themecast && cp -r edge/caddy/. /etc/caddy/themecast/
       chown -R root:caddy /etc/caddy/themecast && chmod -R u=rwX,g=rX,o= /etc/caddy/themecast

3. In \`/etc/caddy/Caddyfile\`, after its global options, write one line:

       import themecast/theme-service.caddy

   or, in a site that you have already (which may have its TLS from Caddy), \`import themecast/service.caddy\`. Its \`root\`,
   \`try_files\` and \`rewrite\` do not matter; a \`header\` that it defers, \`redir\`, \`basicauth\` and \`encode\` reach in.
${environmentStep(4, identitySecrets(rules), 'caddy')}
Check and reload:

    caddy validate --config /etc/caddy/Caddyfile && systemctl reload caddy

Root, who checks, may read what Caddy may not. If Caddy may read all of it, this prints nothing:

    su -s /bin/sh caddy -c 'cat /etc/caddy/themecast/* >/dev/null'

For an update always in this order: \`dist/\` first, then this folder with all of step 2 (new files are as closed as those of the
build), then check and reload. When only users have changed, step 2 and the reload will do. Rules that are older than the files name
no theme that is not there; the users of a theme that was taken away get the default theme until the reload.

## What Caddy cannot do

- **A validator on CONFIG.** Caddy makes ETag and Last-Modified from the time and size of a file, and two themes may have both in
  common. So CONFIG has neither, and is sent whole each time.
- **Many users.** A map is searched from its beginning for every request of CONFIG: with 10,000 keys that costs half the requests a
  second of 1,000. There may not be more.
- **An empty \`Accept\`** is as none at all.
- **Paths as they were sent.** Caddy compares them after percent-decoding, so \`${basePath}/api/v2/%74heme/\` is answered like the
  endpoint itself.
- **Several \`Cookie\` lines** in one request of HTTP/1 are read as one with commas. No browser sends them.
- **Answers before the site.** A malformed request (400) gets Caddy's own text, without \`Allow\` and \`Vary\`.
- **Ranges.** Everything is sent whole. \`If-Match\` on a picture is refused (412), and not looked at elsewhere.
`;
}
