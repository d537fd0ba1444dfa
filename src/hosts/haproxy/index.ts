import type { EdgeAdapter } from '../adapter.ts';
import { WEB_SERVER } from '../presets.ts';
import { configFile, keyFiles } from '../config-file.ts';
import { backendCfg } from './backend.ts';
import { frontendCfg } from './frontend.ts';
import { hostMapName } from './identity.ts';
import { hostThemeRules } from '../hostnames.ts';
import { readme } from './readme.ts';
import { redirectsFile } from './redirects.ts';
import { mapLine } from './syntax.ts';
import { tuneCfg } from './tune.ts';

/** HAProxy in front of any static origin: the rules of a backend choose the file to request. */
export const haproxy: EdgeAdapter = {
  title: 'HAProxy',
  capabilities: {
    ...WEB_SERVER,
    identity: {
      ...WEB_SERVER.identity,
      // jwt_verify supports RS256 and ES256 too, but with keys from a file: HAProxy fetches no JWKS and notices no key rotation.
      jwt: ['HS256'],
    },
    maxKeys: 3_000_000,
    // Measured on HAProxy 2.6: 1 million keys load in 0.4 s and 310 MB, 3 million in 1.2 s and 910 MB, twice that during a reload.
    maxKeysBecause: 'measured',
  },
  storedIn: (kind, _, folder) => `${folder}/${kind}s.map`,
  files({ rules, mapping }) {
    const tune = tuneCfg(rules);
    return [
      configFile('backend.cfg', backendCfg(rules)),
      configFile('theme-service.cfg', frontendCfg(rules)),
      ...(tune === undefined ? [] : [configFile('tune.cfg', tune)]),
      ...keyFiles('map', mapping, 'backend.cfg', mapLine),
      ...hostThemeRules(rules.identity).map(({ rule, themes }) =>
        configFile(
          `${hostMapName(rule)}.map`,
          `${HOSTS_HEAD}${themes.map(([name, slug]) => mapLine(name, slug)).join('')}`,
        ),
      ),
      ...redirectsFile(rules),
      configFile('themes.map', `${THEMES_HEAD}${rules.themes.map((slug) => mapLine(slug, slug)).join('')}`),
    ];
  },
  readme: ({ rules }) => readme(rules, tuneCfg(rules) !== undefined),
};

const HOSTS_HEAD = '# themecast: hostname and theme. Read by backend.cfg.\n';
const THEMES_HEAD = '# themecast: the slugs of all themes. Read by backend.cfg.\n';
