import type { EdgeRules } from '../contract/contract.ts';
import type { EdgeAdapter } from '../adapter/adapter.ts';
import { WEB_SERVER } from '../contract/presets.ts';
import { filledFile, keyFiles } from '../contract/config-file.ts';
import type { View } from '../adapter/template.ts';
import { mapsView } from './maps.ts';
import { serviceRoutes } from '../contract/routes.ts';
import { serviceView } from './service.ts';
import { headers, quote, quoteMapKey, quoteTemplate } from './syntax.ts';

/** Caddy with its standard modules: maps choose the file that `file_server` sends. */
export const caddy: EdgeAdapter = {
  title: 'Caddy',
  capabilities: {
    ...WEB_SERVER,
    ranOn: 'the server, 2.6',
    maxKeys: 10_000,
    // Measured on Caddy 2.6: each request compares every key in turn. With 10,000 keys, Caddy serves half the requests per second of 1,000 keys, with 100,000 a seventh.
    maxKeysBecause: 'measured',
    redirects: 10_000,
    hostnames: 'lower case',
  },
  files({ rules, mapping, templates }) {
    const routes = serviceRoutes(rules);
    return [
      filledFile(templates, 'caddy/maps.caddy', mapsView(rules, routes)),
      filledFile(templates, 'caddy/service.caddy', serviceView(rules, routes)),
      filledFile(templates, 'caddy/files.caddy', { root: quoteTemplate(rules.origin.document_root) }),
      filledFile(templates, 'caddy/theme-service.caddy', siteView(rules)),
      ...keyFiles('caddy', mapping, 'maps.caddy', (key, theme) => `${quoteMapKey(key)} ${quoteTemplate(theme)}\n`),
    ];
  },
  routing:
    'The generated site responds to every hostname that no other site has. Your existing site must have them among its addresses.',
};

/** Returns the values of `theme-service.caddy`, a site for the theme service alone. */
function siteView({ origin, headers: common, refusals }: EdgeRules): View {
  const [, address = '', port = ''] = /^(?:(.*):)?(\d+)$/.exec(origin.listen) ?? [];
  return {
    port,
    address: address.replace(/^\[|\]$/g, ''),
    headers: headers({ ...common.all, ...common.error, 'Content-Type': 'application/json' }),
    not_found: quote(refusals.notFound),
  };
}
