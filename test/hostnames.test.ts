import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build } from '../src/index.ts';
import { HttpClient } from '../src/system/http/io/client.ts';
import { serve, type Serving } from '../src/compiler/serve/serve.ts';
import { verify } from '../src/commands/verify/io/verify.ts';
import { readBuild } from '../src/commands/verify/io/read-build.ts';
import type { Verification } from '../src/commands/verify/result.ts';
import { requestTo } from '../src/system/http/exchange.ts';
import { run } from './command-line.ts';
import { CONFIG, LIST } from './hosts/contract/expected.ts';
import { type Listening, listening } from './listening.ts';
import { freePort } from './hosts/process.ts';
import { makeSite, removeSite, type SiteFolder } from './site-folder.ts';

const IDENTITY = [
  { user: { cookie: 'uid' } },
  { theme: { host: { 'sea.example.org': 'meadow', 'harbour.example.org': 'harbor' } } },
  { group: { host: true } },
  { group: { header: 'X-Group', trusted_proxies: ['192.0.2.0/24'] } },
];
const LIMITS = { timeoutMs: 5000 };

let site: SiteFolder;
let serving: Serving;
let proxy: Listening;
/** The Host header that the proxy sends. */
let proxiedHost = '';
beforeAll(async () => {
  const port = await freePort();
  // `serve` rewrites media URLs to its own address. With the same port in base_url, they equal the URLs of the build.
  site = await makeSite({
    themes: { harbor: {}, meadow: {}, nightfall: {} },
    site: { base_url: `http://127.0.0.1:${port}`, identity: IDENTITY },
    users: [['tom', 'meadow']],
    files: { 'themes/users/groups.csv': 'group,theme\nforest.example.org,nightfall\nstaff,nightfall\n' },
  });
  expect(await build(site)).toMatchObject({ ok: true, diagnostics: [] });
  serving = await serve({ ...site, port });
  proxy = await listening((request, response) => forward(request, response, proxiedHost));
});
afterAll(async () => {
  await proxy.stop();
  serving.server.close();
  await removeSite(site);
});

describe('themecast verify', () => {
  const verified = async (url: string, hostname?: string): Promise<Verification> => {
    const built = await readBuild(site.outDir, site.edgeOutDir, [], () => undefined, hostname);
    return verify({ url, build: built }, LIMITS);
  };
  const failed = ({ checks }: Verification): string[] =>
    checks.filter(({ status }) => status === 'failed').map(({ id, message }) => `${id} ${message}`);

  it.each<[title: string, ids: string[], name: (headers: http.IncomingHttpHeaders) => string, lacksList?: boolean]>([
    ['a host that normalises them passes', [], ({ host = '' }) => host],
    ['LIST is missing at a hostname', ['list/document'], ({ host = '' }) => host, true],
    ['a port is not ignored', ['config/theme'], ({ host = '' }) => (/example.*:/.test(host) ? '' : host)],
    ['a trailing dot is not ignored', ['config/theme'], ({ host = '' }) => host.replace(/\.$/, '.invalid')],
    [
      'an undeclared hostname gets a theme',
      ['config/forged'],
      ({ host = '' }) => host.replace(/.*invalid$/, 'sea.example.org'),
    ],
    [
      'X-Forwarded-Host is trusted',
      ['config/forged'],
      ({ host = '', 'x-forwarded-host': forwarded }) => String(forwarded ?? host),
    ],
    ['Forwarded is trusted', ['config/forged'], ({ host = '', forwarded }) => forwarded?.split('=')[1] ?? host],
  ])('checks how hostnames are read: %s', async (_title, ids, name, lacksList = false) => {
    const { host: serverHost } = new URL(serving.url);
    const proxyWithFault = await listening((request, response) => {
      const host = name(request.headers);
      if (lacksList && request.url === LIST && host.endsWith('.example.org')) response.writeHead(404).end();
      else forward(request, response, /invalid$|^$|^127/.test(host) ? serverHost : host);
    });
    const result = await verified(proxyWithFault.url);
    await proxyWithFault.stop();
    expect([...new Set(result.checks.filter(({ status }) => status === 'failed').map(({ id }) => id))]).toEqual(ids);
  });

  it('does not treat a group without a dot as a hostname', async () => {
    for (const hostname of [undefined, 'staff']) {
      const { hostnames, here } = await readBuild(site.outDir, site.edgeOutDir, [], () => undefined, hostname);
      expect([hostnames.map(({ name }) => name), here]).toEqual([
        ['sea.example.org', 'harbour.example.org', 'forest.example.org'],
        undefined,
      ]);
    }
  });

  it('expects the theme of the hostname in the URL', async () => {
    proxiedHost = 'sea.example.org';
    const result = await verified(proxy.url, proxiedHost);
    // The proxy sends this Host for every request, so the other hostnames fail.
    expect(failed(result)).toEqual([
      'config/theme CONFIG serves the wrong theme to harbour.example.org.',
      'config/theme CONFIG serves the wrong theme to forest.example.org.',
    ]);
  });

  it('fails behind a proxy that replaces Host', async () => {
    proxiedHost = 'backend.internal';
    const result = await verified(proxy.url);
    expect(failed(result)).toEqual([
      'config/theme CONFIG serves the wrong theme to sea.example.org.',
      'config/theme CONFIG serves the wrong theme to forest.example.org.',
    ]);
    expect(result.checks.find(({ id }) => id === 'config/theme')?.hint).toContain('must pass Host on');
  });

  it('reports hostnames that another server of the address responds to', async () => {
    const { url, stop } = await listening((request, response) => {
      if (request.headers.host?.endsWith('.example.org') === true) response.writeHead(404).end();
      else forward(request, response, new URL(serving.url).host);
    });
    const { checks } = await verified(url);
    await stop();
    expect(checks.filter(({ status }) => status === 'failed')).toMatchObject([
      {
        id: 'config/theme',
        url: `${url}${CONFIG} with Host: sea.example.org and 2 more`,
        found: expect.stringContaining('404'),
        hint: expect.stringContaining('Add the hostname to the names of the server'),
      },
    ]);
  });

  it('requests the certificate of the hostname', async () => {
    const names: string[] = [];
    const server = tls.createServer({
      SNICallback: (name, done) => {
        names.push(name);
        done(new Error('no certificate'));
      },
    });
    server.on('tlsClientError', () => undefined);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = new HttpClient(LIMITS);
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await client.send(requestTo(url, CONFIG, { headers: { Host: 'sea.example.org' } }));
    client.close();
    server.close();
    expect(names).toEqual(['sea.example.org']);
  });
});

describe('themecast who --hostname', () => {
  it('explains the theme of a hostname', async () => {
    const { code, stdout } = await run(['who', '--hostname', 'FOREST.example.org:8080'], { cwd: site.root });
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `forest.example.org gets nightfall (theme 3).

  why         themes/users/groups.csv:2 assigns nightfall to the group
              identity rule 3 reads the group from the hostname of the request (themes/site.yaml:2)
  instead of  harbor, the default theme
  served      api/v2/theme/config/nightfall.json, nightfall.html, nightfall.css, nightfall.png
`,
    });
  });

  it('lists the hostnames of a theme', async () => {
    const { stdout } = await run(['who', '--theme', 'meadow'], { cwd: site.root });
    expect(stdout).toBe('meadow is assigned to 1 user and 1 hostname.\n  user  tom\n  hostname  sea.example.org\n');
  });

  it('assigns no theme by a group without a dot, and rejects an IP address', async () => {
    const { stdout } = await run(['who', '--hostname', 'staff'], { cwd: site.root });
    expect(stdout).toMatch(/^staff gets harbor /);
    expect(stdout).toContain('no rule of `identity` gives this hostname a theme');
    expect(await run(['who', '--hostname', '192.0.2.1'], { cwd: site.root })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--hostname must be a hostname like `sea.example.org`') as string,
    });
  });
});

/** Forwards a request to the server of these tests, with this Host and without forwarding headers. */
function forward({ method, url: path, headers }: http.IncomingMessage, response: http.ServerResponse, host: string) {
  const { 'x-forwarded-host': _, forwarded: __, ...otherHeaders } = headers;
  http
    .request(serving.url, { method, path, headers: { ...otherHeaders, host } }, (upstream) => {
      response.writeHead(upstream.statusCode ?? 500, upstream.headers);
      upstream.pipe(response);
    })
    .end();
}
