import type { EdgeRules } from '../../mapping/edge-rules.ts';
import { identitySecrets } from '../secrets.ts';

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
${identitySecrets(rules)
  .map(
    (env) =>
      `4. Put the shared secret, of at least 32 characters, into the environment of varnishd as \`${env}\` (\`systemctl edit varnish\`,\n   \`EnvironmentFile=\`), never into Git, and restart it: a reload does not read the environment anew.\n`,
  )
  .join('')}
Check and reload: \`varnishd -C -f /etc/varnish/default.vcl >/dev/null && varnishreload\`.

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
- **Ranges and compression.** Everything is sent whole, and as it is. \`If-Match\` is looked at for pictures alone, and with one entity tag.
- **Behind the PROXY protocol** \`trusted_proxies\` are compared with the client that it names. Nobody else may reach that port.
`;
}
