import type { EdgeRules } from '../contract.ts';
import { MIN_SECRET_BYTES } from '../../edge-runtime/token.ts';
import { identitySecrets, newSecret } from '../secrets.ts';
import { useBackend } from './frontend.ts';

/**
 * `README.md`, for whoever installs the rules.
 * @param tuned - whether there is a `tune.cfg`
 */
export function readme(rules: EdgeRules, tuned: boolean): string {
  return `# The theme service on HAProxy

| file | what it is |
|---|---|
| \`backend.cfg\` | \`backend themecast\` with all of the rules, and \`defaults themecast\` for it; reads the maps |
| \`theme-service.cfg\` | a frontend for it, \`bind ${rules.origin.listen}\`, for a machine where HAProxy does nothing else |
${tuned ? '| `tune.cfg` | room for the headers of pages, for all of HAProxy |\n' : ''}| \`users.map\`, \`groups.map\` | who gets which theme. **Personal data**: never below a published folder |
| \`themes.map\` | the slugs of all themes |

It takes HAProxy 2.6 or later with OpenSSL and PCRE, as packaged; tested with 2.6.12. HAProxy serves no files: behind it is any
static server that has \`dist/\` at its root and answers to any \`Host\`. What that says of types, caching and methods does not count.

## Install

1. Upload \`dist/\` to the static server. It should be reachable for HAProxy alone: the endpoints' files lie open there. Where it
   makes ETags from the time of a file, keep the times as they are written.
2. Copy this folder, and keep it root's alone; HAProxy reads all of it before it gives up the rights of root:

       mkdir -p /etc/haproxy/themecast && cp -r edge/haproxy/. /etc/haproxy/themecast/
       chown -R root:root /etc/haproxy/themecast && chmod -R u=rwX,go= /etc/haproxy/themecast

3. Configure HAProxy by its environment, which is \`/etc/default/haproxy\` on Debian:

       THEMECAST_ORIGIN="127.0.0.1:8080"
       THEMECAST_DIR="/etc/haproxy/themecast"
       EXTRAOPTS="-S /run/haproxy-master.sock -f /etc/haproxy/themecast/"

   The first two values are the defaults. After the address, \`THEMECAST_ORIGIN\` takes whatever a \`server\` line does, like
   \`ssl verify required ca-file @system-ca\`.
${secretsStep(identitySecrets(rules))}4. The last line loads the rules after your own file: \`backend.cfg\`, then \`theme-service.cfg\`. For a frontend that you have already, let
   \`EXTRAOPTS\` load \`-f /etc/haproxy/themecast/backend.cfg\`${tuned ? ' and `-f /etc/haproxy/themecast/tune.cfg`' : ''} alone, and write there:

       ${useBackend(rules)}

5. Check with the environment that HAProxy is started in (and with the same \`-f\`), and reload. A change of the environment takes
   \`systemctl restart haproxy\`.

       (set -a; . /etc/default/haproxy; haproxy -c -f /etc/haproxy/haproxy.cfg -f /etc/haproxy/themecast/) && \\
         systemctl reload haproxy

For an update always in this order: the new files of \`dist/\` first, then this folder, then check and reload, and only then take away the
files that are gone. To change one user at once, until the next reload, use the stats socket:
\`set map /etc/haproxy/themecast/users.map <key> <slug>\` (\`add map\` for a new key).

## What HAProxy cannot do

- **A validator on CONFIG.** The static server's ETag and Last-Modified mostly come from the time and size of a file, and two themes may
  have both in common. So CONFIG has neither, and is sent whole each time. LIST and pictures have those of the static server.
- **A theme that is gone.** While the rules name a theme whose file is not there, its users get 404.
- **Tokens with public keys, and login services.** It fetches nothing from a URL: tokens are HS256 alone, and there is no \`auth_request\`.
- **Repeated headers.** An identity or secret header, \`Authorization\` or \`Origin\` that comes more than once counts as none.
- **Answers before the rules.** A malformed request (400), one whose headers are longer than \`tune.bufsize\` and a time-out (408) get
  HAProxy's own answer, without \`Allow\` and \`Vary\`.
- **Ranges and compression.** Everything is sent whole, and as it is.
- **Many millions of users.** The maps are in memory, 0.3 GB for each million; while HAProxy reloads, the old ones are still there.
`;
}

function secretsStep(names: readonly string[]): string {
  if (names.length === 0) return '';
  return `   Secrets belong there too, and never into Git. A rule without its secret, or with one of less than ${MIN_SECRET_BYTES} characters, matches no user. To write a new one, as root (and then give it to what has to send it, or to sign with it):

       chmod 0600 /etc/default/haproxy
${names.map((env) => `       ${newSecret('/etc/default/haproxy', env)}\n`).join('')}
`;
}
