import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Host } from './contract.ts';

/** A static server that adds to its files what common ones do, and a little more. */
export interface Origin extends Host {
  /** Requests that reached it. */
  readonly seen: IncomingMessage[];
  /** What it answers instead of a file from now on, if anything. */
  fails: ((response: ServerResponse) => void) | undefined;
}

/** The types of files as a server has them that nobody has set up. */
const TYPES: Readonly<Record<string, string>> = {
  '.json': 'application/json; charset=koi8-r',
  '.html': 'text/html',
  '.svg': 'text/xml',
};

/** Serves a folder, for a host that asks another server for its files. */
export async function startOrigin(root: string): Promise<Origin> {
  const seen: IncomingMessage[] = [];
  const origin: Origin = { port: 0, seen, fails: undefined, stop: async () => undefined };
  const server = createServer((request, response) => {
    seen.push(request);
    if (origin.fails === undefined)
      sendFile(root, request, response).catch((error: unknown) => response.destroy(error as Error));
    else origin.fails(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin.port = (server.address() as AddressInfo).port;
  origin.stop = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return origin;
}

/** Sends files of `dist/` whatever the method is; validators are made from time and size. */
async function sendFile(root: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://origin.invalid');
  const file = path.join(root, decodeURIComponent(pathname));
  const found = await stat(file).catch(() => undefined);
  response.setHeader('Server', 'origin');
  response.setHeader('Set-Cookie', 'uid=nancy');
  if (!file.startsWith(root) || found === undefined) return refuse(response, 404);
  if (found.isDirectory()) return refuse(response, 301, { Location: `${pathname}/` });

  const { 'if-none-match': none, 'if-modified-since': since, 'if-match': match, range } = request.headers;
  const tag = `"${found.mtimeMs.toString(16)}-${found.size.toString(16)}"`;
  const headers = {
    'Content-Type': TYPES[path.extname(file)] ?? 'application/octet-stream',
    ETag: tag,
    'Last-Modified': found.mtime.toUTCString(),
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'public, max-age=86400',
    Expires: new Date(Date.now() + 86_400_000).toUTCString(),
    Pragma: 'public',
    Vary: 'Accept-Encoding',
    Allow: 'GET',
    'Access-Control-Allow-Origin': '*',
  };
  const confirmed = none === undefined ? since !== undefined && Date.parse(since) >= found.mtimeMs : none === tag;
  if (match !== undefined && match !== tag) return refuse(response, 412, headers);
  if (confirmed) return void response.writeHead(304, headers).end();
  if (range !== undefined) return refuse(response, 416, { ...headers, 'Content-Range': `bytes */${found.size}` });
  const body = await readFile(file);
  response.writeHead(200, { ...headers, 'Content-Length': body.length }).end(body);
}

function refuse(response: ServerResponse, status: number, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, { ...headers, 'Content-Type': 'text/html' }).end(`<h1>${status}</h1>`);
}
