import { keyCount } from '../../users/mapping.ts';
import type { EdgeRules } from '../contract.ts';
import type { EdgeAdapter } from '../adapter.ts';
import { WEB_SERVER } from '../presets.ts';
import { configFile, GENERATED_COMMENT, keyFiles } from '../config-file.ts';
import { redirectPairs } from '../redirects.ts';
import { moduleFile } from '../handler-modules.ts';
import { MAX_SERVER_NAMES, serverNames } from '../server-names.ts';
import { servicePlaces } from '../rows.ts';
import { locationsConf } from './locations.ts';
import { hashConf, headersConf, mapsConf } from './maps.ts';
import { sharedSecrets } from '../secrets.ts';
import { secretList } from '../readme.ts';
import { loginUrl, READ_TIMEOUT } from './login.ts';
import { block, quote, quoteMapKey } from './syntax.ts';
import { tokenModule, tokenSecrets } from './token.ts';

/** nginx with its standard modules: maps choose the file that `try_files` sends. Only tokens need scripting, with the njs module. */
export const nginx: EdgeAdapter = {
  title: 'nginx',
  capabilities: {
    ...WEB_SERVER,
    identity: {
      ...WEB_SERVER.identity,
      // js_set does not wait for WebCrypto, and the crypto module of njs has no public keys.
      jwt: ['HS256'],
      authRequest: true,
    },
    maxKeys: 3_000_000,
    // Measured on nginx 1.22: 1 million keys load in 1.5 s and 240 MB, 3 million in 8 s and 800 MB, 10 million not in a minute.
    maxKeysBecause: 'measured',
    caseSensitiveKeys: false,
  },
  storedIn: (kind, _, folder) => `${folder}/${kind}s.map`,
  redirectProblems,
  files({ rules, mapping, templates }) {
    const names = serverNames(rules, mapping);
    const places = servicePlaces(rules);
    return [
      configFile('hash.conf', hashConf(keyCount(mapping) + redirectPairs(rules).length, names ?? [])),
      configFile('maps.conf', mapsConf(rules, places)),
      configFile('locations.conf', locationsConf(rules, places)),
      configFile('headers.conf', headersConf(rules, places)),
      configFile('theme-service.conf', theServer(rules, names)),
      configFile('gzip_static.conf', GZIP_STATIC),
      ...(tokenSecrets(rules.identity).length > 0
        ? [moduleFile('token.js', tokenModule(rules.identity, templates))]
        : []),
      ...keyFiles('map', mapping, 'maps.conf', (key, theme) => `${quoteMapKey(key)} ${quote(theme)};\n`, MAP_COMMENT),
    ];
  },
  routing:
    'The generated `server` has them as `server_name`; more than 1,000 make it the default one of its address. List them in `server_name` of your existing server, unless it is the default one.',
  readme({ rules: { identity } }) {
    const url = loginUrl(identity) ?? '';
    return {
      tokens: secretList(tokenSecrets(identity)),
      several: sharedSecrets(identity).length > 1,
      login: url,
      login_tls: url.startsWith('https:'),
      read_timeout: String(READ_TIMEOUT),
    };
  },
};

/** Old paths that a map, which ignores their case, cannot have beside an earlier one. */
function redirectProblems(paths: readonly string[]): [path: string, reason: string][] {
  const seen = new Set<string>();
  return paths.flatMap((path): [string, string][] => {
    const lower = decodeURIComponent(path).replace(/[A-Z]/g, (letter) => letter.toLowerCase());
    if (seen.has(lower)) return [[path, 'differs from another one only by case, which nginx ignores']];
    seen.add(lower);
    return [];
  });
}

const GZIP_STATIC = `# themecast: read by locations.conf. Disables \`.gz\` files, which may be of another build.
# Delete this file if nginx lacks the module (\`nginx -V\` lists http_gzip_static).
gzip_static off;
`;

const MAP_COMMENT = `# Each key begins with two backslashes: nginx removes one when it reads the file and one when it fills the map, and then takes the rest
# literally, even a keyword such as "default".
`;

function theServer({ origin, refusals, identity }: EdgeRules, names: readonly string[] | undefined): string {
  // nginx listens on IPv4 alone if it is given a port alone.
  const addresses = origin.listen.includes(':') ? [origin.listen] : [origin.listen, `[::]:${origin.listen}`];
  const server = block('server', [
    ...(names === undefined
      ? [
          `# The hostnames of identity are more than ${MAX_SERVER_NAMES.toLocaleString('en')}: this must be the default server of its address.`,
          ...addresses.map((address) => `listen ${address} default_server;`),
          'server_name _;',
        ]
      : [...addresses.map((address) => `listen ${address};`), ...names.map((name) => `server_name ${quote(name)};`)]),
    'server_tokens off;',
    '',
    'include themecast/locations.conf;',
    '',
    '# This server serves nothing else.',
    ...block('location /', [
      'default_type application/json;',
      'include themecast/headers.conf;',
      `return 404 ${quote(refusals.notFound)};`,
    ]),
  ]);
  return `# themecast: a dedicated server for the theme service. Include it in http{}, after themecast/hash.conf. To use an existing server, include
# themecast/maps.conf in http{} and themecast/locations.conf in server{} instead.
# ${GENERATED_COMMENT} Terminate TLS in front of it, or in your own server{}.
${mainContext(identity)}include themecast/maps.conf;

${server.join('\n')}
`;
}

function mainContext(identity: EdgeRules['identity']): string {
  const secrets = tokenSecrets(identity);
  if (secrets.length === 0) return '';
  return `#
# Tokens require the njs module and, in the main context of nginx.conf, outside of every block (see the README):
${secrets.map((env) => `#     env ${env};\n`).join('')}`;
}
