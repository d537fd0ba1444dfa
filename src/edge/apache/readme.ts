import type { EdgeRules } from '../../mapping/edge-rules.ts';
import type { IdentityRule } from '../../theme/identity.ts';

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
2. Copy this folder to \`/etc/apache2/themecast/\`. Give it to the group of httpd, and to new files in it too:
   \`chgrp -R www-data /etc/apache2/themecast && chmod -R o= /etc/apache2/themecast && chmod g+s /etc/apache2/themecast\`.
3. \`sh /etc/apache2/themecast/make-maps.sh\`. httpd does not start without the maps.
4. \`a2enmod alias headers include mime rewrite\`, then write one line outside of any \`<VirtualHost>\`:

       Include /etc/apache2/themecast/virtual-host.conf

   or, for a virtual host that you have already, \`Include /etc/apache2/themecast/theme-service.conf\` in it: before its own rewrite rules, and
   after a \`<Location>\` that covers all of it. Its \`DocumentRoot\` and \`ProxyPass\` do not matter.
5. \`apachectl configtest && apachectl graceful\`

For other folders, \`Define THEMECAST_DIR\` (this one) and \`THEMECAST_ROOT\` (\`dist/\`) before the Include.
${secrets(identity)}
For an update always in this order: \`dist/\` first, then this folder, then \`make-maps.sh\`, check and reload. The users of a theme that was
taken away get the default theme. **Users alone** take no reload: copy \`users.txt\` and \`groups.txt\`, run \`make-maps.sh\`. Each map takes the place
of the old one at once, and httpd reads it from the next request on.

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
- **A blank in \`Vary\`.** httpd writes \`Accept,Cookie\`, which means the same.
`;
}

/** What an administrator has to put where httpd finds it. */
function secrets(identity: readonly IdentityRule[]): string {
  const names = identity.flatMap(({ credential }) =>
    credential.from === 'header' && 'secret' in credential ? [credential.secret.env] : [],
  );
  if (names.length === 0) return '';
  const list = [...new Set(names)].map((name) => `\`${name}\``).join(', ');
  return `
**Secrets**: ${list} in the environment that httpd is started in (Debian: \`export\` in \`/etc/apache2/envvars\`, which root alone should read), 32 characters or
more. Without it no header is believed. A reload does not read the environment again: restart. \`PassEnv\` is not needed, and would show it to scripts.
`;
}
