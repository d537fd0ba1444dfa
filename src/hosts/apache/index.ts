import { type OutputFile, textFile } from '../../document/output-file.ts';
import type { EdgeRules } from '../contract.ts';
import type { EdgeAdapter } from '../adapter.ts';
import { WEB_SERVER } from '../presets.ts';
import { configFile, keyFiles } from '../config-file.ts';
import { locations } from './locations.ts';
import { readme } from './readme.ts';
import { rewriting } from './rewrite-rules.ts';
import { mapLine, quote, section } from './syntax.ts';
import { errorResponses } from '../error-responses.ts';

/** Apache httpd with the modules of its own distribution, without scripting: rewrite rules choose the file that is sent. */
export const apache: EdgeAdapter = {
  title: 'Apache httpd',
  capabilities: {
    ...WEB_SERVER,
    maxKeys: 10_000_000,
    // On httpd 2.4.71 and two busy cores: 1 million are made in 5 s and take 84 MB, 10 million in 206 s and 673 MB; httpd finds any of
    // them in less than a millisecond, and reads nothing at the start.
    maxKeysBecause: 'measured',
    etag: 'content',
  },
  storedIn: (kind, _, folder) => `${folder}/${kind}s.dbm, made of ${kind}s.txt`,
  files({ rules, mapping }) {
    return [
      configFile('theme-service.conf', themeService(rules)),
      configFile('virtual-host.conf', virtualHost(rules)),
      ...keyFiles('txt', mapping, 'make-maps.sh', mapLine),
      configFile('make-maps.sh', MAKE_MAPS),
      ...answers(rules),
    ];
  },
  readme: ({ rules }) => readme(rules),
};

/** Modules that the rules use. httpd would take some of the directives for mistakes without them, and others for nothing. */
const MODULES = ['alias', 'headers', 'include', 'mime', 'rewrite'];

function themeService(rules: EdgeRules): string {
  return `# themecast: the theme service. Include it in a <VirtualHost>, before other rewrite rules.
# Generated from site.yaml: change that, not this.

# Where this folder is, and the published files. To have them elsewhere, Define these before the Include.
${defined('THEMECAST_DIR', '/etc/apache2/themecast')}
${defined('THEMECAST_ROOT', rules.origin.document_root.replace(/\/+$/, ''))}
# The kind of users.dbm and groups.dbm; make-maps.sh must know it too.
${defined('THEMECAST_DBM', 'db')}

${MODULES.flatMap((name) => section('IfModule', `!${name}_module`, [`Error "themecast needs mod_${name}."`])).join('\n')}

RewriteEngine On
RewriteMap themecast_users "dbm=\${THEMECAST_DBM}:\${THEMECAST_DIR}/users.dbm"
RewriteMap themecast_groups "dbm=\${THEMECAST_DBM}:\${THEMECAST_DIR}/groups.dbm"

${rewriting(rules).join('\n')}

${locations(rules).join('\n')}
`;
}

function defined(name: string, value: string): string {
  return section('IfDefine', `!${name}`, [`Define ${name} ${quote(value)}`]).join('\n');
}

function virtualHost({ baseUrl, origin, endpoints }: EdgeRules): string {
  const address = origin.listen.includes(':') ? origin.listen : `*:${origin.listen}`;
  const host = section('VirtualHost', address, [
    ...serverName(new URL(baseUrl).hostname),
    '# There is nothing else on this server.',
    ...section('Location', '"/"', ['Require all denied', `ErrorDocument 404 ${quote(`${endpoints.list.path}404`)}`]),
    'Include "${THEMECAST_DIR}/theme-service.conf"',
    'RewriteRule "^" "-" "[R=404,L]"',
  ]);
  return `# themecast: a server for the theme service alone. On a server that you have already, include theme-service.conf in its
# <VirtualHost> instead. Generated from site.yaml: change that, not this. TLS is the business of what stands before it, or of your
# own <VirtualHost>. Unless it is there already, this belongs beside it:
#     Listen ${origin.listen}
${defined('THEMECAST_DIR', '/etc/apache2/themecast')}

${host.join('\n')}
`;
}

/** httpd knows a server by its name or by an IPv4 address. */
function serverName(host: string): string[] {
  return host.startsWith('[') ? [] : [`ServerName ${quote(host)}`, ''];
}

const MAKE_MAPS = `#!/bin/sh
# themecast: makes users.dbm and groups.dbm, which httpd looks keys up in, from users.txt and groups.txt. Each takes the place of the old
# one at once, and httpd reads it from then on: no reload.
set -eu
umask 0137
cd "$(dirname "$0")"
for map in users groups; do
    rm -f "$map.dbm.new"
    httxt2dbm -f "\${THEMECAST_DBM:-DB}" -i "$map.txt" -o "$map.dbm.new"
    mv -f "$map.dbm.new" "$map.dbm"
done
`;

/** The bodies of refusals, by status. httpd allows a method only the characters of a token (RFC 9110, §5.6.2), so it needs no escape. */
function answers(rules: EdgeRules): OutputFile[] {
  const methodNotAllowed = `{"detail":"Method \\"<!--#echo encoding="none" var="REDIRECT_REQUEST_METHOD" -->\\" not allowed."}`;
  return errorResponses(rules.endpoints.list, rules, (body) => body, methodNotAllowed).map(([status, body]) =>
    textFile(`answers/${status}.json`, body, 'application/json', 'config'),
  );
}
