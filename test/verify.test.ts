import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Listening, listening } from './listening.ts';
import { build } from '../src/compiler/build.ts';
import type { Build } from '../src/hosts/contract/published-build.ts';
import { ASSETS, SCHEMAS } from '../src/core/document/endpoint.ts';
import type { Deployment } from '../src/commands/verify/build.ts';
import type { Verification } from '../src/commands/verify/result.ts';
import { readBuild } from '../src/commands/verify/io/read-build.ts';
import { serve, type Serving } from '../src/compiler/serve/serve.ts';
import { verify, waitForBuild } from '../src/commands/verify/io/verify.ts';
import { run } from './command-line.ts';
import { makeSite, removeSite, type SiteFolder } from './site-folder.ts';
import { idsOf, LIMITS, type SabotagedSite, SECRETS, startSabotagedSite } from './verify/sabotaged-site.ts';
import type { ProxiedResponse, SabotagedServer } from './verify/sabotaged-server.ts';
import { APP, CONFIG, isConfig, isList, isPage, LIST, reply, where, type Fault } from './verify/sabotages.ts';

/** A theme by its id is requested as the first theme. */
const THEME = `${LIST}1/`;

let sabotaged: SabotagedSite;
let server: SabotagedServer;
let site: SiteFolder;
let older: SiteFolder;
let current: Serving;
let stale: Serving;
let built: Build;

beforeAll(async () => {
  sabotaged = await startSabotagedSite();
  ({ server, site, built, serving: current } = sabotaged);
  older = await makeSite({
    site: { base_url: server.url, cors: { allowed_origins: [APP] } },
    themes: { harbor: {}, meadow: { fields: { logo_height: 99 } } },
  });
  expect(await build(older)).toMatchObject({ ok: true, diagnostics: [] });
  stale = await serve({ ...older, port: 0 });
});

afterAll(async () => {
  stale?.server.close();
  await sabotaged.stop();
  await removeSite(older);
});

beforeEach(() => {
  server.upstream = portOf(current);
  server.sabotage = () => undefined;
  server.requests.length = 0;
});

function portOf({ url }: Serving): number {
  return Number(new URL(url).port);
}

const nothing: Fault = () => undefined;
const verifyWith: SabotagedSite['verifyWith'] = (...args) => sabotaged.verifyWith(...args);
const failed = (result: Verification): string[] => idsOf(result, 'failed');

describe('a valid deployment', () => {
  it('passes every check', async () => {
    const named = ['tom', 'night-user', 'nobody'].map((key) => ({ kind: 'user' as const, key }));
    const sampled = await readBuild(site.outDir, site.edgeOutDir, named, () => undefined);
    const result = await verifyWith(nothing, { build: sampled });
    expect(result.checks.filter(({ status }) => status !== 'passed')).toEqual([]);
    expect(result.notes).toEqual([]);
    expect(new Set(result.checks.map(({ id }) => id)).size).toBe(result.checks.length);
  });

  it('receives only requests that cannot change it', async () => {
    await verifyWith(nothing);
    const methods = new Map<string, string[]>();
    for (const { method, target } of server.requests) methods.set(method, [...(methods.get(method) ?? []), target]);
    expect([...methods.keys()].toSorted()).toEqual(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT']);
    expect(methods.get('PUT')?.toSorted()).toEqual([LIST, THEME, CONFIG]);
    // The schemas and assets.json are published files, which POST must not change.
    expect(methods.get('POST')?.toSorted()).toEqual([LIST, THEME, ASSETS, CONFIG, ...Object.values(SCHEMAS)]);
    expect(server.requests.filter(({ headers }) => (headers['content-length'] ?? '0') !== '0')).toEqual([]);
  });
});

describe('a deployment that is stale or broken', () => {
  it.each([
    ['the page of LIST differs from the build', (at: ProxiedResponse) => isList(at) && isPage(at)],
    ['the page of CONFIG differs from the build', (at: ProxiedResponse) => isConfig(at) && isPage(at)],
    ['another service responds to OPTIONS', (at: ProxiedResponse) => at.method === 'OPTIONS'],
  ])('receives no POST and PUT unless it serves this build: %s', async (_title, isForeign) => {
    const result = await verifyWith(
      where(isForeign, (at) => void (at.body = Buffer.concat([at.body, Buffer.from(' ')]))),
    );
    expect(server.requests.filter(({ method }) => method === 'POST' || method === 'PUT')).toEqual([]);
    expect(result.notes.join()).toContain('POST and PUT were not sent');
  });

  it('receives no further request if LIST is not a list', async () => {
    const result = await verifyWith(where(isList, reply(200, '{"id":1}', 'application/json')));
    expect(failed(result)).toEqual(['list/document']);
    expect(server.requests).toHaveLength(1);
  });

  it('waits until LIST matches the build, at most for the given time', async () => {
    server.upstream = portOf(stale);
    // Only the first response is stale.
    server.sabotage = () => (server.upstream = portOf(current));
    expect(await waitForBuild({ url: server.url, build: built }, 30, LIMITS)).toBeGreaterThan(0);
    expect(server.requests).toHaveLength(2);
    expect(server.requests[0]?.headers).toMatchObject({ 'cache-control': 'no-cache' });
    server.upstream = portOf(stale);
    server.sabotage = () => undefined;
    expect(await waitForBuild({ url: server.url, build: built }, 1, LIMITS)).toBeUndefined();
  });
});

/** Starts a proxy of the service at another loopback address, which may respond differently. @returns how to stop it */
async function startAtAddress(
  address: string,
  respond: (request: http.IncomingMessage, response: http.ServerResponse) => boolean,
): Promise<() => Promise<void>> {
  const upstream = new URL(server.url);
  const proxy = http.createServer((request, response) => {
    if (respond(request, response)) return;
    const { method, url: path, headers } = request;
    const forwarded = http.request({ port: upstream.port, method, path, headers }, (received) => {
      response.writeHead(received.statusCode ?? 0, received.headers);
      received.pipe(response);
    });
    request.pipe(forwarded);
  });
  proxy.listen(Number(upstream.port), address);
  await once(proxy, 'listening');
  expect((proxy.address() as AddressInfo).address).toBe(address);
  return async () => {
    proxy.closeAllConnections();
    proxy.close();
    await once(proxy, 'close');
  };
}

const deploymentAt = (...addresses: string[]): Deployment => {
  // This name resolves to the addresses.
  const url = server.url.replace('127.0.0.1', 'localhost');
  const secret = (name: string): string | undefined => SECRETS[name];
  return { url, build: built, secret, addresses };
};

describe('a host with several addresses, or with a rate limit', () => {
  it(
    'passes if the second address serves this build, with at most 30 more requests',
    { timeout: 120_000 },
    async () => {
      let requests = 0;
      const stop = await startAtAddress('127.0.0.2', () => ++requests < 0);
      const result = await verify(deploymentAt('127.0.0.1', '127.0.0.2'), LIMITS);
      await stop();
      expect(failed(result)).toEqual([]);
      // The first address gets the same requests again.
      expect(requests).toBeGreaterThan(10);
      expect(requests).toBeLessThanOrEqual(30);
    },
  );

  it.each([
    ['list', /theme\/$/, 'list/document'],
    ['stylesheet', /format=css/, 'rendering/document'],
  ])('fails if the second address has another %s, and reports the address', async (_title, target, id) => {
    const stop = await startAtAddress('127.0.0.2', ({ url = '' }, response) => {
      if (!target.test(url)) return false;
      response.writeHead(200, {
        'Content-Type': id === 'rendering/document' ? 'text/css; charset=utf-8' : 'application/json',
      });
      response.end('{}');
      return true;
    });
    const result = await verify(deploymentAt('127.0.0.1', '127.0.0.2'), LIMITS);
    await stop();
    expect(result.checks.find((row) => row.id === id)).toMatchObject({
      status: 'failed',
      url: expect.stringContaining('at the address 127.0.0.2') as string,
    });
  });

  it('notes an address that does not respond', async () => {
    const result = await verify(deploymentAt('127.0.0.1', '127.0.0.3'), LIMITS);
    expect(failed(result)).toEqual([]);
    expect(result.notes.join()).toContain('The address 127.0.0.3 was not verified: the connection was refused.');
  });

  it('reports a rate limit', { timeout: 120_000 }, async () => {
    const deployment = deploymentAt();
    let requests = 0;
    server.sabotage = (at) => {
      if (++requests <= 100) return;
      at.status = 429;
      at.headers['retry-after'] = '0';
    };
    const result = await verify(deployment, LIMITS);
    expect(result.checks.map(({ id, status }) => [id, status])).toEqual([['service/limit', 'failed']]);
    expect(result.checks[0]?.found).toMatch(/still responds with 429\. That was request \d+\.$/);
    expect(result.checks[0]?.hint).toContain('`--rate 5`');
  });

  it('passes behind a password that every request to this origin has, and no other origin gets', async () => {
    const foreign: unknown[] = [];
    const images = await listening((request, response) => {
      foreign.push(request.headers['x-staging']);
      response.writeHead(404).end();
    });
    server.sabotage = (at) => {
      if (at.request['x-staging'] !== 'open') reply(401, 'Password?', 'text/plain')(at);
    };
    const closed = await verify(deploymentAt(), LIMITS);
    expect(failed(closed)).toEqual(['list/document']);
    const everyRequest = { 'X-Staging': 'open' };
    expect(failed(await verify(deploymentAt(), { ...LIMITS, everyRequest }))).toEqual([]);
    expect(await waitForBuild(deploymentAt(), 1, { ...LIMITS, everyRequest })).toBeGreaterThan(0);
    const rules = { ...built.rules, mediaUrl: `${images.url}/media` };
    const elsewhere = { ...deploymentAt(), build: { ...built, rules } };
    expect(failed(await verify(elsewhere, { ...LIMITS, everyRequest }))).toContain('media/image');
    await images.stop();
    expect(new Set(foreign)).toEqual(new Set([undefined]));
  });
});

describe('themecast verify', () => {
  const flags = (): string[] => ['--out', site.outDir, '--edge-out', site.edgeOutDir];

  it('prints a line per group and the number of checks, and exits with 0', async () => {
    const { code, stdout, stderr } = await run(
      ['verify', `${server.url}/api/v2/theme/`, ...flags(), ...'--as tom --as night-user --wait 5 --strict'.split(' ')],
      { env: SECRETS },
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^✔ live after 0 s\n✔ list .*\n✔ config .*anonymous → harbor \(1\), user 1 \(…\) → meadow \(2\), user 2 \(ni…\) → nightfall \(3\).* sampled: a key for each of 3 of 3 themes/,
    );
    expect(stdout).toMatch(/✔ \d+ checks passed in .* serves this build\.\n$/);
  });

  it('prints the expected value, the actual value and a hint, and exits with 1', async () => {
    server.sabotage = (proxied) => void delete proxied.headers['x-content-type-options'];
    const { code, stdout } = await run(['verify', server.url, ...flags()]);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^✘ headers +1 of 6 failed; passed: .*\n {2}✘ X-Content-Type-Options differs from the rules\. {2}\[headers\/security\]\n {6}at .* and \d+ more\n {6}expected +X-Content-Type-Options: nosniff\n {6}found +no X-Content-Type-Options header\n {6}= .*edge\/nginx\/README\.md\.\n/m,
    );
    expect(stdout).toMatch(/\n\n✘ 1 of \d+ checks failed/);
  });

  it.each([
    ['two URLs', ['http://a.example', 'http://b.example'], 'takes one URL'],
    ['a URL with a password', ['https://a:b@community.example.org'], 'must be an http or https URL'],
    ['an invalid wait', ['http://127.0.0.1:1', '--wait', 'long'], '--wait must be'],
    ['a flag of --old', ['http://127.0.0.1:1', '--sample', 'x:1'], '--sample needs `--old URL`.'],
    ['no URL', [], 'Name the URL of the deployment'],
    ['an unknown check', ['http://127.0.0.1:1', '--tolerate', 'x'], '--tolerate must be the ID of a check'],
    ['headers without encryption', ['http://192.0.2.1', '--every-request', 'X=HOME'], 'sent without encryption'],
    ['no server at the port', ['http://127.0.0.1:1'], 'cannot be reached: the connection was refused.'],
  ])('exits with 2 for %s', async (_title, args, message) => {
    const { code, stdout, stderr } = await run(['verify', ...args, ...flags()]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});

it.each(['manifest.json', 'api/v2/theme/index.json', 'files.json', 'rules.json'])(
  'a build with an unexpected form of %s is corrupted',
  async (name) => {
    const site = await makeSite();
    await build(site);
    const file = path.join(/^(?:files|rules)/.test(name) ? site.edgeOutDir : site.outDir, name);
    for (const text of ['null', '{}', '{"files":[null]}', '{"rules":{}}']) {
      await writeFile(file, text);
      await expect(
        readBuild(site.outDir, site.edgeOutDir, [], () => undefined),
        text,
      ).rejects.toThrow(`${file} is corrupted. Run `);
    }
    await removeSite(site);
  },
);

it('a keyed build looks up users and hostnames only with its secret', async () => {
  const keySecret = 'key-secret-0123456789-abcdefghijklmnop';
  const identity = [{ user: { cookie: 'uid' } }, { group: { host: true } }];
  const keyed = await makeSite({
    site: { base_url: 'https://community.example.org', edge: ['cloudflare'], mapping: { keyed: true }, identity },
    themes: { harbor: {}, meadow: {} },
    users: [['tom', 'meadow']],
    files: { 'themes/users/groups.csv': 'group,theme\nsea.example.org,meadow\n' },
  });
  expect(await build({ ...keyed, keySecret })).toMatchObject({ ok: true, diagnostics: [] });
  const read = (secret: string | undefined, keys: Parameters<typeof readBuild>[2] = []): Promise<Build> =>
    readBuild(keyed.outDir, keyed.edgeOutDir, keys, () => secret, 'sea.example.org');
  const tom = [{ kind: 'user', key: 'tom' }] as const;
  await expect(read(undefined, tom)).rejects.toThrow('THEMECAST_KEY_SECRET has to be in the environment to look a key');
  expect((await read(keySecret, tom)).named).toEqual([{ kind: 'user', key: 'tom', theme: 'meadow' }]);
  expect((await read(keySecret)).here).toMatchObject({ name: 'sea.example.org', theme: 'meadow' });
  expect((await read(undefined)).here).toBeUndefined();
  await removeSite(keyed);
});

describe('a host that serves static files', () => {
  let host: Listening;
  let files: SiteFolder;
  beforeAll(async () => {
    host = await listening((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://host.invalid');
      const file = path.join(files.outDir, pathname.endsWith('/') ? `${pathname}index.json` : pathname);
      readFile(file).then(
        (bytes) => response.writeHead(200, { 'Content-Type': TYPES[path.extname(file)] ?? 'text/plain' }).end(bytes),
        () => response.writeHead(404, { 'Content-Type': 'text/html' }).end('<h1>Not found</h1>'),
      );
    });
    files = await makeSite({ site: { base_url: host.url, edge: ['static'] } });
    expect(await build(files)).toMatchObject({ ok: true, diagnostics: [] });
  });
  afterAll(async () => {
    await host.stop();
    await removeSite(files);
  });

  it('passes as the only host of the build, and fails as nginx', async () => {
    const { url } = host;
    const folders = ['--out', files.outDir, '--edge-out', files.edgeOutDir];
    const plain = await run(['verify', url, ...folders]);
    expect(plain, plain.stdout).toMatchObject({ code: 0, stderr: '' });
    const asNginx = await run(['verify', url, ...folders, '--host', 'nginx']);
    expect(asNginx).toMatchObject({ code: 1, stderr: '' });
    expect(asNginx.stdout).toContain('[headers/vary]');
  });
});

const TYPES: Readonly<Record<string, string>> = {
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
};
