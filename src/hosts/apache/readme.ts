import type { EdgeRules } from '../contract.ts';
import { MIN_SECRET_BYTES } from '../../edge-runtime/token.ts';
import type { IdentityRule } from '../../edge-runtime/rules.ts';
import { newSecret } from '../secrets.ts';

/** `README.md`, for whoever installs the rules. */
export function readme({ basePath, origin, endpoints, identity }: EdgeRules): string {
  return `# The theme service on Apache httpd

| file | what it is |
|---|---|
| \`theme-service.conf\` | for a \`<VirtualHost>\`: \`${endpoints.list.path}\`, \`${endpoints.config.path}\` and \`${basePath}/media/\` |
| \`virtual-host.conf\` | the same in a virtual host of its own, \`Listen ${origin.listen}\` |
| \`answers/\` | the bodies of refusals |
| \`users.txt\`, \`groups.txt\` | who gets which theme. **Personal data**: never below a published folder |
| \`make-maps.sh\` | makes \`users.dbm\` and \`groups.dbm\` of them, in which httpd looks keys up |

It takes httpd 2.4.58 or later (for \`RedirectRelative\`) with mod_alias, mod_headers, mod_include, mod_mime and mod_rewrite, and
\`httxt2dbm\`, which comes with httpd or its tools (Debian: \`apache2-utils\`, or \`apache2\` itself). Tested with 2.4.71.

## Install

1. Upload \`dist/\` to \`${origin.document_root}\`, readable for the user that httpd runs as.
2. Copy this folder, and let the group of httpd read it; the build keeps it to its owner, and copies are as closed. Where httpd cannot
   read it, nobody is told: every user gets the default theme.

       mkdir -p /etc/apache2/themecast && cp -r edge/apache/. /etc/apache2/themecast/
       chgrp -R www-data /etc/apache2/themecast && chmod -R u=rwX,g=rX,o= /etc/apache2/themecast && chmod g+s /etc/apache2/themecast

3. Make the maps, without which httpd does not start. They get the group of the folder (\`g+s\`) and mode 0640.

       sh /etc/apache2/themecast/make-maps.sh

4. \`a2enmod alias headers include mime rewrite\`, then write outside of any \`<VirtualHost>\`:

${listen(origin.listen)}       Include /etc/apache2/themecast/virtual-host.conf

   ${listenNote(origin.listen)}
   Or, for a virtual host that you have already, \`Include /etc/apache2/themecast/theme-service.conf\` in it: before its own rewrite rules, and
   after a \`<Location>\` that covers all of it. Its \`DocumentRoot\` and \`ProxyPass\` do not matter.
5. Check and reload:

       apachectl configtest && apachectl graceful

For other folders, \`Define THEMECAST_DIR\` (this one) and \`THEMECAST_ROOT\` (\`dist/\`) before the Include.
${secrets(identity)}
For an update always in this order: \`dist/\` first, then this folder with all of step 2 (new files are as closed as those of the build), then
\`make-maps.sh\`, check and reload. The users of a theme that was taken away get the default theme. **Users alone** take no reload: steps 2 and 3.
Each map takes the place of the old one at once, and httpd reads it from the next request on. If httpd can read them, this prints nothing:

    su -s /bin/sh www-data -c 'cat /etc/apache2/themecast/*.dbm /etc/apache2/themecast/answers/* >/dev/null'


## Millions of users

The maps are read from disk, so they cost neither memory nor time at the start. Measured on 2.4.71: 1 million keys are made into a map in 5 s and take
84 MB, 10 million in 3.5 minutes and 673 MB, and any of them is found at a rate of thousands of requests a second.

httpd remembers each key that it was asked for, known or not (about 200 bytes in each child), until the map is made anew or the child ends. Somebody who
makes up keys can fill its memory with that: set \`MaxConnectionsPerChild\` (10000, say), which is without limit by default.

\`httxt2dbm\` without Berkeley DB (see its usage): \`THEMECAST_DBM=GDBM sh make-maps.sh\`, and \`Define THEMECAST_DBM gdbm\` before the Include. Not SDBM: it is
two files, which cannot be replaced at once.

## What Apache httpd cannot do

- **Tokens, and login services.** It verifies no JWT by itself, and asks nobody. Let what does that set a header, and trust that.
- **Repeated headers.** An identity header that comes twice is nobody's. A proxy that you trust must replace the one that a client sends.
- **Preconditions.** \`If-Match\` and dates are not looked at on the endpoints. The ETag is made of the content, and httpd reads the file for it each time.
- **Answers before the rules.** A malformed request (400), a path with \`%2F\` (404) and a header that is too long (400) get httpd's own page, without
  \`Allow\` and \`Vary\`.
- **Ranges.** Everything is sent whole.
- **Paths as they were sent.** httpd compares them after percent-decoding and after merging slashes, so \`${basePath}/api/v2/%74heme/\` and
  \`${basePath}/api/v2//theme/\` are answered like the endpoint itself.
- **A blank in \`Vary\`.** httpd writes \`Accept,Cookie\`, which means the same.
`;
}

/** The directive that has httpd listen there, unless that is what Debian has it do. */
function listen(address: string): string {
  return isPort80(address) ? '' : `       Listen ${address}\n`;
}

function listenNote(address: string): string {
  return isPort80(address)
    ? 'httpd has to listen on port 80, as Debian has it (`ports.conf`).'
    : '`Listen` only where `ports.conf` has it not: httpd does not start with the same one twice.';
}

function isPort80(address: string): boolean {
  return /^(?:.*:)?80$/.test(address);
}

/** What an administrator has to put where httpd finds it. */
function secrets(identity: readonly IdentityRule[]): string {
  const names = identity.flatMap(({ credential }) =>
    credential.from === 'header' && 'secret' in credential ? [credential.secret.env] : [],
  );
  if (names.length === 0) return '';
  return `
**Secrets** go into the environment that httpd is started in, which on Debian is \`/etc/apache2/envvars\`; without one, or with one that is shorter than ${MIN_SECRET_BYTES}
characters, no header is believed. To write a new one, as root (and then give it to the proxy that has to send it):

    chmod 0600 /etc/apache2/envvars
${[...new Set(names)].map((env) => `    ${newSecret('/etc/apache2/envvars', `export ${env}`)}\n`).join('')}
A reload does not read the environment again: restart. \`PassEnv\` is not needed, and would show it to scripts.
`;
}
