import type { EdgeRules } from '../contract.ts';
import { MIN_SECRET_BYTES } from '../../edge-runtime/token.ts';
import { identitySecrets, newSecret } from '../secrets.ts';
import { useBackend } from './frontend.ts';

/**
 * `README.md`, for the administrator who installs the rules.
 * @param tuned - whether there is a `tune.cfg`
 */
export function readme(rules: EdgeRules, tuned: boolean): string {
  return `# The theme service on HAProxy

| File | Purpose |
|---|---|
| \`backend.cfg\` | \`backend themecast\` with all rules, and its \`defaults themecast\`; reads the maps |
| \`theme-service.cfg\` | a dedicated frontend, \`bind ${rules.origin.listen}\`, for a machine where HAProxy serves nothing else |
${tuned ? '| `tune.cfg` | a larger buffer for the headers of pages, global to HAProxy |\n' : ''}| \`users.map\`, \`groups.map\` | the mapping of keys to themes. **Personal data**: never put it below a published folder |
| \`themes.map\` | the slugs of all themes |

Requires HAProxy 2.6 or later with OpenSSL and PCRE, as in packages; tested with 2.6.12. HAProxy serves no files: it needs an origin, any
static server that has \`dist/\` at its root and accepts any \`Host\`. HAProxy replaces the media types and caching headers of the origin.

## Install

1. Upload \`dist/\` to the origin. Only HAProxy should be able to reach it: it serves the files of all themes to everyone. If it derives ETags
   from modification times, preserve these.
2. Copy this folder and restrict access to root; HAProxy reads the files before it drops its privileges:

       mkdir -p /etc/haproxy/themecast && cp -r edge/haproxy/. /etc/haproxy/themecast/
       chown -R root:root /etc/haproxy/themecast && chmod -R u=rwX,go= /etc/haproxy/themecast

3. Configure the environment of HAProxy, on Debian in \`/etc/default/haproxy\`:

       THEMECAST_ORIGIN="127.0.0.1:8080"
       THEMECAST_DIR="/etc/haproxy/themecast"
       EXTRAOPTS="-S /run/haproxy-master.sock -f /etc/haproxy/themecast/"

   The first two values are the defaults. After the address, \`THEMECAST_ORIGIN\` accepts the parameters of a \`server\` line, such as
   \`ssl verify required ca-file @system-ca\`.
${secretsStep(identitySecrets(rules))}4. The last line loads \`backend.cfg\` and \`theme-service.cfg\` after your own file. To use an existing frontend, let \`EXTRAOPTS\` load only
   \`-f /etc/haproxy/themecast/backend.cfg\`${tuned ? ' and `-f /etc/haproxy/themecast/tune.cfg`' : ''}, and add to the frontend:

       ${useBackend(rules)}

5. Check the configuration, with the environment and the \`-f\` options that HAProxy starts with, and reload. After a change of the environment,
   run \`systemctl restart haproxy\`.

       (set -a; . /etc/default/haproxy; haproxy -c -f /etc/haproxy/haproxy.cfg -f /etc/haproxy/themecast/) && \\
         systemctl reload haproxy

## Update

Always update in this order: the new files of \`dist/\`, then this folder, then check and reload; delete old files last. To change a single
user immediately, until the next reload, use the stats socket:
\`set map /etc/haproxy/themecast/users.map <key> <slug>\` (\`add map\` for a new key).

## What HAProxy cannot do

- **Validators on CONFIG.** Most origins derive ETag and Last-Modified from the time and size of a file, and two themes may share both. So
  CONFIG has neither and is always sent in full. LIST and images have the validators of the origin.
- **Removed themes.** While the rules name a theme whose files do not exist, its users get 404.
- **Tokens with public keys, and login services.** HAProxy fetches no URLs: it supports only HS256 tokens, and no \`auth_request\`.
- **Repeated headers.** An identity or secret header, \`Authorization\` or \`Origin\` that occurs more than once is ignored.
- **Responses before the rules.** A malformed request (400), a request whose headers exceed \`tune.bufsize\` and a timeout (408) get
  HAProxy's own response, without \`Allow\` and \`Vary\`.
- **Range requests and compression.** Files are always sent in full and uncompressed.
- **Many millions of users.** The maps need 0.3 GB of memory per million keys, and twice that during a reload.
`;
}

function secretsStep(names: readonly string[]): string {
  if (names.length === 0) return '';
  return `   Set the secrets there too, never in Git. A rule whose secret is missing or shorter than ${MIN_SECRET_BYTES} characters matches no user. To create a new one,
   as root (then configure the proxy or the token issuer with it):

       chmod 0600 /etc/default/haproxy
${names.map((env) => `       ${newSecret('/etc/default/haproxy', env)}\n`).join('')}
`;
}
