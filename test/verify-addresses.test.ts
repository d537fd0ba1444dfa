import http from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Deployment } from '../src/verify/build.ts';
import { verify } from '../src/verify/io/verify.ts';
import { idsOf, LIMITS, type SabotagedSite, SECRETS, startSabotagedSite } from './verify/sabotaged-site.ts';

// A host with several addresses, and one that limits requests.

let sabotaged: SabotagedSite;
beforeAll(async () => {
  sabotaged = await startSabotagedSite();
});
afterAll(() => sabotaged.stop());

/** The same service at another address of this machine, with other responses to some requests. */
async function atAddress(
  address: string,
  respond: (request: http.IncomingMessage, response: http.ServerResponse) => boolean,
): Promise<() => Promise<void>> {
  const upstream = new URL(sabotaged.server.url);
  const server = http.createServer((request, response) => {
    if (respond(request, response)) return;
    const { method, url: path, headers } = request;
    const sent = http.request({ port: upstream.port, method, path, headers }, (received) => {
      response.writeHead(received.statusCode ?? 0, received.headers);
      received.pipe(response);
    });
    request.pipe(sent);
  });
  server.listen(Number(upstream.port), address);
  await once(server, 'listening');
  expect((server.address() as AddressInfo).address).toBe(address);
  return async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
}

const deploymentAt = (...addresses: string[]): Deployment => {
  const { server, built } = sabotaged;
  server.sabotage = () => undefined;
  server.requests.length = 0;
  // This name resolves to the addresses.
  const url = server.url.replace('127.0.0.1', 'localhost');
  const secret = (name: string): string | undefined => SECRETS[name];
  return { url, build: built, secret, addresses, credentialsTo: 'localhost' };
};

it('a second address that serves this build passes, for at most 60 more requests', { timeout: 60_000 }, async () => {
  let requests = 0;
  const stop = await atAddress('127.0.0.2', () => ++requests < 0);
  const result = await verify(deploymentAt('127.0.0.1', '127.0.0.2'), LIMITS);
  await stop();
  expect(idsOf(result, 'failed')).toEqual([]);
  expect(result.checks.find(({ id }) => id === 'service/address')?.label).toBe('2 addresses');
  // The first address gets the same requests again.
  expect(requests).toBeGreaterThan(10);
  expect(requests).toBeLessThanOrEqual(30);
});

it.each([
  ['list', /theme\/$/, 'list/document'],
  ['stylesheet', /format=css/, 'style/document'],
])('a second address with another %s fails, and is named', async (_what, target, id) => {
  const stop = await atAddress('127.0.0.2', ({ url = '' }, response) => {
    if (!target.test(url)) return false;
    response.writeHead(200, {
      'Content-Type': id === 'style/document' ? 'text/css; charset=utf-8' : 'application/json',
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

it('an address that does not respond is tolerated', async () => {
  const result = await verify(deploymentAt('127.0.0.1', '127.0.0.3'), LIMITS);
  expect(idsOf(result, 'failed')).toEqual([]);
  expect(idsOf(result, 'tolerated')).toContain('service/address');
});

it('a limit on requests is reported as such', { timeout: 60_000 }, async () => {
  const { server } = sabotaged;
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

it('sends no more requests per second than it may', async () => {
  const started = performance.now();
  const { requests } = await verify(deploymentAt(), { ...LIMITS, rate: 500 });
  expect((performance.now() - started) / 1000).toBeGreaterThanOrEqual(requests / 500 - 0.1);
});
