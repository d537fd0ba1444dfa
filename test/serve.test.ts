import { readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { build } from '../src/compiler/build.ts';
import { run, type ServerProcess, startServer } from './command-line.ts';
import { type Answer, type Request, send } from './hosts/contract/send.ts';
import { BASE_URL, makeSite, removeSite, type SiteFolder } from './site-folder.ts';

const LIST = '/api/v2/theme/';

const serve = (cwd: string): Promise<ServerProcess> => startServer(['serve'], { cwd });

describe('a build', () => {
  let site: SiteFolder;
  let server: ServerProcess;

  beforeAll(async () => {
    const by = (header: string, proxy: string) => ({ user: { header, trusted_proxies: [proxy] } });
    const identity = [by('X-Near', '127.0.0.0/8'), by('X-Far', '192.0.2.0/24'), { user: { cookie: 'uid' } }];
    const settings = { base_url: BASE_URL, identity };
    site = await makeSite({ site: settings, users: [['ann', 'meadow']], themes: { harbor: {}, meadow: {} } });
    await build(site);
    server = await serve(site.root);
  });

  afterAll(async () => {
    await server.stop('SIGKILL');
    await removeSite(site);
  });

  const get = (request: Request): Promise<Answer> => send(server.port, request);
  test('is served only on the loopback address', async () => {
    const externalAddresses = Object.values(networkInterfaces())
      .flatMap((entries) => entries ?? [])
      .filter(({ internal, family }) => !internal && family === 'IPv4');
    const results = await Promise.all(
      ['::1', ...externalAddresses.map(({ address }) => address)].map((host) => canConnect(host, server.port)),
    );
    expect(results).not.toContain(true);
    expect(await canConnect('127.0.0.1', server.port)).toBe(true);
  });

  test.each([
    [{ 'X-Near': 'ann' }, 2],
    [{ 'X-Far': 'ann' }, 1],
    [{ 'X-Far': 'ann', 'X-Forwarded-For': '192.0.2.1' }, 1],
    [{ Cookie: 'uid=ann' }, 2],
  ])('serves for %j the theme %i, since only trusted proxies may name a user', async (headers, id) => {
    const { body } = await get({ path: `${LIST}config/`, headers });
    expect(JSON.parse(body)).toMatchObject({ id });
  });

  test.each([
    'NONSENSE\r\n\r\n',
    'GET http://[ HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET http://x/api/v2/theme/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'GET //[ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'GET * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'GET /%ff%fe HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'GET /media/%ff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'GET /api/v2/theme/ HTTP/1.1\r\nHost: x\r\nCookie: \u0001\r\nConnection: close\r\n\r\n',
    'POST /api/v2/theme/ HTTP/1.1\r\nHost: x\r\nContent-Length: 9999999\r\n\r\n{',
    `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  ])('survives %j', async (bytes) => {
    const response = await exchange(server.port, bytes);
    expect(response).not.toMatch(/^HTTP\/1\.1 5/);
    expect((await get({ path: LIST })).status).toBe(200);
  });

  test('is replaced immediately by a later build', async () => {
    const file = path.join(site.themesDir, 'meadow/theme.yaml');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('name: "meadow"', 'name: Later'));
    await build(site);
    expect((await get({ path: LIST })).body).toContain('"name":"Later"');
    await writeFile(file, text);
    await build(site);
    expect((await get({ path: LIST })).body).not.toContain('Later');
  });

  test('is served again after it was deleted and restored', async () => {
    const manifest = await readFile(path.join(site.outDir, 'manifest.json'));
    await rm(path.join(site.outDir, 'manifest.json'));
    expect(await get({ path: LIST })).toMatchObject({
      status: 500,
      body: expect.stringContaining('Run `themecast build` first'),
    });
    await writeFile(path.join(site.outDir, 'manifest.json'), manifest);
    expect((await get({ path: LIST })).status).toBe(200);
  });

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'exits with 0 and prints no error on %s, even with an open connection',
    async (signal) => {
      const started = await serve(site.root);
      expect((await send(started.port, { path: LIST })).status).toBe(200);
      expect((await send(started.port, { path: '/media/harbor/none.png' })).status).toBe(404);
      const idle = connect(started.port, '127.0.0.1');
      await new Promise((resolve) => idle.once('connect', resolve));
      idle.on('error', () => undefined);
      expect(await started.stop(signal)).toMatchObject({ code: 0, stderr: '' });
      idle.destroy();
    },
  );

  test('reports a port that is in use', async () => {
    const { code, stdout, stderr } = await run(['serve', '--port', String(server.port)], { cwd: site.root });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(
      `themecast: The port ${server.port} is in use. Name another with \`--port N\`; 0 takes any free one.\n`,
    );
  });

  // This is the last test, because it checks the output of the server above.
  test('prints no warnings', async () => {
    expect(await server.stop()).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('a build for another URL, below a path, with media on another host', () => {
  const CDN = 'https://cdn.example.org/files';
  /** A URL on the CDN of an image that is not part of this build. */
  const FOREIGN = `${CDN}/elsewhere/logo.svg`;
  let site: SiteFolder;
  let server: ServerProcess;
  const origin = (): string => `http://127.0.0.1:${server.port}`;
  const get = (request: Request): Promise<Answer> => send(server.port, request);

  beforeAll(async () => {
    site = await makeSite({
      site: {
        base_url: 'https://community.example.org/my',
        media_url: CDN,
        allowed_hosts: ['cdn.example.org'],
      },
      themes: { harbor: { fields: { logo: FOREIGN } } },
    });
    await build(site);
    server = await serve(site.root);
  });

  afterAll(async () => {
    expect(await server.stop()).toMatchObject({ code: 0, stderr: '' });
    await removeSite(site);
  });

  test.each(['json', 'api'])('replaces image URLs in the documents, as %s', async (format) => {
    for (const path of ['/my/api/v2/theme/', '/my/api/v2/theme/config/']) {
      const { status, body } = await get({ path: `${path}?format=${format}` });
      expect(status).toBe(200);
      const urls = [...new Set(body.match(/https?:[^"<>\s]+\.(?:svg|png)/g))];
      const siteUrls = urls.filter((url) => url !== FOREIGN);
      expect(urls).toContain(FOREIGN);
      expect(siteUrls.length).toBe(4);
      for (const url of siteUrls) {
        expect(url.startsWith(`${origin()}/my/media/harbor/`), url).toBe(true);
        expect((await get({ path: new URL(url).pathname })).status, url).toBe(200);
      }
    }
  });

  test('sends the length and ETag of the rewritten documents', async () => {
    const [list, otherPort] = await Promise.all(
      [undefined, 'localhost:65000'].map((host) =>
        get({ path: '/my/api/v2/theme/', ...(host === undefined ? {} : { headers: { Host: host } }) }),
      ),
    );
    const head = await get({ path: '/my/api/v2/theme/', method: 'HEAD' });
    expect(head.headers).toMatchObject({
      'content-length': String(Buffer.byteLength(list?.body ?? '')),
      etag: list?.headers['etag'],
    });
    expect(list?.body).toBe(otherPort?.body.replaceAll('http://localhost:65000', origin()));
    expect(list?.headers['etag']).not.toBe(otherPort?.headers['etag']);
    const conditional = { path: '/my/api/v2/theme/', headers: { 'If-None-Match': list?.headers['etag'] ?? '' } };
    expect((await get(conditional)).status).toBe(304);
  });

  test('ignores foreign hostnames', async () => {
    for (const host of ['evil.example.org', 'localhost.example.org', `127.0.0.1:1"><script>`]) {
      const { body } = await get({ path: '/my/api/v2/theme/', headers: { Host: host } });
      expect(body).toContain(`${origin()}/my/media/`);
      expect(body).not.toMatch(/evil|localhost|script/);
    }
  });

  test.each(['/', '/my', '/my/'])('redirects a browser from %s to the page of the list', async (path) => {
    const headers = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    const { status, headers: sent } = await get({ path, headers });
    expect([status, sent['location']]).toEqual([302, '/my/api/v2/theme/?format=api']);
    expect((await get({ path, method: 'POST', headers })).status).toBe(404);
    expect((await get({ path })).status).toBe(404);
  });
});

function canConnect(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

/** Sends raw bytes. @returns the response up to its headers, or until the connection closes */
function exchange(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
    let response = '';
    socket.setEncoding('latin1').on('data', (text: string) => {
      response += text;
      if (response.includes('\r\n\r\n')) socket.destroy();
    });
    socket.once('close', () => resolve(response)).once('error', reject);
  });
}
