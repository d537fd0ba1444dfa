import { keyCount } from '../../core/users/mapping.ts';
import type { EdgeRules } from '../contract/contract.ts';
import type { EdgeAdapter } from '../adapter/adapter.ts';
import { WEB_SERVER } from '../contract/presets.ts';
import { filledFile, keyFiles } from '../contract/config-file.ts';
import { redirectPairs } from '../contract/redirects.ts';
import { loginUrl } from '../contract/identity-rules.ts';
import { moduleFile } from '../adapter/handler-modules.ts';
import { serverNames } from '../contract/hostnames.ts';
import { serviceRoutes } from '../contract/routes.ts';
import { tokenView } from './identity.ts';
import { answerFolder, locationsView } from './locations.ts';
import { hashView, headersView, mapsView } from './maps.ts';
import { tokenSecrets } from '../contract/secrets.ts';
import { secretList } from '../adapter/readme.ts';
import { fillFile, type View } from '../adapter/template.ts';
import { quote, quoteMapKey } from './syntax.ts';

/** nginx with its standard modules: maps choose the file that `try_files` sends. Only tokens need scripting, with the njs module. */
export const nginx: EdgeAdapter = {
  title: 'nginx',
  capabilities: {
    ...WEB_SERVER,
    ranOn: 'the server, 1.22',
    // js_set does not wait for WebCrypto, and the crypto module of njs has no signatures with public keys.
    identity: [...WEB_SERVER.identity, 'JWT (HS256)', 'auth_request'],
    maxKeys: 3_000_000,
    // Measured on nginx 1.22: 1 million keys load in 1.5 s and 240 MB, 3 million in 8 s and 800 MB; 10 million take more than a minute.
    maxKeysBecause: 'measured',
    caseSensitiveKeys: false,
  },
  files({ rules, mapping, templates }) {
    const names = serverNames(rules, mapping);
    const routes = serviceRoutes(rules);
    return [
      filledFile(templates, 'nginx/hash.conf', hashView(keyCount(mapping) + redirectPairs(rules).length, names)),
      filledFile(templates, 'nginx/maps.conf', mapsView(rules, routes)),
      filledFile(templates, 'nginx/locations.conf', locationsView(rules, routes)),
      filledFile(templates, 'nginx/headers.conf', headersView(rules, routes)),
      filledFile(templates, 'nginx/theme-service.conf', serverView(rules, names)),
      ...(tokenSecrets(rules.identity).length > 0
        ? [moduleFile('token.js', fillFile(templates, 'nginx/token.js.mustache', tokenView(rules.identity)))]
        : []),
      ...keyFiles('map', mapping, 'maps.conf', (key, theme) => `${quoteMapKey(key)} ${quote(theme)};\n`),
    ];
  },
  routing:
    'The generated `server` has them as `server_name`. List them in that of your existing server, unless it is the default one of its address.',
  readme({ rules: { identity, origin } }) {
    const url = loginUrl(identity) ?? '';
    return {
      tokens: secretList(tokenSecrets(identity)),
      login: url,
      login_tls: url.startsWith('https:'),
      proxied: origin.listen.includes(':') ? origin.listen : `127.0.0.1:${origin.listen}`,
    };
  },
};

/** Returns the values of `theme-service.conf`, a server for the theme service alone. */
function serverView(rules: EdgeRules, names: readonly string[]): View {
  const { listen } = rules.origin;
  return {
    secrets: tokenSecrets(rules.identity),
    // With a port alone, nginx would listen on IPv4 only.
    addresses: listen.includes(':') ? [listen] : [listen, `[::]:${listen}`],
    names: names.map(quote),
    answer: answerFolder(rules),
  };
}
