import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, type Server as TcpServer, type Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { requestTo } from '../src/system/http/exchange.ts';
import { HttpClient, type Limits } from '../src/system/http/io/client.ts';
import { longTest } from './long-test.ts';

// An endless response, or a small body that decompresses to a large one, must not exhaust memory or time.

const servers: (Server | TcpServer)[] = [];
const sockets = new Set<Socket>();

async function listenOnLoopback(server: Server | TcpServer): Promise<string> {
  servers.push(server);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers) server.close();
  sockets.clear();
  servers.length = 0;
});

/** Writes until the client stops reading. */
function writeEndlessly(response: Writable, chunk: Buffer): { sentBytes: () => number } {
  let sentBytes = 0;
  const writeMore = (): void => {
    while (response.writable) {
      sentBytes += chunk.length;
      if (!response.write(chunk)) return;
    }
  };
  response.on('drain', writeMore);
  response.on('error', () => undefined);
  writeMore();
  return { sentBytes: () => sentBytes };
}

const LIMITS: Limits = { timeoutMs: 5000 };
const MEGABYTE = 1024 * 1024;

async function sendRequest(url: string, options: Parameters<typeof requestTo>[2] = {}, limits = LIMITS) {
  const client = new HttpClient(limits);
  const outcome = await client.send(requestTo(url, '/', { limit: MEGABYTE, ...options }));
  client.close();
  return outcome;
}

describe('HTTP client', () => {
  it('stops reading a body at the size limit', async () => {
    let flow = { sentBytes: (): number => 0 };
    const url = await listenOnLoopback(
      createServer((_, response) => (flow = writeEndlessly(response, Buffer.alloc(65_536)))),
    );
    expect(await sendRequest(url)).toMatchObject({ end: 'over the limit' });
    expect(flow.sentBytes()).toBeLessThan(16 * MEGABYTE);
  });

  longTest('stops decompressing a body at the size limit', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * MEGABYTE));
    const url = await listenOnLoopback(
      createServer((_, response) => response.setHeader('Content-Encoding', 'gzip').end(bomb)),
    );
    const outcome = await sendRequest(url, { decode: true, keep: MEGABYTE });
    expect(outcome).toMatchObject({ end: 'over the limit' });
    expect('bytes' in outcome && outcome.bytes).toBeLessThan(2 * MEGABYTE);
  });

  it('stops reading a body that decompresses to nothing', async () => {
    // Endless empty blocks (RFC 1951, section 3.2.4).
    const url = await listenOnLoopback(
      createServer((_, response) => {
        response.setHeader('Content-Encoding', 'gzip');
        response.write(gzipSync('').subarray(0, 10));
        writeEndlessly(
          response,
          Buffer.concat(Array.from({ length: 10_000 }, () => Buffer.from([0, 0, 0, 0xff, 0xff]))),
        );
      }),
    );
    expect(await sendRequest(url, { decode: true })).toMatchObject({ end: 'over the limit', bytes: 0 });
  });

  it('sends no request after the total time limit', async () => {
    let requests = 0;
    const url = await listenOnLoopback(createServer((_, response) => void (requests++, response.end())));
    expect(await sendRequest(url, {}, { timeoutMs: 5000, totalMs: 0 })).toEqual({
      noResponse: 'not requested: the time limit of this verification was used up',
    });
    expect(requests).toBe(0);
  });

  it('follows no redirect, so that credentials reach no other origin', async () => {
    let requests = 0;
    const otherServer = await listenOnLoopback(createServer((_, response) => void (requests++, response.end())));
    const url = await listenOnLoopback(
      createServer((_, response) => response.writeHead(302, { Location: otherServer }).end()),
    );
    expect(await sendRequest(url, { headers: { Cookie: 'session=1' } })).toMatchObject({ status: 302 });
    expect(requests).toBe(0);
  });

  it('reports an unsupported content coding', async () => {
    const url = await listenOnLoopback(
      createServer((_, response) => response.setHeader('Content-Encoding', 'compress').end('x')),
    );
    expect(await sendRequest(url, { decode: true })).toMatchObject({ end: 'not decoded' });
  });
});
