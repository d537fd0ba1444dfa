import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ProxiedResponse } from './sabotaged-server.ts';
import { APP, type Case, isAt, isConfig, isList, isPreflight, reply, set, where } from './sabotages.ts';

/** Public paths of private files after a wrong upload. */
const PLACES = [
  ...'/users.ndjson /edge/users.ndjson /themecast/users.ndjson /nginx/users.ndjson /users.map'.split(' '),
  ...'/nginx/users.map /edge/nginx/users.map /themecast/users.map /groups.map'.split(' '),
  ...'/themecast/groups.map /edge/files.json /rules.json /themecast/maps.conf'.split(' '),
];

const allow = (origin: string) => (at: ProxiedResponse) =>
  set({ 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' })(at);

/** Public files and cross-origin access. */
export function exposureCases(edgeOutDir: () => string): Case[] {
  const files = (place: string): string => {
    const name = path.basename(place);
    return readFileSync(path.join(edgeOutDir(), /\.(?:map|conf)$/.test(name) ? 'nginx' : '', name), 'utf8');
  };
  return [
    ...PLACES.map((place): Case => [
      `${place} is public`,
      where(isAt(place), (at) => reply(200, files(place), 'text/plain')(at)),
      ['path/private'],
      /of private data|200, /,
    ]),
    ...['/themes/site.yaml', '/themes/harbor/theme.yaml'].map((place): Case => [
      `${place} is public`,
      where(isAt(place), reply(200, 'name: x\n', 'application/octet-stream')),
      ['path/private'],
      /^200, /,
    ]),
    [
      'a mapping of another build is public',
      where(isAt('/themecast/users.map'), reply(200, '"\\\\u-1" "x";\n', 'application/octet-stream')),
      ['path/private'],
      /^200, /,
    ],
    [
      'CORS for Origin: null, with credentials',
      where(({ request }) => request['origin'] === 'null', allow('null')),
      ['cors/foreign'],
      /Origin: null, Access-Control-Allow-Credentials: true/,
    ],
    [
      'CORS for an origin with an allowed one as its prefix',
      where(
        ({ request }) => request['origin']?.startsWith(APP) === true && request['origin'] !== APP,
        (at) => allow(at.request['origin'] ?? '')(at),
      ),
      ['cors/foreign'],
      /app\.example\.org\.themecast-verify\.invalid/,
    ],
    [
      'CORS for an origin with an allowed one as its suffix',
      where(
        ({ request }) => request['origin'] !== APP && request['origin']?.endsWith('app.example.org') === true,
        (at) => allow(at.request['origin'] ?? '')(at),
      ),
      ['cors/foreign'],
      /themecast-verify-app\.example\.org/,
    ],
    [
      'CORS for every origin',
      where((at) => isList(at) || isConfig(at), set({ 'access-control-allow-origin': '*' })),
      ['cors/foreign', 'cors/origin', 'cors/preflight'],
      /Access-Control-Allow-Origin: \*/,
    ],
    [
      'preflight requests get no CORS headers',
      where(isPreflight, (at) => void delete at.headers['access-control-allow-methods']),
      ['cors/preflight'],
      /no Access-Control-Allow-Methods header/,
    ],
  ];
}
