import type { EdgeRules } from '../../mapping/edge-rules.ts';
import { loginUrl, READ_LIMIT } from './login.ts';
import { tokenSecrets } from './token.ts';

/** `README.md`, for whoever installs the rules. */
export function readme({ basePath, origin, endpoints, identity }: EdgeRules): string {
  const secrets = tokenSecrets(identity);
  const url = loginUrl(identity);
  return `# The theme service on nginx

| file | what it is |
|---|---|
| \`maps.conf\` | for \`http{}\`: negotiation, identity, headers; reads \`users.map\` |
| \`locations.conf\` | for \`server{}\`: \`${endpoints.list.path}\`, \`${endpoints.config.path}\` and \`${basePath}/media/\` |
| \`theme-service.conf\` | both of them in a server of their own, \`listen ${origin.listen}\` |
| \`users.map\`, \`groups.map\` | who gets which theme. **Personal data**: never below a published folder |
${secrets.length > 0 ? '| `token.js` | for the njs module: verifies tokens |\n' : ''}
It takes nginx with the map, geo, rewrite and realip modules, which every packaged nginx has; tested with 1.22.${secrets.length > 0 ? ' Tokens take the njs\nmodule besides, 0.7 or later.' : ''}${url === undefined ? '' : ' The login\nservice takes the auth_request and proxy modules, which packages have too.'}

## Install

1. Upload \`dist/\` to \`${origin.document_root}\`, readable for the user that nginx runs as. Keep the times of the files as they
   are written: on LIST they are part of the ETag.
2. Copy this folder to \`/etc/nginx/themecast/\` (\`chmod 0640\` for the two maps of keys, readable for root alone).
3. In \`http{}\`, before any other \`map\`, write one line:

       include themecast/theme-service.conf;

   or, for a server that you have already, \`include themecast/maps.conf;\` there and \`include themecast/locations.conf;\` in its
   \`server{}\`. Its \`root\` does not matter: the locations name \`${origin.document_root}\` themselves.
4. \`nginx -t && nginx -s reload\`. Should it complain of a duplicate \`map_hash_…\` or \`variables_hash_…\`, your configuration has one
   already: keep the greater value and delete the other.

For an update always in this order: \`dist/\` first, then this folder, then check and reload. Rules that are older than the files
name no theme that is not there; the users of a theme that was taken away get the default theme until the reload.

${secrets.length > 0 ? tokens(secrets) : ''}${url === undefined ? '' : login(url)}## What nginx cannot do

- **A validator on CONFIG.** nginx makes ETag and Last-Modified from the time and size of a file, and two themes may have both in
  common. So CONFIG has neither, and is sent whole each time.
- **Case in user keys.** \`Tom\` and \`tom\` are one user; keys that differ only by case are refused when the site is built.
- **An empty \`Accept\`** is as none at all.
- **Repeated headers.** nginx before 1.23 reads only the first \`Accept\`, or identity header, of several. A proxy that you trust must
  replace the identity header that a client sends, not add to it. Leave \`underscores_in_headers\` off: with it,
  \`X_User\` is read as \`X-User\`.
- **Answers before the locations.** \`TRACE\`, \`CONNECT\`, a malformed request (400) and a body beyond \`client_max_body_size\` (413) get
  nginx's own page, without \`Allow\` and \`Vary\`. So does an \`If-Match\` or \`If-Unmodified-Since\` that fails (412), with both.
- **\`If-None-Match: *\`** on CONFIG is answered 304, as HTTP asks of whatever exists. No browser sends it of itself.
- **Ranges.** Everything is sent whole.
- **Tokens signed with a private key** (RS256, ES256). A variable of njs does not wait for WebCrypto, which alone could verify them.
- **Several login services.** A request is asked about once; several identity rules may read headers of that one answer.
- **Millions of users.** The map is read into memory at every reload, the old one still there, and once for each identity rule.
`;
}

function tokens(secrets: readonly string[]): string {
  return `## Tokens

1. Install the njs module (\`apt install libnginx-mod-http-js\`, which also loads it; the package of nginx.org is
   \`nginx-module-njs\`, and takes \`load_module modules/ngx_http_js_module.so;\` as the first line of nginx.conf).
2. In nginx.conf, outside of every block, name the secret; nginx takes what is not named there away from its workers:

${secrets.map((env) => `       env ${env};\n`).join('')}
3. Put it into the environment of nginx, at least 32 bytes: with systemd by \`EnvironmentFile=/etc/nginx/themecast.env\` (0600, never
   in Git) under \`[Service]\` of \`systemctl edit nginx\`. Then \`systemctl restart nginx\`: a reload keeps the old environment.

While the secret is missing or too short, nobody is known by a token.

`;
}

function login(url: string): string {
  return `## The login service

nginx asks ${url} with \`GET\` and nothing but \`Cookie\` and \`Authorization\` of the request, whenever CONFIG is read with either of
them, before it looks at any identity rule. A 2xx answer with the header says who it is. With any other answer, none within ${READ_LIMIT}
seconds, or none at all, the other rules are asked, and then the default theme is sent; what went wrong is in the error log.

- Its host name is looked up when nginx starts or reloads, and must be known then.
- The service must set the header itself on every 2xx answer, or leave it out.
${url.startsWith('https:') ? '- Its certificate is checked by `/etc/ssl/certs/ca-certificates.crt`, where Debian has them; elsewhere make a link there.\n' : ''}
`;
}
