import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server on loopback. */
export interface Listening {
  port: number;
  url: string;
  stop: () => Promise<void>;
}

/** Starts a server on a free port of the loopback address. */
export async function listening(respond: RequestListener): Promise<Listening> {
  const server = createServer(respond).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
