import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build } from '../src/compiler/build.ts';
import { adapters } from '../src/hosts/adapters.ts';
import { readBuild } from '../src/compiler/read-build.ts';
import { verify } from '../src/verify/io/verify.ts';
import type { Build } from '../src/hosts/published-build.ts';
import { HTTPD, OWN_HOST, startApache } from './hosts/apache-process.ts';
import { CADDY, startCaddy } from './hosts/caddy-process.ts';
import type { Host } from './hosts/contract.ts';
import { NGINX, OWN_SERVER, startNginx } from './hosts/nginx-process.ts';
import { reportMissing } from './hosts/process.ts';
import type { PublishedSite } from './hosts/site.ts';
import { mappingOf } from './sample-users.ts';
import { makeSite, removeSite, type SiteFolder } from './site-folder.ts';

// Runs `verify` against each server with the rules of a build, compressing by default: a correct host passes every check.
const TYPES = 'text/html application/json text/css image/svg+xml';
// `gzip_vary` is off in Debian's nginx.
const GZIP = `gzip on; gzip_types ${TYPES.replace('text/html ', '')};`;

const SERVERS: readonly (readonly [
  name: 'nginx' | 'apache' | 'caddy',
  command: string | undefined,
  start: (site: PublishedSite) => Promise<Host>,
])[] = [
  ['nginx', NGINX, (site) => startNginx(site, `${GZIP}\nopen_file_cache max=100;\n${OWN_SERVER}`)],
  ['apache', HTTPD, (site) => startApache(site, `AddOutputFilterByType DEFLATE ${TYPES}\n${OWN_HOST}`)],
  ['caddy', CADDY, (site) => startCaddy(site, 'http://:$PORT {\n\tencode gzip\n\timport themecast/service.caddy\n}')],
];

let site: SiteFolder;
let built: Build;
let published: PublishedSite;
beforeAll(async () => {
  site = await makeSite({
    site: {
      base_url: 'https://community.example.org',
      edge: ['nginx', 'apache', 'caddy'],
      cors: { allowed_origins: ['https://app.example.org'] },
      identity: [
        { theme: { cookie: 'theme' } },
        { user: { cookie: 'uid' } },
        { theme: { host: { 'sea.example.org': 'meadow', 'harbour.example.org': 'harbor' } } },
        { group: { host: true } },
      ],
    },
    themes: { harbor: {}, meadow: {}, nightfall: {} },
    users: [
      ['tom', 'meadow'],
      ['eve', 'nightfall'],
    ],
    files: {
      'themes/users/groups.csv': 'group,theme\nforest.example.org,nightfall\n',
      'themes/redirects.csv': 'old_path,theme,image\n/old/logo.svg,harbor,logo\n',
    },
  });
  expect(await build(site)).toMatchObject({ ok: true });
  built = await readBuild(site.outDir, site.edgeOutDir, [], () => undefined);
  const assignments = [
    { kind: 'user', key: 'tom', theme: 'meadow' },
    { kind: 'user', key: 'eve', theme: 'nightfall' },
    { kind: 'group', key: 'forest.example.org', theme: 'nightfall' },
  ] as const;
  published = {
    folder: site.root,
    dist: site.outDir,
    rules: built.rules,
    assignments,
    mapping: await mappingOf(assignments),
    secrets: {},
    files: new Map(),
  };
});
afterAll(() => removeSite(site));

describe.each(SERVERS)('%s', (key, command, start) => {
  if (command === undefined) {
    reportMissing(adapters[key].title);
    return;
  }

  it('passes every check, also with a full cache', async () => {
    const host = await start(published);
    try {
      for (const round of [1, 2]) {
        const url = `http://127.0.0.1:${host.port}`;
        const { checks, notes } = await verify(
          { url, build: built, credentialsTo: '127.0.0.1', capabilities: adapters[key].capabilities },
          { timeoutMs: 10_000 },
        );
        expect(checks.find(({ id }) => id === 'compression/document')?.label).toContain('gzip');
        const faults = checks.filter(
          ({ id, status, declared }) => status !== 'passed' && declared !== true && id !== 'list/base-url',
        );
        expect({ round, faults, notes }).toEqual({ round, faults: [], notes: [] });
      }
    } finally {
      await host.stop();
    }
  });
});
