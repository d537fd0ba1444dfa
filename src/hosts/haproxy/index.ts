import { linesFile, type PrivateFile, textFile } from '../../document/output-file.ts';
import type { KeyKind } from '../../users/key.ts';
import type { Mapping } from '../../users/mapping.ts';
import { type EdgeAdapter, WHOLE_CONTRACT } from '../adapter.ts';
import { configFile } from '../files.ts';
import { backendCfg } from './backend.ts';
import { frontendCfg } from './frontend.ts';
import { readme } from './readme.ts';
import { mapLine } from './syntax.ts';
import { tuneCfg } from './tune.ts';

/** HAProxy in front of any static server: a backend whose rules choose the file that the server is asked for. */
export const haproxy: EdgeAdapter = {
  title: 'HAProxy',
  capabilities: {
    identity: {
      names: ['user', 'group', 'theme'],
      cookie: true,
      trustedProxies: true,
      sharedSecret: true,
      // jwt_verify does RS256 and ES256 too, but from a file: HAProxy fetches no JWKS, nor notices that a key was rotated.
      jwt: ['HS256'],
      authRequest: false,
    },
    maxKeys: 3_000_000,
    // On HAProxy 2.6: 1 million load in 0.4 s and 310 MB, 3 million in 1.2 s and 910 MB, twice that while it reloads.
    maxKeysBecause: 'measured',
    caseSensitiveKeys: true,
    ...WHOLE_CONTRACT,
    etag: 'list-only',
  },
  keptIn: (kind, _, folder) => `${folder}/${kind}s.map`,
  files({ rules, mapping }) {
    const tune = tuneCfg(rules);
    return [
      configFile('backend.cfg', backendCfg(rules)),
      configFile('theme-service.cfg', frontendCfg(rules)),
      ...(tune === undefined ? [] : [configFile('tune.cfg', tune)]),
      keysMap('users.map', 'user', mapping),
      keysMap('groups.map', 'group', mapping),
      configFile('themes.map', `${THEMES_HEAD}${rules.themes.map((slug) => mapLine(slug, slug)).join('')}`),
      textFile('README.md', readme(rules, tune !== undefined), 'text/markdown', 'config'),
    ];
  },
};

const THEMES_HEAD = '# themecast: the slugs of all themes. Read by backend.cfg.\n';

function keysMap(file: string, kind: KeyKind, mapping: Mapping): PrivateFile {
  return linesFile(file, function* () {
    yield `# themecast: ${kind} key and theme. Personal data: keep it out of every published folder. Read by backend.cfg.\n`;
    for (const [key, theme] of mapping.pairs(kind)) yield mapLine(key, theme);
  });
}
