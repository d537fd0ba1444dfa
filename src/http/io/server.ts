import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';
import { createServer } from 'http-server';
import { handle } from '../../edge-runtime/handler.ts';
import { fetchJwks } from '../../edge-runtime/jwks.ts';
import { FORMATS } from '../../image/format.ts';
import { detail, type EdgeRules } from '../../hosts/contract.ts';
import { quote } from '../../diagnostics/quote.ts';
import { errorCode } from '../../io/disk/files.ts';

/** There is no port to serve on. */
export class ServeError extends Error {
  /** Whether another port of the same address might do. */
  readonly isInUse: boolean;

  constructor(message: string, isInUse = false) {
    super(message);
    this.isInUse = isInUse;
  }
}

export interface ServerOptions {
  /** Folder with the images: those below `media/` are sent by http-server. */
  root: string;
  /** 0 for any free one. */
  port: number;
  /** The address to listen on. Default: 127.0.0.1 */
  host?: string | undefined;
  /** `Cache-Control` of images. */
  mediaCache: string | undefined;
}

/** Answers a request, or leaves it to http-server with {@link answer}. */
export type Respond = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Starts a server, on the loopback address unless another is given. */
export async function startServer(
  { root, port, host = '127.0.0.1', mediaCache }: ServerOptions,
  respond: Respond,
): Promise<{ server: Server; port: number }> {
  const mimetypes = Object.fromEntries(
    Object.values(FORMATS).map(({ mediaType, extensions }) => [mediaType, [...extensions]]),
  );
  const options = {
    root,
    cache: mediaCache,
    showDir: 'false', // the package tests for this text
    autoIndex: 'false',
    showDotfiles: false,
    mimetypes,
    before: [
      (request: IncomingMessage, response: ServerResponse): void => {
        toOriginForm(request);
        // A rejection here would end the process: http-server does not catch it.
        respond(request, response).catch((error: unknown) => {
          const sent = unwrapped(response);
          if (sent.headersSent) sent.destroy();
          else send(response, request.method, 500, { 'Content-Type': 'text/plain; charset=utf-8' }, String(error));
        });
      },
    ],
  };
  // Types of the package lack `mimetypes`, and texts for `cache`.
  const site = createServer(options as unknown as Parameters<typeof createServer>[0]) as unknown as Server & {
    server: Server;
  };
  site.server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    ownHeaders(response);
    // Node.js takes the first of several.
    const hosts = request.headersDistinct['host'] ?? [];
    if (hosts.length > 1) request.headers.host = hosts.join(', ');
  });
  await listen(site, port, host);
  const address = site.server.address();
  return { server: site.server, port: typeof address === 'object' && address !== null ? address.port : port };
}

/**
 * Turns a request target that is a whole URL into its path, as every server must; its host then counts instead of the header
 * (RFC 9112, §3.2.2). What is no URL stays as it is.
 */
function toOriginForm(request: IncomingMessage): void {
  const { url = '' } = request;
  const [, host, rest = ''] = /^https?:\/\/([^/?#@]+)((?:[/?#].*)?)$/is.exec(url) ?? [];
  if (host === undefined || !URL.canParse(url)) return;
  request.headers.host = host;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
}

/** The response itself: http-server hands on a wrapper, which does not tell when it is closed or what was sent. */
export function unwrapped(response: ServerResponse): ServerResponse {
  return (response as ServerResponse & { response?: ServerResponse }).response ?? response;
}

/** http-server sets properties that Node deprecates (DEP0066), and reads them nowhere: without the accessors, there is no warning. */
function ownHeaders(response: ServerResponse): void {
  for (const name of ['_headers', '_headerNames']) Object.defineProperty(response, name, { value: {}, writable: true });
}

/** What is served at one time. */
export interface Served {
  rules: EdgeRules;
  /** A document by its path from the root of `dist/`, with its strong ETag. */
  readFile(path: string): Promise<{ body: Buffer | string; etag: string } | undefined>;
  /** Whether there is an image of this path, like `media/harbor/logo.0f9c.svg`. */
  hasMedia(path: string): boolean;
  themeOf(kind: 'user' | 'group', key: string): Promise<string | undefined>;
}

/** Answers as the hosts do: the endpoints by the handler of the edge, images by http-server, 404 to all else. */
export async function answer(request: IncomingMessage, response: ServerResponse, served: Served): Promise<void> {
  const { rules } = served;
  const { method = 'GET', url: target = '/' } = request;
  if (!target.startsWith('/')) return send(response, method, 400, {}, '');
  const url = `http://127.0.0.1${target}`;
  const headers = { get: (name: string) => headerOf(request, name) };
  const reply = await handle({ method, url, headers }, rules, {
    readFile: (path) => served.readFile(path),
    themeOf: (kind, key) => served.themeOf(kind, key),
    isTrusted: (proxies) => isAmong(proxies, request.socket.remoteAddress),
    secret: (env) => process.env[env],
    jwks: fetchJwks,
  });
  if (reply !== undefined) {
    const body = Buffer.from(await reply.arrayBuffer());
    return send(response, method, reply.status, Object.fromEntries(reply.headers), body);
  }
  const { pathname } = new URL(url);
  const name = pathname.startsWith(`${rules.basePath}/media/`) ? pathname.slice(rules.basePath.length + 1) : '';
  if (served.hasMedia(name)) return passOn(request, response, name, rules);
  refuse(response, method, 404, rules.refusals.notFound, rules);
}

/** Whether an address is one of these, or in one of these ranges. */
function isAmong(proxies: readonly string[], address = ''): boolean {
  const list = new BlockList();
  for (const proxy of proxies) {
    const [network = '', bits] = proxy.split('/');
    const family = isIPv6(network) ? 'ipv6' : 'ipv4';
    list.addSubnet(network, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family);
  }
  return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** Leaves an image to http-server, but for the requests that it answers otherwise than the hosts do. */
function passOn(request: IncomingMessage, response: ServerResponse, name: string, rules: EdgeRules): void {
  const { method = 'GET', headers } = request;
  if (method !== 'GET' && method !== 'HEAD')
    return refuse(response, method, 405, detail(`Method "${method}" not allowed.`), rules);
  // Its ETags are weak, so none is a match (RFC 9110, §13.1.1).
  if (headers['if-match'] !== undefined && headers['if-match'] !== '*')
    return refuse(response, method, 412, detail('The precondition failed.'), rules);
  // Pictures are sent whole: its answer to a range that is outside could be kept.
  delete headers.range;
  response.removeHeader('Accept-Ranges');
  const security = { ...rules.headers.all, ...(name.endsWith('.svg') ? rules.headers.svg : {}) };
  for (const [header, value] of Object.entries(security)) response.setHeader(header, value);
  request.url = `/${name}`;
  response.emit('next');
}

function refuse(
  response: ServerResponse,
  method: string,
  status: number,
  body: string,
  { headers: { all, error }, contentTypes }: EdgeRules,
): void {
  send(response, method, status, { ...all, ...error, 'Content-Type': contentTypes.json }, body);
}

export function send(
  response: ServerResponse,
  method: string | undefined,
  status: number,
  headers: Record<string, string>,
  body: Buffer | string,
): void {
  response.statusCode = status;
  response.removeHeader('Accept-Ranges'); // http-server sets it on every answer
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

async function listen(server: Server & { server: Server }, port: number, host: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', (error) => {
      const code = errorCode(error) ?? '';
      const why = { EADDRINUSE: 'is in use', EACCES: 'is not for this user' }[code];
      if (why !== undefined)
        reject(new ServeError(`The port ${port} ${why}. Name another with \`--port N\`; 0 takes any free one.`, true));
      else if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'].includes(code))
        reject(new ServeError(`${quote(host)} is not an address of this machine. Name one with \`--listen ADDRESS\`.`));
      else reject(error);
    });
    server.server.once('listening', resolve);
    server.listen(port, host);
  });
}
