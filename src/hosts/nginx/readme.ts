import type { EdgeRules } from '../contract.ts';
import { MIN_SECRET_BYTES } from '../../edge-runtime/token.ts';
import type { IdentityRule } from '../../edge-runtime/rules.ts';
import { loginUrl, READ_TIMEOUT } from './login.ts';
import { newSecret } from '../secrets.ts';
import { tokenSecrets } from './token.ts';

/** `README.md`, for the administrator who installs the rules. */
export function readme({ basePath, origin, endpoints, identity }: EdgeRules): string {
  const secrets = tokenSecrets(identity);
  const shared = sharedSecrets(identity);
  const url = loginUrl(identity);
  return `# The theme service on nginx

| File | Purpose |
|---|---|
| \`hash.conf\` | for \`http{}\`, before any \`map\`: sizes of the hash tables |
| \`maps.conf\` | for \`http{}\`: negotiation, identity, headers; reads \`users.map\` |
| \`locations.conf\` | for \`server{}\`: \`${endpoints.list.path}\`, \`${endpoints.config.path}\` and \`${basePath}/media/\` |
| \`theme-service.conf\` | a dedicated server that includes \`maps.conf\` and \`locations.conf\`, \`listen ${origin.listen}\` |
| \`gzip_static.conf\` | read by \`locations.conf\`: disables stale \`.gz\` files. Delete it if \`nginx -t\` reports \`gzip_static\` as unknown |
| \`users.map\`, \`groups.map\` | the mapping of keys to themes. **Personal data**: never put it below a published folder |
${secrets.length > 0 ? '| `token.js` | verifies tokens in the njs module |\n' : ''}${shared.map((env) => `| \`${env}.map\` | **you create this file**, see "Shared secrets" |\n`).join('')}
Requires nginx with the map, geo, rewrite and realip modules, which every package contains; tested with 1.22.${secrets.length > 0 ? ' Tokens also\nrequire the njs module, 0.7 or later.' : ''}${url === undefined ? '' : ' The login\nservice also requires the auth_request and proxy modules, which packages contain too.'}

## Install

1. Upload \`dist/\` to \`${origin.document_root}\`. The user that nginx runs as must be able to read it. Preserve the modification times:
   on LIST they are part of the ETag.
2. Copy the contents of this folder to \`/etc/nginx/themecast/\` and restrict access to root:

       mkdir -p /etc/nginx/themecast
       cp -r edge/nginx/. /etc/nginx/themecast/
       chown -R root:root /etc/nginx/themecast
       chmod -R u=rwX,go= /etc/nginx/themecast

   nginx reads these files as root when it starts and reloads; its workers never read them. Where nginx starts as another user, for
   example in a container without root, make that user the owner.${shared.length > 0 ? '\n   Then create the shared secrets, see below: nginx does not start without them.' : ''}
3. In \`http{}\`, before any other \`map\`, add two lines:

       include themecast/hash.conf;
       include themecast/theme-service.conf;

   To use an existing server, replace the second line with \`include themecast/maps.conf;\` and add \`include themecast/locations.conf;\`
   to its \`server{}\`. Its \`root\` does not matter: the locations set \`${origin.document_root}\` themselves.
4. Check the configuration and reload:

       nginx -t && nginx -s reload

   \`"map_hash_max_size" directive is duplicate\` (or \`map_hash_bucket_size\`, \`variables_hash_…\`, \`server_names_hash_…\`) has one of two causes:

   - Your \`http{}\` has a \`map\` before these lines, which sets the defaults. Move the two lines before it.
   - Your \`http{}\` sets the same directive. Omit \`hash.conf\` and set your directives to at least its values.

## Update

Always update in this order: \`dist/\`, then this folder, then check and reload. Until the reload, users of a removed theme get the default
theme.

${shared.length > 0 ? sharedSecretFiles(shared) : ''}${secrets.length > 0 ? tokens(secrets) : ''}${url === undefined ? '' : login(url)}${LIMITS}`;
}

/** The environment variables whose names are those of the files that maps.conf includes and the administrator creates. */
function sharedSecrets(identity: readonly IdentityRule[]): string[] {
  const names = identity.flatMap(({ credential }) =>
    credential.from === 'header' && 'secret' in credential ? [credential.secret.env] : [],
  );
  return [...new Set(names)];
}

function sharedSecretFiles(names: readonly string[]): string {
  const files = names.map((env) => `\`/etc/nginx/themecast/${env}.map\``).join(' and ');
  return `## Shared secrets

maps.conf includes ${files}, which you create, because secrets do not belong in Git. **nginx neither starts nor
reloads without ${names.length > 1 ? 'them' : 'it'}**. ${names.length > 1 ? 'Each contains one line with its own secret' : 'It contains one line with the secret'}. To create a new one, as root (then configure the proxy with it):

${names.map((env) => `    (umask 077; printf '"~^%s$" 1;\\n' "$(openssl rand -hex 32)" > /etc/nginx/themecast/${env}.map)\n`).join('')}
- Your own secret must have ${MIN_SECRET_BYTES} to 512 characters of A–Z a–z 0–9 _ -; anything else never matches. Keep \`"~^\` and \`$"\` around it:
  otherwise nginx compares case-insensitively, and without \`^\` and \`$\` a part of the header would match.
- Set mode 0600 and owner root, as for the rest of the folder.
- An update must not delete it. \`cp\` as above preserves it; \`rsync --delete\` needs ${names.map((env) => `\`--exclude=/${env}.map\``).join(' ')}.
- To rotate a secret, add a second line, reload, change the proxy, then delete the first line and reload.

`;
}

function tokens(secrets: readonly string[]): string {
  return `## Tokens

1. Install the njs module (\`apt install libnginx-mod-http-js\`, which also loads it). The package of nginx.org is
   \`nginx-module-njs\`; it needs \`load_module modules/ngx_http_js_module.so;\` as the first line of nginx.conf.
2. In nginx.conf, outside of every block, name the secret; nginx removes all other variables from the environment of its workers:

${secrets.map((env) => `       env ${env};\n`).join('')}
3. Set the secret in the environment of nginx: with systemd, add \`EnvironmentFile=/etc/nginx/themecast.env\` under \`[Service]\` in
   \`systemctl edit nginx\`. Use the secret that signs the tokens; it must have at least ${MIN_SECRET_BYTES} bytes. To create a new one, as root (then
   configure the token issuer with it):

${secrets.map((env) => `       ${newSecret('/etc/nginx/themecast.env', env)}\n`).join('')}
   Then run \`systemctl restart nginx\`: a reload does not read the environment again.

While the secret is missing or too short, no token is accepted.

`;
}

function login(url: string): string {
  return `## The login service

For every request to CONFIG with a \`Cookie\` or \`Authorization\` header, nginx sends \`GET\` with only these headers to ${url},
before it evaluates the identity rules. A 2xx response with the identity header identifies the user. On any other response, or none within
${READ_TIMEOUT} seconds, the remaining rules apply, then the default theme; the error log has the reason.

- nginx resolves its host name when it starts and reloads; the name must exist then.
- The service must set the header itself on every 2xx response, or omit it.
${url.startsWith('https:') ? '- Its certificate is verified against `/etc/ssl/certs/ca-certificates.crt`, the path on Debian; on other systems create a link there.\n' : ''}
`;
}

const LIMITS = `## What nginx cannot do

- **Validators on CONFIG.** nginx derives ETag and Last-Modified from the time and size of a file, and two themes may share both. So CONFIG
  has neither and is always sent in full.
- **Case-sensitive keys.** \`Tom\` and \`tom\` are the same user; the build rejects keys that differ only by case.
- **An empty \`Accept\`** is treated as a missing one.
- **Repeated headers.** nginx before 1.23 reads only the first of several \`Accept\` or identity headers. A trusted proxy must
  replace the identity header that a client sends, not append to it. Leave \`underscores_in_headers\` off: it makes nginx read
  \`X_User\` as \`X-User\`.
- **Responses before the locations.** \`TRACE\`, \`CONNECT\`, a malformed request (400) and a body larger than \`client_max_body_size\` (413) get
  nginx's own page, without \`Allow\` and \`Vary\`. A failed \`If-Match\` or \`If-Unmodified-Since\` (412) gets it with both headers.
- **\`If-None-Match: *\`** on CONFIG gets 304, as HTTP requires for an existing resource. Browsers do not send it.
- **Your own rewrites to an endpoint.** Paths are compared as the client sent them (\`$request_uri\`): \`//\`, \`%74\` for \`t\` and a \`rewrite\` to
  an endpoint get 404. Use \`proxy_pass\` instead. Paths of images are compared after decoding.
- **Range requests.** Files are always sent in full.
- **Tokens signed with a private key** (RS256, ES256). An njs variable cannot wait for WebCrypto, which would verify them.
- **Several login services.** Each request causes one subrequest; several identity rules may read headers of its response.
- **Millions of users.** Every reload reads the map into memory once per identity rule, while the old one is still in use.
`;
