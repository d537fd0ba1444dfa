import type { EdgeRules } from '../contract.ts';
import type { EdgeAdapter } from '../adapter.ts';
import { WEB_SERVER } from '../presets.ts';
import { configFile, keyFiles } from '../config-file.ts';
import { mapsCaddy } from './maps.ts';
import { readme } from './readme.ts';
import { serviceCaddy } from './service.ts';
import { block, headers, quoteMapKey, refusal, quoteTemplate } from './syntax.ts';

/** Caddy with the modules that it comes with: maps choose what `file_server` sends. */
export const caddy: EdgeAdapter = {
  title: 'Caddy',
  capabilities: {
    ...WEB_SERVER,
    maxKeys: 10_000,
    // On Caddy 2.6 a request looks at every key in turn: half the requests a second with 10,000 keys as with 1,000, a seventh with 100,000.
    maxKeysBecause: 'measured',
  },
  storedIn: (kind, _, folder) => `${folder}/${kind}s.caddy`,
  files({ rules, mapping }) {
    return [
      configFile('maps.caddy', mapsCaddy(rules)),
      configFile('service.caddy', serviceCaddy(rules)),
      configFile('theme-service.caddy', theSite(rules)),
      ...keyFiles(
        'caddy',
        mapping,
        'maps.caddy',
        (key, theme) => `${quoteMapKey(key)} ${quoteTemplate(theme)}
`,
      ),
    ];
  },
  readme: ({ rules }) => readme(rules),
};

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
