import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer, type Socket } from 'node:net';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { createGzip, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { requestTo } from '../src/verify/exchange.ts';
import { HttpClient, type Limits } from '../src/io/http/client.ts';
import { run } from './command-line.ts';
import { makeSite, removeSite, type SiteFolder } from './site-folder.ts';

// A server that sends without end, or a small body that unpacks to a large one, costs neither memory nor time.

const servers: (Server | TcpServer)[] = [];
const sockets = new Set<Socket>();

async function listening(server: Server | TcpServer): Promise<string> {
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
function endless(response: Writable, chunk: Buffer): { sent: () => number } {
  let sent = 0;
  const more = (): void => {
    while (response.writable) {
      sent += chunk.length;
      if (!response.write(chunk)) return;
    }
  };
  response.on('drain', more);
  response.on('error', () => undefined);
  more();
  return { sent: () => sent };
}

const LIMITS: Limits = { timeoutMs: 5000 };
const MEGABYTE = 1024 * 1024;

async function sent(url: string, options: Parameters<typeof requestTo>[2] = {}, limits = LIMITS) {
  const client = new HttpClient(limits);
  const outcome = await client.send(requestTo(url, '/', { limit: MEGABYTE, ...options }));
  client.close();
  return outcome;
}

describe('HTTP client', () => {
  it('stops reading a body at the size limit', async () => {
    let flow = { sent: (): number => 0 };
    const url = await listening(createServer((_, response) => (flow = endless(response, Buffer.alloc(65_536)))));
    expect(await sent(url)).toMatchObject({ end: 'over the limit' });
    expect(flow.sent()).toBeLessThan(16 * MEGABYTE);
  });

  it('stops decompressing a body at the size limit', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * MEGABYTE));
    const url = await listening(
      createServer((_, response) => response.setHeader('Content-Encoding', 'gzip').end(bomb)),
    );
    const outcome = await sent(url, { decode: true, keep: MEGABYTE });
    expect(outcome).toMatchObject({ end: 'over the limit' });
    expect('bytes' in outcome && outcome.bytes).toBeLessThan(2 * MEGABYTE);
  });

  it('stops reading a body that decompresses to nothing', async () => {
    // Empty blocks (RFC 1951, section 3.2.4), for ever.
    const url = await listening(
      createServer((_, response) => {
        response.setHeader('Content-Encoding', 'gzip');
        response.write(gzipSync('').subarray(0, 10));
        endless(response, Buffer.concat(Array.from({ length: 10_000 }, () => Buffer.from([0, 0, 0, 0xff, 0xff]))));
      }),
    );
    expect(await sent(url, { decode: true })).toMatchObject({ end: 'over the limit', bytes: 0 });
  });

  it.each([100, 103])('gives up after endless interim responses: %i', async (status) => {
    let flow = { sent: (): number => 0 };
    const interim = Buffer.from(`HTTP/1.1 ${status} Wait\r\n\r\n`.repeat(100));
    const url = await listening(createTcpServer((socket) => (flow = endless(socket, interim))));
    expect(await sent(url)).toEqual({ noResponse: 'interim responses (1xx) without end' });
    expect(flow.sent()).toBeLessThan(16 * MEGABYTE);
  });

  it('skips a few interim responses', async () => {
    const url = await listening(
      createTcpServer((socket) =>
        socket.end('HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'),
      ),
    );
    expect(await sent(url)).toMatchObject({ status: 200, bytes: 2, end: 'complete' });
  });

  it('gives up on endless headers', async () => {
    const url = await listening(
      createTcpServer((socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        endless(socket, Buffer.from('X-More: and more\r\n'.repeat(100)));
      }),
    );
    expect(await sent(url)).toEqual({ noResponse: expect.stringContaining('HPE_HEADER_OVERFLOW') as unknown });
  });

  it('sends no request after the total time limit', async () => {
    let requests = 0;
    const url = await listening(createServer((_, response) => void (requests++, response.end())));
    expect(await sent(url, {}, { timeoutMs: 5000, totalMs: 0 })).toEqual({
      noResponse: 'not asked: all the time for this verification was used up',
    });
    expect(requests).toBe(0);
  });

  it('follows no redirect, so that credentials reach no other origin', async () => {
    let requests = 0;
    const other = await listening(createServer((_, response) => void (requests++, response.end())));
    const url = await listening(createServer((_, response) => response.writeHead(302, { Location: other }).end()));
    expect(await sent(url, { headers: { Cookie: 'session=1' } })).toMatchObject({ status: 302 });
    expect(requests).toBe(0);
  });

  it('reports an unsupported content coding', async () => {
    const url = await listening(
      createServer((_, response) => response.setHeader('Content-Encoding', 'compress').end('x')),
    );
    expect(await sent(url, { decode: true })).toMatchObject({ end: 'not decoded' });
  });
});

describe('themecast who --live', () => {
  let site: SiteFolder;
  beforeAll(async () => {
    site = await makeSite({ themes: { harbor: {}, meadow: {} }, users: [['tom', 'meadow']] });
  });
  afterAll(() => removeSite(site));

  const who = async (server: Server): Promise<{ code: number | null; output: string }> => {
    const args = ['who', 'tom', '--themes', site.themesDir, '--edge-out', path.join(site.root, 'edge')];
    const { code, stdout, stderr } = await run([...args, '--live', await listening(server)], {
      cwd: site.root,
      nodeFlags: ['--max-old-space-size=128'],
    });
    return { code, output: stdout + stderr };
  };

  it('limits the size of a body', async () => {
    const { code, output } = await who(
      createServer((_, response) => void endless(response, Buffer.alloc(65_536, '['))),
    );
    expect(code).toBe(2);
    expect(output).toContain('its response is longer than 1,048,576 bytes');
  });

  it('rejects a decompression bomb', async () => {
    const { code, output } = await who(
      createServer((_, response) => {
        const gzip = createGzip();
        gzip.pipe(response.setHeader('Content-Encoding', 'gzip'));
        endless(gzip, Buffer.alloc(65_536, '['));
      }),
    );
    expect(code).toBe(2);
    expect(output).toContain('its response is longer than 1,048,576 bytes');
  });

  it('sends a single GET', async () => {
    const requests: string[] = [];
    await who(
      createServer((request, response) => void (requests.push(request.method ?? ''), response.end('{"id":2}'))),
    );
    expect(requests).toEqual(['GET']);
  });

  it('escapes and truncates an id from the server', async () => {
    const id = `\u001b]0;x\u0007\u009b31m\u202e${'long'.repeat(100)}`;
    const { code, output } = await who(createServer((_, response) => response.end(JSON.stringify({ id }))));
    expect(code).toBe(1);
    expect(output).toContain('a theme that is not here ("\\u001b]0;x\\u0007\\u009b31m\\u202elonglong');
    expect(output.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
    expect(output).not.toContain('long'.repeat(50));
  });
});
