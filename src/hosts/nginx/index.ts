import { keyCount } from '../../users/mapping.ts';
import type { EdgeRules } from '../contract.ts';
import type { EdgeAdapter } from '../adapter.ts';
import { WEB_SERVER } from '../presets.ts';
import { configFile, keyFiles } from '../config-file.ts';
import { moduleFile } from '../handler-modules.ts';
import { locationsConf } from './locations.ts';
import { hashConf, mapsConf } from './maps.ts';
import { readme } from './readme.ts';
import { addHeaders, block, quote, quoteMapKey } from './syntax.ts';
import { tokenModule, tokenSecrets } from './token.ts';

/** nginx with its usual modules: maps choose what `try_files` sends. Only tokens take scripting, by the njs module. */
export const nginx: EdgeAdapter = {
  title: 'nginx',
  capabilities: {
    ...WEB_SERVER,
    identity: {
      ...WEB_SERVER.identity,
      // js_set does not wait for WebCrypto, and njs' own crypto knows no public keys.
      jwt: ['HS256'],
      authRequest: true,
    },
    maxKeys: 3_000_000,
    // On nginx 1.22: 1 million load in 1.5 s and 240 MB, 3 million in 8 s and 800 MB, 10 million not in a minute.
    maxKeysBecause: 'measured',
    caseSensitiveKeys: false,
  },
  storedIn: (kind, _, folder) => `${folder}/${kind}s.map`,
  files({ rules, mapping }) {
    return [
      configFile('hash.conf', hashConf(keyCount(mapping))),
      configFile('maps.conf', mapsConf(rules)),
      configFile('locations.conf', locationsConf(rules)),
      configFile('theme-service.conf', theServer(rules)),
      configFile('gzip_static.conf', GZIP_STATIC),
      ...(tokenSecrets(rules.identity).length > 0 ? [moduleFile('token.js', tokenModule(rules.identity))] : []),
      ...keyFiles('map', mapping, 'maps.conf', (key, theme) => `${quoteMapKey(key)} ${quote(theme)};\n`, MAP_COMMENT),
    ];
  },
  readme: ({ rules }) => readme(rules),
};

const GZIP_STATIC = `# themecast: read by locations.conf. A \`.gz\` beside a file may be of another build, and browsers would get that.
# nginx without this module (\`nginx -V\` names http_gzip_static) does without this file: delete it.
gzip_static off;
`;

const MAP_COMMENT = `# A key begins with two backslashes: nginx takes off one when it reads the file and one when it fills the map, and takes the
# rest as it is, even where it is a word of its own such as "default".
`;

function theServer({ baseUrl, origin, headers, refusals, identity }: EdgeRules): string {
  const server = block('server', [
    `listen ${origin.listen};`,
    `server_name ${quote(new URL(baseUrl).hostname)};`,
    'server_tokens off;',
    '',
    'include themecast/locations.conf;',
    '',
    '# There is nothing else on this server.',
    ...block('location /', [
      'default_type application/json;',
      ...addHeaders({ ...headers.all, ...headers.error }),
      `return 404 ${quote(refusals.notFound)};`,
    ]),
  ]);
  return `# themecast: a server for the theme service alone. Belongs in http{}, after themecast/hash.conf. On a server that you have already,
# include themecast/maps.conf in its http{} and themecast/locations.conf in its server{} instead.
# Generated from site.yaml: change that, not this. TLS is the business of what stands before it, or of your own server{}.
${mainContext(identity)}include themecast/maps.conf;

${server.join('\n')}
`;
}

function mainContext(identity: EdgeRules['identity']): string {
  const secrets = tokenSecrets(identity);
  if (secrets.length === 0) return '';
  return `#
# Tokens take the njs module and, in the main context of nginx.conf, outside of every block (see the README):
${secrets.map((env) => `#     env ${env};\n`).join('')}`;
}
