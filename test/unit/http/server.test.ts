import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer } from '../../../src/system/http/io/server.ts';

describe('startServer', () => {
  let url: string;
  let close: () => void;
  beforeAll(async () => {
    const { server, port } = await startServer({ port: 0 }, async (request, response) => {
      if (request.url === '/fails') throw new Error('No such thing.');
      if (request.url === '/late') {
        response.setHeader('Content-Type', 'text/plain');
        response.write('half');
        throw new Error('Too late to say.');
      }
      response.end();
    });
    url = `http://127.0.0.1:${port}`;
    close = () => {
      server.closeAllConnections();
      server.close();
    };
  });
  afterAll(() => close());

  it('returns 500 if a handler fails, and continues to serve', async () => {
    const response = await fetch(`${url}/fails`);
    expect([response.status, await response.text()]).toEqual([500, 'Error: No such thing.']);
    // A response that has started is cut off.
    await expect(fetch(`${url}/late`).then((partial) => partial.text())).rejects.toThrow('terminated');
    expect((await fetch(`${url}/`)).status).toBe(200);
  });
});
