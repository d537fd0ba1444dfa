import { linesFile, type PrivateFile, textFile } from '../../document/output-file.ts';
import type { KeyKind } from '../../users/key.ts';
import type { Mapping } from '../../users/mapping.ts';
import type { EdgeRules } from '../contract.ts';
import { type EdgeAdapter, WHOLE_CONTRACT } from '../adapter.ts';
import { configFile } from '../files.ts';
import { mapsCaddy } from './maps.ts';
import { readme } from './readme.ts';
import { serviceCaddy } from './service.ts';
import { block, headers, mapKey, refusal, token } from './syntax.ts';

/** Caddy with the modules that it comes with: maps choose what `file_server` sends. */
export const caddy: EdgeAdapter = {
  title: 'Caddy',
  capabilities: {
    identity: {
      names: ['user', 'group', 'theme'],
      cookie: true,
      trustedProxies: true,
      sharedSecret: true,
      jwt: [],
      authRequest: false,
    },
    maxKeys: 10_000,
    // On Caddy 2.6 a request looks at every key in turn: half the requests a second with 10,000 keys as with 1,000, a seventh with 100,000.
    maxKeysBecause: 'measured',
    caseSensitiveKeys: true,
    ...WHOLE_CONTRACT,
    etag: 'list-only',
  },
  keptIn: (kind, _, folder) => `${folder}/${kind}s.caddy`,
  files({ rules, mapping }) {
    return [
      configFile('maps.caddy', mapsCaddy(rules)),
      configFile('service.caddy', serviceCaddy(rules)),
      configFile('theme-service.caddy', theSite(rules)),
      keysMap('users.caddy', 'user', mapping),
      keysMap('groups.caddy', 'group', mapping),
      textFile('README.md', readme(rules), 'text/markdown', 'config'),
    ];
  },
};

function keysMap(file: string, kind: KeyKind, mapping: Mapping): PrivateFile {
  return linesFile(file, function* () {
    yield `# themecast: ${kind} key and theme. Personal data: keep it out of every published folder. Read by maps.caddy.\n`;
    for (const [key, theme] of mapping.pairs(kind)) yield `${mapKey(key)} ${token(theme)}\n`;
  });
}

function theSite({ origin, headers: sent, refusals }: EdgeRules): string {
  const [, address, port = ''] = /^(?:(.*):)?(\d+)$/.exec(origin.listen) ?? [];
  const site = block(`http://:${port}`, [
    ...(address === undefined ? [] : [`bind ${address.replace(/^\[|\]$/g, '')}`]),
    'import service.caddy',
    '',
    '# There is nothing else on this site.',
    ...block('handle', [
      ...headers({ ...sent.all, ...sent.error, 'Content-Type': 'application/json' }),
      refusal('', refusals.notFound, 404),
    ]),
  ]);
  return `# themecast: a site for the theme service alone. In a site that you have already, import themecast/service.caddy instead.
# Generated from site.yaml: change that, not this. TLS is the business of what stands before it, or of your own site.
${site.join('\n')}
`;
}
