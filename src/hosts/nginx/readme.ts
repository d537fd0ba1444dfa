import type { EdgeRules } from '../contract.ts';
import { MIN_SECRET_BYTES } from '../../edge-runtime/token.ts';
import type { IdentityRule } from '../../edge-runtime/rules.ts';
import { loginUrl, READ_LIMIT } from './login.ts';
import { newSecret } from '../secrets.ts';
import { tokenSecrets } from './token.ts';

/** `README.md`, for whoever installs the rules. */
export function readme({ basePath, origin, endpoints, identity }: EdgeRules): string {
  const secrets = tokenSecrets(identity);
  const shared = sharedSecrets(identity);
  const url = loginUrl(identity);
  return `# The theme service on nginx

| file | what it is |
|---|---|
| \`hash.conf\` | for \`http{}\`, before any \`map\`: room for the maps |
| \`maps.conf\` | for \`http{}\`: negotiation, identity, headers; reads \`users.map\` |
| \`locations.conf\` | for \`server{}\`: \`${endpoints.list.path}\`, \`${endpoints.config.path}\` and \`${basePath}/media/\` |
| \`theme-service.conf\` | \`maps.conf\` and \`locations.conf\` in a server of their own, \`listen ${origin.listen}\` |
| \`gzip_static.conf\` | read by \`locations.conf\`: no \`.gz\` of another build is sent. Delete it if \`nginx -t\` does not know \`gzip_static\` |
| \`users.map\`, \`groups.map\` | who gets which theme. **Personal data**: never below a published folder |
${secrets.length > 0 ? '| `token.js` | for the njs module: verifies tokens |\n' : ''}${shared.map((env) => `| \`${env}.map\` | **not here: you write it**, see "Shared secrets" |\n`).join('')}
It takes nginx with the map, geo, rewrite and realip modules, which every packaged nginx has; tested with 1.22.${secrets.length > 0 ? ' Tokens take the njs\nmodule besides, 0.7 or later.' : ''}${url === undefined ? '' : ' The login\nservice takes the auth_request and proxy modules, which packages have too.'}

## Install

1. Upload \`dist/\` to \`${origin.document_root}\`, readable for the user that nginx runs as. Keep the times of the files as they
   are written: on LIST they are part of the ETag.
2. Copy what is in this folder to \`/etc/nginx/themecast/\`, and keep it root's alone:

       mkdir -p /etc/nginx/themecast
       cp -r edge/nginx/. /etc/nginx/themecast/
       chown -R root:root /etc/nginx/themecast
       chmod -R u=rwX,go= /etc/nginx/themecast

   nginx reads all of it as root, at its start and at every reload, and its workers none. Where nginx starts as somebody else, as in
   a container without root, give the folder to that user instead.${shared.length > 0 ? '\n   Then write the shared secrets, further down: nginx does not start without them.' : ''}
3. In \`http{}\`, before any other \`map\`, write two lines:

       include themecast/hash.conf;
       include themecast/theme-service.conf;

   For a server that you have already, write \`include themecast/maps.conf;\` in the place of the second, and \`include themecast/locations.conf;\`
   in its \`server{}\`. Its \`root\` does not matter: the locations name \`${origin.document_root}\` themselves.
4. Check and reload:

       nginx -t && nginx -s reload

   \`"map_hash_max_size" directive is duplicate\` (or \`map_hash_bucket_size\`, \`variables_hash_…\`) means one of two things:

   - Your \`http{}\` has a \`map\` before these lines, and with it the defaults. Move the two lines before it.
   - Your \`http{}\` sets the same directive itself. Leave \`hash.conf\` out, and give yours at least the values that it has.

For an update always in this order: \`dist/\` first, then this folder, then check and reload. Rules that are older than the files
name no theme that is not there; the users of a theme that was taken away get the default theme until the reload.

${shared.length > 0 ? sharedSecretFiles(shared) : ''}${secrets.length > 0 ? tokens(secrets) : ''}${url === undefined ? '' : login(url)}## What nginx cannot do

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
- **Rewriting before it.** A path is compared as the client sent it (\`$request_uri\`), so that \`//\` and \`%74\` for \`t\` are 404, and a
  \`rewrite\` of your own to an endpoint is too. Use \`proxy_pass\` for that. Paths of pictures are compared decoded.
- **Ranges.** Everything is sent whole.
- **Tokens signed with a private key** (RS256, ES256). A variable of njs does not wait for WebCrypto, which alone could verify them.
- **Several login services.** A request is asked about once; several identity rules may read headers of that one answer.
- **Millions of users.** The map is read into memory at every reload, the old one still there, and once for each identity rule.
`;
}

/** The variables that name the files which maps.conf includes and an administrator writes. */
function sharedSecrets(identity: readonly IdentityRule[]): string[] {
  const names = identity.flatMap(({ credential }) =>
    credential.from === 'header' && 'secret' in credential ? [credential.secret.env] : [],
  );
  return [...new Set(names)];
}

function sharedSecretFiles(names: readonly string[]): string {
  const files = names.map((env) => `\`/etc/nginx/themecast/${env}.map\``).join(' and ');
  return `## Shared secrets

maps.conf includes ${files}, which you write, because a secret does not belong in Git. **nginx does not start
without ${names.length > 1 ? 'them' : 'it'}**, nor reload. ${names.length > 1 ? 'Each holds one line, with a secret of its own' : 'It holds one line, with the secret'}. To write a new one, as root (and then give it to the proxy):

${names.map((env) => `    (umask 077; printf '"~^%s$" 1;\\n' "$(openssl rand -hex 32)" > /etc/nginx/themecast/${env}.map)\n`).join('')}
- One of your own has ${MIN_SECRET_BYTES} to 512 characters of A–Z a–z 0–9 _ -; anything else is never taken for a secret. All of \`"~^\` and \`$"\` has to be
  around it: nginx compares other text without regard to case, and without \`^\` and \`$\` a part of the header would do.
- Mode 0600, owned by root, like the rest of the folder.
- An update must not delete it. \`cp\` as above leaves it; \`rsync --delete\` takes ${names.map((env) => `\`--exclude=/${env}.map\``).join(' ')}.
- For another secret write a second line, reload, change the proxy, then take the first line away and reload.

`;
}

function tokens(secrets: readonly string[]): string {
  return `## Tokens

1. Install the njs module (\`apt install libnginx-mod-http-js\`, which also loads it; the package of nginx.org is
   \`nginx-module-njs\`, and takes \`load_module modules/ngx_http_js_module.so;\` as the first line of nginx.conf).
2. In nginx.conf, outside of every block, name the secret; nginx takes what is not named there away from its workers:

${secrets.map((env) => `       env ${env};\n`).join('')}
3. Put it into the environment of nginx: with systemd by \`EnvironmentFile=/etc/nginx/themecast.env\` under \`[Service]\` of
   \`systemctl edit nginx\`. It is the one that tokens are signed with, at least ${MIN_SECRET_BYTES} bytes. To write a new one, as root (and then give it to
   what signs them):

${secrets.map((env) => `       ${newSecret('/etc/nginx/themecast.env', env)}\n`).join('')}
   Then \`systemctl restart nginx\`: a reload keeps the old environment.

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
