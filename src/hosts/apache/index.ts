import { type OutputFile, textFile } from '../../document/output-file.ts';
import type { EdgeRules } from '../contract.ts';
import type { EdgeAdapter } from '../adapter.ts';
import { WEB_SERVER } from '../presets.ts';
import { configFile, GENERATED_COMMENT, keyFiles } from '../config-file.ts';
import { redirectPairs } from '../redirects.ts';
import { METHOD, notFoundRow, type Place, servicePlaces } from '../rows.ts';
import { rewriteRules } from './rules.ts';
import { sections } from './sections.ts';
import { mapLine, quote, section } from './syntax.ts';
import { readsHostGroups } from '../hostnames.ts';
import { MAX_SERVER_NAMES, serverNames } from '../server-names.ts';

/** Apache httpd with its standard modules, without scripting: rewrite rules choose the file to send. */
export const apache: EdgeAdapter = {
  title: 'Apache httpd',
  capabilities: {
    ...WEB_SERVER,
    maxKeys: 10_000_000,
    // Measured on httpd 2.4.71 with two busy cores: building a map of 1 million keys takes 5 s and 84 MB, of 10 million 206 s and 673 MB.
    // A lookup takes less than a millisecond, and httpd reads nothing at startup.
    maxKeysBecause: 'measured',
    etag: 'content',
  },
  storedIn: (kind, _, folder) => `${folder}/${kind}s.dbm, built from ${kind}s.txt`,
  redirectProblems,
  files({ rules, mapping }) {
    const places = servicePlaces(rules);
    return [
      configFile('theme-service.conf', themeService(rules, places)),
      configFile('virtual-host.conf', virtualHost(rules, serverNames(rules, mapping))),
      ...keyFiles('txt', mapping, 'make-maps.sh', mapLine),
      ...redirectsFile(rules),
      configFile('make-maps.sh', makeMaps(rules)),
      ...bodies(rules, places),
    ];
  },
  routing:
    'The generated `<VirtualHost>` has them as `ServerAlias`, up to 1,000; with more, include it first. List them in `ServerAlias` of your existing `<VirtualHost>`, unless it is the first of its address. Reload httpd for new ones. `UseCanonicalName` does not matter.',
  readme: ({ rules: { origin } }) => ({ port_80: /^(?:.*:)?80$/.test(origin.listen) }),
};

/** The modules that the rules use. Without them httpd would reject some directives and silently ignore others. */
const MODULES = ['alias', 'headers', 'include', 'mime', 'rewrite'];

function themeService(rules: EdgeRules, places: readonly Place[]): string {
  return `# themecast: the theme service. Include it in a <VirtualHost>, before other rewrite rules.
# ${GENERATED_COMMENT}

# The paths of this folder and of the published files. To use other paths, Define these before the Include.
${defined('THEMECAST_DIR', '/etc/apache2/themecast')}
${defined('THEMECAST_ROOT', rules.origin.document_root.replace(/(?<!\/)\/+$/, ''))}
# The format of users.dbm and groups.dbm; make-maps.sh must use the same.
${defined('THEMECAST_DBM', 'db')}

${MODULES.flatMap((name) => section('IfModule', `!${name}_module`, [`Error "themecast needs mod_${name}."`])).join('\n')}

RewriteEngine On
RewriteMap themecast_users "dbm=\${THEMECAST_DBM}:\${THEMECAST_DIR}/users.dbm"
RewriteMap themecast_groups "dbm=\${THEMECAST_DBM}:\${THEMECAST_DIR}/groups.dbm"
${readsHostGroups(rules.identity) ? 'RewriteMap themecast_lower "int:tolower"\n' : ''}
${rewriteRules(rules, places).join('\n')}

${sections(rules, places).join('\n')}
`;
}

function defined(name: string, value: string): string {
  return section('IfDefine', `!${name}`, [`Define ${name} ${quote(value)}`]).join('\n');
}

function virtualHost({ baseUrl, origin, endpoints }: EdgeRules, names: readonly string[] | undefined): string {
  const address = origin.listen.includes(':') ? origin.listen : `*:${origin.listen}`;
  const host = section('VirtualHost', address, [
    ...serverName(new URL(baseUrl).hostname),
    ...(names === undefined
      ? [
          `# The hostnames of identity are more than ${MAX_SERVER_NAMES.toLocaleString('en')}: this must be the first <VirtualHost> of its address.`,
        ]
      : names.slice(1).map((name) => `ServerAlias ${quote(name)}`)),
    '',
    '# This server serves nothing else.',
    ...section('Location', '"/"', ['Require all denied', `ErrorDocument 404 ${quote(`${endpoints.list.path}404`)}`]),
    'Include "${THEMECAST_DIR}/theme-service.conf"',
    'RewriteRule "^" "-" "[R=404,L]"',
  ]);
  return `# themecast: a dedicated server for the theme service. To use an existing server, include theme-service.conf in its
# <VirtualHost> instead. ${GENERATED_COMMENT} Terminate TLS in front of it, or in your own
# <VirtualHost>. If it is not configured yet, add next to this file:
#     Listen ${origin.listen}
${defined('THEMECAST_DIR', '/etc/apache2/themecast')}

${host.join('\n')}
`;
}

/** `ServerName` accepts a name or an IPv4 address. */
function serverName(host: string): string[] {
  return host.startsWith('[') ? [] : [`ServerName ${quote(host)}`];
}

function makeMaps(rules: EdgeRules): string {
  const maps = ['users', 'groups', ...redirectsFile(rules).map(() => 'redirects')].join(' ');
  return `#!/bin/sh
# themecast: builds users.dbm and groups.dbm, in which httpd looks keys up, from users.txt and groups.txt. Each atomically replaces the
# old map, and httpd reads it from then on without a reload.
set -eu
umask 0137
cd "$(dirname "$0")"
for map in ${maps}; do
    rm -f "$map.dbm.new"
    httxt2dbm -f "\${THEMECAST_DBM:-DB}" -i "$map.txt" -o "$map.dbm.new"
    mv -f "$map.dbm.new" "$map.dbm"
done
`;
}

/** The bodies of responses by status, and by name for OPTIONS. httpd accepts only tokens as methods (RFC 9110, §5.6.2), so they need no escaping. */
function bodies(rules: EdgeRules, places: readonly Place[]): OutputFile[] {
  const files = new Map<string, string>();
  for (const { name, send } of [notFoundRow(rules), ...places.flatMap(({ rows }) => rows)]) {
    if (!('status' in send)) continue;
    const method = '<!--#echo encoding="none" var="REDIRECT_REQUEST_METHOD" -->';
    files.set(send.status === 200 ? name : String(send.status), send.body.replace(METHOD, method));
  }
  return [...files].map(([name, body]) => textFile(`answers/${name}.json`, body, 'application/json', 'config'));
}

/** The file of redirects, from which `make-maps.sh` builds a map; httpd looks up decoded paths. */
function redirectsFile(rules: EdgeRules): OutputFile[] {
  const lines = redirectPairs(rules).map(([from, to]) => mapLine(decodeURIComponent(from), to));
  return lines.length === 0 ? [] : [configFile('redirects.txt', lines.join(''))];
}

/** Old paths that a line of the map cannot have. */
function redirectProblems(paths: readonly string[]): [path: string, reason: string][] {
  return paths.flatMap((path): [string, string][] =>
    decodeURIComponent(path).includes(' ') ? [[path, 'has a space, which maps of Apache httpd cannot have']] : [],
  );
}
