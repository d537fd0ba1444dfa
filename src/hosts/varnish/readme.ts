import type { EdgeRules } from '../contract.ts';
import { environmentStep, identitySecrets } from '../secrets.ts';

/** `README.md`, for whoever installs the rules. */
export function readme(rules: EdgeRules): string {
  const { basePath, endpoints } = rules;
  const { list, config } = endpoints;
  return `# The theme service on Varnish

Varnish answers for any server of static files that has \`dist/\` as its root: nginx, a bucket, whatever there is. It keeps one object
for each file, not for each user.

| file | what it is |
|---|---|
| \`service.vcl\` | \`${list.path}\`, \`${config.path}\` and \`${basePath}/media/\` |
| \`requests.vcl\` | negotiation and identity; read by \`service.vcl\` |
| \`theme-service.vcl\` | \`service.vcl\` for a Varnish that has nothing else to do |
| \`users.vcl\`, \`groups.vcl\` | who gets which theme. **Personal data**: never below a published folder |

It takes Varnish with vmod_std, which comes with it; tested with 7.1.

## Install

1. Upload \`dist/\` to the origin, and see that nobody but Varnish reaches it: it knows neither users nor methods.
2. Copy this folder, and let the group of the VCL compiler (Debian: users \`varnish\` and \`vcache\`) read all of it; the
   build keeps it to its owner, and copies are as closed:

       mkdir -p /etc/varnish/themecast && cp -r edge/varnish/. /etc/varnish/themecast/
       chown -R root:varnish /etc/varnish/themecast && chmod -R u=rwX,g=rX,o= /etc/varnish/themecast

3. In \`/etc/varnish/default.vcl\`, before any sub of your own, write

       vcl 4.1;
       backend themecast { .host = "127.0.0.1"; .port = "8080"; }
       include "themecast/theme-service.vcl";

   or, for a Varnish that does other things too, \`include "themecast/service.vcl";\`: your subs then see the other requests alone. The
   backend has to be called \`themecast\`. Varnish sends it the \`Host\` of \`.host_header\`, or else of \`.host\`.
4. Give Varnish storage for the files, twice what they take: the old ones stay for a day after an update. This prints the \`-s\` to put in
   the place of the one in \`ExecStart=\` (\`systemctl edit --full varnish\`; Debian has \`-s malloc,256m\`):

       du -sm dist/ | awk '{ print "-s malloc," 2 * $1 + 16 "m" }'

   A file that finds no room is still sent whole, but comes from the origin each time, by way of memory besides the storage (\`Transient\`).
${environmentStep(5, identitySecrets(rules), 'varnish')}
Check and reload. varnishd prints the C that it makes of correct VCL where it prints errors; this shows errors alone:

    if checked=$(varnishd -C -f /etc/varnish/default.vcl 2>&1); then varnishreload; else printf '%s\\n' "$checked"; fi

For an update always in this order: \`dist/\` first, then this folder with all of step 2 (new files are as closed as those of the
build), then check and reload. What has changed is seen within the \`max-age\` of LIST, and at once after

    varnishadm 'ban req.url ~ ^${list.path}'

When only users have changed, step 2 and the reload will do. Rules that are older than the files name no theme that
is not there; the users of a theme that was taken away get the default theme until the reload.

## What Varnish cannot do

- **A validator on CONFIG.** It has no hash of the content. Origins make ETag and Last-Modified from the time and size of a file, and
  two themes may have both in common. So CONFIG has neither, and is sent whole each time.
- **Many users.** Keys stand in regular expressions, which are read through for each request of CONFIG: with 100,000 keys Varnish
  answers a third of the requests a second that it answers with 1,000. There may not be more.
- **An empty \`Accept\`** is as none at all.
- **Answers before the rules.** A malformed request (400) gets Varnish's own page, without \`Allow\` and \`Vary\`.
- **Stream a file while it is fetched.** The first request for a file waits until Varnish has all of it, so that none is cut off
  where the storage is full.
- **Ranges and compression.** Everything is sent whole, and as it is. \`If-Match\` is looked at for pictures alone, and with one entity tag.
- **Behind the PROXY protocol** \`trusted_proxies\` are compared with the client that it names. Nobody else may reach that port.
`;
}
