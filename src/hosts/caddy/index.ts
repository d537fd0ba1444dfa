import type { EdgeRules } from '../contract.ts';
import type { EdgeAdapter } from '../adapter.ts';
import { WEB_SERVER } from '../presets.ts';
import { configFile, GENERATED_COMMENT, keyFiles } from '../config-file.ts';
import { linesFile, type PrivateFile } from '../../document/output-file.ts';
import { groupHostnameProblem } from '../../theme/hostnames.ts';
import type { Mapping } from '../../users/mapping.ts';
import { readsHostGroups } from '../hostnames.ts';
import { HOSTS_FILE, hostRow } from './identity.ts';
import { mapsCaddy } from './maps.ts';
import { servicePlaces } from '../rows.ts';
import { filesCaddy, serviceCaddy } from './service.ts';
import { block, headers, quoteMapKey, respond, quoteTemplate } from './syntax.ts';

/** Caddy with its standard modules: maps choose the file that `file_server` sends. */
export const caddy: EdgeAdapter = {
  title: 'Caddy',
  capabilities: {
    ...WEB_SERVER,
    maxKeys: 10_000,
    // Measured on Caddy 2.6: a request compares every key in turn. 10,000 keys give half the requests per second of 1,000, 100,000 a seventh.
    maxKeysBecause: 'measured',
    redirects: 10_000,
    redirectsBecause: 'a request compares every old path in turn',
  },
  storedIn: (kind, _, folder) => `${folder}/${kind}s.caddy`,
  files({ rules, mapping }) {
    const places = servicePlaces(rules);
    return [
      configFile('maps.caddy', mapsCaddy(rules, places)),
      configFile('service.caddy', serviceCaddy(rules, places)),
      configFile('files.caddy', filesCaddy(rules)),
      configFile('theme-service.caddy', theSite(rules)),
      ...keyFiles(
        'caddy',
        mapping,
        'maps.caddy',
        (key, theme) => `${quoteMapKey(key)} ${quoteTemplate(theme)}
`,
      ),
      ...(readsHostGroups(rules.identity) ? [hostsFile(mapping)] : []),
    ];
  },
  routing:
    'The generated site responds to every hostname that no other site has. Your existing site must have them among its addresses.',
};

function hostsFile(mapping: Mapping): PrivateFile {
  return linesFile(HOSTS_FILE, function* () {
    yield '# themecast: the groups that are hostnames, and their themes. Read by maps.caddy.\n';
    for (const [key, theme] of mapping.pairs('group'))
      if (groupHostnameProblem(key) === undefined) yield `${hostRow(key, theme)}\n`;
  });
}

function theSite({ origin, headers: sent, refusals }: EdgeRules): string {
  const [, address, port = ''] = /^(?:(.*):)?(\d+)$/.exec(origin.listen) ?? [];
  const site = block(`http://:${port}`, [
    ...(address === undefined ? [] : [`bind ${address.replace(/^\[|\]$/g, '')}`]),
    'import service.caddy',
    '',
    '# This site serves nothing else.',
    ...block('handle', [
      ...headers({ ...sent.all, ...sent.error, 'Content-Type': 'application/json' }),
      respond('', refusals.notFound, 404),
    ]),
  ]);
  return `# themecast: a dedicated site for the theme service. To use an existing site, import themecast/service.caddy instead.
# ${GENERATED_COMMENT} Terminate TLS in front of it, or in your own site.
${site.join('\n')}
`;
}
