import type { EdgeRules } from '../contract.ts';
import { MIN_SECRET_BYTES } from '../../edge-runtime/token.ts';
import type { IdentityRule } from '../../edge-runtime/rules.ts';
import { newSecret } from '../secrets.ts';

/** `README.md`, for the administrator who installs the rules. */
export function readme({ basePath, origin, endpoints, identity }: EdgeRules): string {
  return `# The theme service on Apache httpd

| File | Purpose |
|---|---|
| \`theme-service.conf\` | for a \`<VirtualHost>\`: \`${endpoints.list.path}\`, \`${endpoints.config.path}\` and \`${basePath}/media/\` |
| \`virtual-host.conf\` | a dedicated virtual host that includes it, \`Listen ${origin.listen}\` |
| \`answers/\` | the bodies of the error responses |
| \`users.txt\`, \`groups.txt\` | the mapping of keys to themes. **Personal data**: never put it below a published folder |
| \`make-maps.sh\` | converts them to \`users.dbm\` and \`groups.dbm\`, which httpd reads |

Requires httpd 2.4.58 or later (for \`RedirectRelative\`) with mod_alias, mod_headers, mod_include, mod_mime and mod_rewrite, and
\`httxt2dbm\`, which comes with httpd or its tools (Debian: \`apache2-utils\`, or \`apache2\` itself). Tested with 2.4.71.

## Install

1. Upload \`dist/\` to \`${origin.document_root}\`. The user that httpd runs as must be able to read it.
2. Copy this folder and let the group of httpd read it: the build restricts it to its owner, and so are copies of it. httpd reports no error
   if it cannot read the files; every user then gets the default theme.

       mkdir -p /etc/apache2/themecast && cp -r edge/apache/. /etc/apache2/themecast/
       chgrp -R www-data /etc/apache2/themecast && chmod -R u=rwX,g=rX,o= /etc/apache2/themecast && chmod g+s /etc/apache2/themecast

3. Create the maps; httpd does not start without them. They get the group of the folder (\`g+s\`) and mode 0640.

       sh /etc/apache2/themecast/make-maps.sh

4. Run \`a2enmod alias headers include mime rewrite\`, then add outside of any \`<VirtualHost>\`:

${listen(origin.listen)}       Include /etc/apache2/themecast/virtual-host.conf

   ${listenNote(origin.listen)}
   To use an existing virtual host instead, add \`Include /etc/apache2/themecast/theme-service.conf\` to it: before its own rewrite rules, and
   after any \`<Location>\` that covers the whole host. Its \`DocumentRoot\` and \`ProxyPass\` do not matter.
5. Check the configuration and reload:

       apachectl configtest && apachectl graceful

To use other folders, \`Define THEMECAST_DIR\` (this folder) and \`THEMECAST_ROOT\` (\`dist/\`) before the Include.
${secrets(identity)}
## Update

Always update in this order: \`dist/\`, then this folder with all of step 2 (new files are again restricted to their owner), then
\`make-maps.sh\`, check and reload. Users of a removed theme get the default theme. If **only users** changed, repeat steps 2 and 3; no reload is
needed. Each map is replaced atomically, and httpd reads it from the next request on. If httpd can read the files, this prints nothing:

    su -s /bin/sh www-data -c 'cat /etc/apache2/themecast/*.dbm /etc/apache2/themecast/answers/* >/dev/null'


${MILLIONS_OF_USERS}${limits(basePath)}`;
}

/** The `Listen` directive, unless Debian's default already has it. */
function listen(address: string): string {
  return isPort80(address) ? '' : `       Listen ${address}\n`;
}

function listenNote(address: string): string {
  return isPort80(address)
    ? 'httpd must listen on port 80, which is the default on Debian (`ports.conf`).'
    : 'Omit `Listen` if `ports.conf` has the same one: httpd does not start with a duplicate.';
}

function isPort80(address: string): boolean {
  return /^(?:.*:)?80$/.test(address);
}

/** The secrets that the administrator sets in the environment of httpd. */
function secrets(identity: readonly IdentityRule[]): string {
  const names = identity.flatMap(({ credential }) =>
    credential.from === 'header' && 'secret' in credential ? [credential.secret.env] : [],
  );
  if (names.length === 0) return '';
  return `
Set the **secrets** in the environment of httpd, on Debian in \`/etc/apache2/envvars\`. If a secret is missing or shorter than ${MIN_SECRET_BYTES}
characters, its header is not trusted. To create a new one, as root (then configure the proxy that sends it):

    chmod 0600 /etc/apache2/envvars
${[...new Set(names)].map((env) => `    ${newSecret('/etc/apache2/envvars', `export ${env}`)}\n`).join('')}
Restart httpd: a reload does not read the environment again. Do not use \`PassEnv\`, which would expose the secret to scripts.
`;
}

function limits(basePath: string): string {
  return `## What Apache httpd cannot do

- **Tokens and login services.** httpd verifies no JWT and sends no subrequests to a login service. Let a proxy do so and set a trusted header.
- **Repeated headers.** An identity header that occurs twice is ignored. A trusted proxy must replace the one that a client sends.
- **Preconditions.** On the endpoints, \`If-Match\` and dates are ignored. The ETag is a hash of the content; httpd reads the file for it on each request.
- **Responses before the rules.** A malformed request (400), a path with \`%2F\` (404) and an oversized header (400) get httpd's own page, without
  \`Allow\` and \`Vary\`.
- **Range requests.** Files are always sent in full.
- **Paths as they were sent.** httpd compares them after percent-decoding and after merging slashes, so \`${basePath}/api/v2/%74heme/\` and
  \`${basePath}/api/v2//theme/\` get the same response as the endpoint itself.
- **A space in \`Vary\`.** httpd writes \`Accept,Cookie\`, which is equivalent.
`;
}

const MILLIONS_OF_USERS = `## Millions of users

httpd reads the maps from disk, so they need neither memory nor time at startup. Measured on 2.4.71: a map of 1 million keys takes 5 s to build and
84 MB of disk, 10 million 3.5 minutes and 673 MB; either serves thousands of requests per second.

httpd caches every key that it looks up, mapped or not (about 200 bytes in each child), until the map is rebuilt or the child exits. A client that
invents keys can exhaust its memory: set \`MaxConnectionsPerChild\` (for example 10000), which is unlimited by default.

If \`httxt2dbm\` lacks Berkeley DB (see its usage message), run \`THEMECAST_DBM=GDBM sh make-maps.sh\` and \`Define THEMECAST_DBM gdbm\` before the Include. Do
not use SDBM: it consists of two files, which cannot be replaced atomically.

`;
