import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';
import { handle } from '../../../core/edge-runtime/handler.ts';
import { fetchJwks } from '../../../core/edge-runtime/jwks.ts';
import { media } from '../../../core/edge-runtime/media.ts';
import { isNotModified } from '../../../core/edge-runtime/responses.ts';
import type { EdgeRules } from '../../../hosts/contract/contract.ts';
import { quote } from '../../../core/diagnostics/quote.ts';
import { errorCode, sha256Of } from '../../disk/files.ts';

/** Thrown if the server cannot listen on its port. */
export class ServeError extends Error {
  /** Whether the port is in use, so that another one might work. */
  readonly isInUse: boolean;

  constructor(message: string, isInUse = false) {
    super(message);
    this.isInUse = isInUse;
  }
}

export interface ServerOptions {
  /** 0 selects any free port. */
  port: number;
  /** The address to listen on. Default: 127.0.0.1 */
  host?: string | undefined;
}

export type Respond = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Starts a server, by default on the loopback address. If a handler throws, the response is 500. */
export async function startServer(
  { port, host = '127.0.0.1' }: ServerOptions,
  respond: Respond,
): Promise<{ server: Server; port: number }> {
  const server = createServer((request, response) => {
    // Node.js would use the first of several Host headers.
    const hosts = request.headersDistinct['host'] ?? [];
    if (hosts.length > 1) request.headers.host = hosts.join(', ');
    respond(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else send(response, request.method, 500, { 'Content-Type': 'text/plain; charset=utf-8' }, String(error));
    });
  });
  await listen(server, port, host);
  const address = server.address();
  return { server, port: typeof address === 'object' && address !== null ? address.port : port };
}

/** The files of a build, and the rules for serving them. */
export interface Served {
  rules: EdgeRules;
  /** Reads a document by its path from the root of `dist/`, with its strong ETag. */
  readFile(path: string): Promise<{ body: Buffer | string; etag: string } | undefined>;
  /** Reads an image by its path, like `media/harbor/logo.0f9c.svg`. */
  readMedia(path: string): Promise<Buffer | undefined>;
  themeOf(kind: 'user' | 'group', key: string): Promise<string | undefined>;
}

/** Responds like the hosts that run code: endpoints and images through the edge handlers, 404 for everything else. */
export async function answer(request: IncomingMessage, response: ServerResponse, served: Served): Promise<void> {
  const { rules } = served;
  const { method = 'GET', url: target = '/' } = request;
  if (!target.startsWith('/')) return send(response, method, 400, {}, '');
  const url = `http://127.0.0.1${target}`;
  const edgeRequest = { method, url, headers: { get: (name: string) => headerOf(request, name) } };
  const reply =
    (await handle(edgeRequest, rules, {
      readFile: (path) => served.readFile(path),
      themeOf: (kind, key) => served.themeOf(kind, key),
      isTrusted: (proxies) => isAmong(proxies, request.socket.remoteAddress),
      secret: (env) => process.env[env],
      jwks: fetchJwks,
    })) ?? (await media(edgeRequest, rules, (path) => image(path.slice(1), request, served)));
  send(response, method, reply.status, Object.fromEntries(reply.headers), Buffer.from(await reply.arrayBuffer()));
}

async function image(name: string, request: IncomingMessage, served: Served): Promise<Response> {
  const body = await served.readMedia(name);
  if (body === undefined) return new Response(null, { status: 404 });
  const etag = `"${sha256Of(body).slice(0, 32)}"`;
  const isFresh = isNotModified(headerOf(request, 'If-None-Match'), etag);
  return new Response(isFresh ? null : new Uint8Array(body), { status: isFresh ? 304 : 200, headers: { ETag: etag } });
}

/** Checks whether an address is one of these, or within one of these ranges. */
function isAmong(proxies: readonly string[], address = ''): boolean {
  const list = new BlockList();
  for (const proxy of proxies) {
    const [network = '', bits] = proxy.split('/');
    const family = isIPv6(network) ? 'ipv6' : 'ipv4';
    list.addSubnet(network, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family);
  }
  return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

export function send(
  response: ServerResponse,
  method: string | undefined,
  status: number,
  headers: Record<string, string>,
  body: Buffer | string,
): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  const bodiless = [204, 301, 304].includes(status);
  if (!bodiless && response.getHeader('Content-Length') === undefined)
    response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(method === 'HEAD' || bodiless ? undefined : body);
}

export function headerOf({ headers }: IncomingMessage, name: string): string | null {
  const value = headers[name.toLowerCase()];
  return (Array.isArray(value) ? value.join(', ') : value) ?? null;
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      const code = errorCode(error) ?? '';
      const why = { EADDRINUSE: 'is in use', EACCES: 'is not for this user' }[code];
      if (why !== undefined)
        reject(new ServeError(`The port ${port} ${why}. Name another with \`--port N\`; 0 takes any free one.`, true));
      else if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'].includes(code))
        reject(new ServeError(`${quote(host)} is not an address of this machine. Name one with \`--listen ADDRESS\`.`));
      else reject(error);
    });
    server.once('listening', resolve);
    server.listen(port, host);
  });
}
