import { once } from 'node:events';
import { listening } from '../listening.ts';
import http from 'node:http';

/** A response of the upstream server, to be changed before it is forwarded. */
export interface ProxiedResponse {
  method: string;
  /** The request target, unmodified. */
  target: string;
  request: Readonly<Record<string, string>>;
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  /** A fault below HTTP: no response, or a connection that closes before or within the response. */
  connection?: 'hang' | 'drop' | 'cut';
}

export type Sabotage = (proxied: ProxiedResponse) => void;

/** A proxy that sabotages the responses of another server. */
export interface SabotagedServer {
  url: string;
  readonly requests: { method: string; target: string; headers: Readonly<Record<string, string>> }[];
  /** The port of the upstream server. */
  upstream: number;
  sabotage: Sabotage;
  stop(): Promise<void>;
}

export async function startSabotagedServer(): Promise<SabotagedServer> {
  const { url, stop } = await listening((request, response) => {
    forward(request, response, sabotaged).catch((error: unknown) => response.destroy(error as Error));
  });
  const sabotaged: SabotagedServer = {
    url,
    requests: [],
    upstream: 0,
    sabotage: () => undefined,
    stop: async () => {
      upstreamAgent.destroy();
      await stop();
    },
  };
  return sabotaged;
}

// New connections would take most of the time of a verification.
const upstreamAgent = new http.Agent({ keepAlive: true });

/** The responses of the upstream servers, which are constant, so each request is forwarded only once. */
const responses = new Map<string, Promise<Pick<ProxiedResponse, 'status' | 'headers' | 'body'>>>();

async function forward(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  { requests, upstream, sabotage }: SabotagedServer,
): Promise<void> {
  const { method = 'GET', url: target = '/' } = request;
  const headers = request.headers as Record<string, string>;
  requests.push({ method, target, headers });
  const options = {
    port: upstream,
    host: '127.0.0.1',
    method,
    path: target,
    // `serve` uses this host in the URLs of images.
    headers: { ...headers, host: `127.0.0.1:${request.socket.localPort}` },
  };
  const key = JSON.stringify(options);
  const received = responses.get(key) ?? respond(options);
  responses.set(key, received);
  const { status, headers: plainHeaders, body } = await received;
  const proxied: ProxiedResponse = { method, target, request: headers, status, headers: { ...plainHeaders }, body };
  const before = proxied.body;
  sabotage(proxied);
  if (proxied.connection === 'hang') return;
  if (proxied.connection === 'drop') return void response.destroy();
  if (method !== 'HEAD' && proxied.body !== before) proxied.headers['content-length'] = String(proxied.body.length);
  response.writeHead(proxied.status, proxied.headers);
  if (proxied.connection === 'cut') {
    response.write(proxied.body.subarray(0, proxied.body.length / 2), () => response.destroy());
    return;
  }
  response.end(proxied.body);
}

async function respond(options: http.RequestOptions): Promise<Pick<ProxiedResponse, 'status' | 'headers' | 'body'>> {
  const outgoing = http.request({ ...options, agent: upstreamAgent }).end();
  const [received] = (await once(outgoing, 'response')) as [http.IncomingMessage];
  const body = Buffer.concat(await received.toArray());
  return { status: received.statusCode ?? 0, headers: endToEndHeaders(received.headers), body };
}

function endToEndHeaders(headers: http.IncomingHttpHeaders): Record<string, string> {
  const { connection: _, 'keep-alive': __, 'transfer-encoding': ___, ...endToEnd } = headers;
  return endToEnd as Record<string, string>;
}
