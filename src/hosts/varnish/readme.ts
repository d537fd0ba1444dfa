import type { EdgeRules } from '../contract.ts';
import { environmentStep, identitySecrets } from '../secrets.ts';

/** `README.md`, for the administrator who installs the rules. */
export function readme(rules: EdgeRules): string {
  const { basePath, endpoints } = rules;
  const { list, config } = endpoints;
  return `# The theme service on Varnish

Varnish serves the theme service from any static origin that has \`dist/\` at its root, such as nginx or a bucket. It caches one object per
file, not per user.

| File | Purpose |
|---|---|
| \`service.vcl\` | \`${list.path}\`, \`${config.path}\` and \`${basePath}/media/\` |
| \`requests.vcl\` | negotiation and identity; read by \`service.vcl\` |
| \`theme-service.vcl\` | for a Varnish that serves nothing else; includes \`service.vcl\` |
| \`users.vcl\`, \`groups.vcl\` | the mapping of keys to themes. **Personal data**: never put it below a published folder |

Requires Varnish with vmod_std, which is part of it; tested with 7.1.

## Install

1. Upload \`dist/\` to the origin. Only Varnish must be able to reach it: it serves the files of all themes to everyone.
2. Copy this folder and let the group of the VCL compiler (Debian: users \`varnish\` and \`vcache\`) read it: the build restricts it to its
   owner, and so are copies of it.

       mkdir -p /etc/varnish/themecast && cp -r edge/varnish/. /etc/varnish/themecast/
       chown -R root:varnish /etc/varnish/themecast && chmod -R u=rwX,g=rX,o= /etc/varnish/themecast

3. In \`/etc/varnish/default.vcl\`, before your own subroutines, add:

       vcl 4.1;
       backend themecast { .host = "127.0.0.1"; .port = "8080"; }
       include "themecast/theme-service.vcl";

   If Varnish also serves other sites, use \`include "themecast/service.vcl";\` instead: your subroutines then get all other requests. The name
   of the backend must be \`themecast\`. Varnish sends it the \`Host\` of \`.host_header\`, or else of \`.host\`.
4. Configure storage for twice the size of the files: old objects stay for a day after an update. This prints the \`-s\` option; replace the
   one in \`ExecStart=\` with it (\`systemctl edit --full varnish\`; the default on Debian is \`-s malloc,256m\`):

       du -sm dist/ | awk '{ print "-s malloc," 2 * $1 + 16 "m" }'

   A file that does not fit is still sent in full, but is fetched from the origin each time, through memory outside the storage (\`Transient\`).
${environmentStep(5, identitySecrets(rules), 'varnish')}
Check the configuration and reload. For correct VCL, varnishd prints the generated C code to stderr; this prints only errors:

    if checked=$(varnishd -C -f /etc/varnish/default.vcl 2>&1); then varnishreload; else printf '%s\\n' "$checked"; fi

## Update

Always update in this order: \`dist/\`, then this folder with all of step 2 (new files are again restricted to their owner), then check and
reload. Changes are visible within the \`max-age\` of LIST, or immediately after

    varnishadm 'ban req.url ~ ^${list.path}'

If only users changed, repeat step 2 and reload. Until the reload, users of a removed theme get the default theme.

${LIMITS}`;
}

const LIMITS = `## What Varnish cannot do

- **Validators on CONFIG.** Varnish does not hash content. Origins derive ETag and Last-Modified from the time and size of a file, and two
  themes may share both. So CONFIG has neither and is always sent in full.
- **More than 100,000 keys.** Keys are matched by regular expressions for every request to CONFIG: 100,000 keys reduce the throughput of
  1,000 to a third.
- **An empty \`Accept\`** is treated as a missing one.
- **Responses before the rules.** A malformed request (400) gets Varnish's own page, without \`Allow\` and \`Vary\`.
- **Streaming during a fetch.** The first request for a file waits until Varnish has fetched it completely, so that no response is truncated
  when the storage is full.
- **Range requests and compression.** Files are always sent in full and uncompressed. \`If-Match\` is evaluated only for images, with one
  entity tag.
- **The PROXY protocol.** With it, \`trusted_proxies\` are compared with the client that the protocol names. Restrict access to that port.
`;
