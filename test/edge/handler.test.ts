import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, BlockList } from 'node:net';
import { type EdgeHost, handle } from '../../src/edge/handler.ts';
import { contractSuite, type Host } from './contract.ts';
import { type PublishedSite, textOf } from './site.ts';

contractSuite('the host-neutral handler on node:http', startHandler, {
  etagOnConfig: true,
  caseSensitiveKeys: true,
  media: false,
});

async function startHandler(site: PublishedSite): Promise<Host> {
  const users = new Map(site.assignments.map(({ user, theme }) => [user, theme]));
  const server = createServer((request, response) => {
    answer(request, response, site, users).catch((error: unknown) => response.destroy(error as Error));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    stop: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  site: PublishedSite,
  users: ReadonlyMap<string, string>,
): Promise<void> {
  const headers = { get: (name: string) => headerOf(request, name) };
  const url = `http://host.invalid${request.url ?? '/'}`;
  const answered = await handle(
    { method: request.method ?? 'GET', url, headers },
    site.rules,
    hostOf(request, site, users),
  );
  if (answered === undefined) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  response.end(Buffer.from(await answered.arrayBuffer()));
}

function hostOf({ socket }: IncomingMessage, site: PublishedSite, users: ReadonlyMap<string, string>): EdgeHost {
  return {
    readFile: async (path) => {
      const file = site.files.get(path.slice(1));
      return file && { body: textOf(site, file.path), etag: `"${file.sha256}"` };
    },
    themeOf: async (user) => users.get(user),
    isTrusted: (proxies) => {
      const trusted = new BlockList();
      for (const proxy of proxies) {
        const [address = '', prefix = '32'] = proxy.split('/');
        trusted.addSubnet(address, Number(prefix));
      }
      return trusted.check(socket.remoteAddress ?? '');
    },
  };
}

function headerOf(request: IncomingMessage, name: string): string | null {
  return request.headersDistinct[name.toLowerCase()]?.join(name === 'Cookie' ? '; ' : ', ') ?? null;
}
