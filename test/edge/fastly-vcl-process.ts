import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fastly } from '../../src/edge/fastly.ts';
import type { Host } from './contract.ts';
import {
  type Ending,
  type Message,
  message,
  program,
  read,
  run,
  text,
  type Transaction,
  transaction,
} from './fastly-vcl-interpreter.ts';
import type { Program } from './fastly-vcl-language.ts';
import { install } from './install.ts';
import { type PublishedSite, PUBLISHED_AT, textOf } from './site.ts';

// No Fastly: the life of a request as "About Fastly VCL" describes it, around an interpreter of the VCL.

interface Stored {
  http: Map<string, string[]>;
  body: string;
}

/** What the backend says: the status, headers and body of a file. */
export type Backend = (path: string) => { status: number; headers: Readonly<Record<string, string>>; body: string };

/** Plain files of a site. `digest` is the ETag of Amazon S3; `time` that of nginx, with the time and the size of the file. */
export function filesOf(site: PublishedSite, etag: 'digest' | 'time'): Backend {
  return (path) => {
    if (!site.files.has(path.slice(1))) return { status: 403, headers: { Server: 'AmazonS3' }, body: '<Error/>' };
    const body = textOf(site, path.slice(1));
    const tag =
      etag === 'digest' ? createHash('md5').update(body).digest('hex') : `6a1f2b80-${body.length.toString(16)}`;
    const headers = {
      ETag: `"${tag}"`,
      'Last-Modified': PUBLISHED_AT.toUTCString(),
      Server: 'AmazonS3',
      Vary: 'Origin',
    };
    return { status: 200, headers, body };
  };
}

/** Answers by the VCL in front of a backend. */
export async function startFastlyVcl(site: PublishedSite, backend: Backend = filesOf(site, 'digest')): Promise<Host> {
  const { files } = await install('fastly', fastly, site);
  const vcl = program(files, site.secrets);
  const cache = new Map<string, Stored>();
  const server = createServer((request, response) => {
    try {
      answer(request, response, vcl, cache, backend);
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    stop: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

function answer(
  { method = 'GET', url = '/', headersDistinct }: IncomingMessage,
  outgoing: ServerResponse,
  vcl: Program,
  cache: Map<string, Stored>,
  backend: Backend,
): void {
  const headers = Object.entries(headersDistinct).map(([name, values = []]): [string, string[]] => [name, values]);
  const at = transaction(vcl, method, url, headers);
  const received = run('vcl_recv', at);
  run('vcl_hash', at);
  const ending = received !== undefined && 'error' in received ? received : lookUp(at, received, cache, backend);
  if (ending !== undefined && 'error' in ending) {
    at.messages.set('obj', message({ status: ending.error, response: '' }));
    run('vcl_error', at);
    const obj = at.messages.get('obj')!;
    at.messages.set('resp', { http: obj.http, values: obj.values });
  }
  run('vcl_deliver', at);
  deliver(at, outgoing);
}

function lookUp(at: Transaction, received: Ending, cache: Map<string, Stored>, backend: Backend): Ending {
  const key = text(read('req.hash', at));
  const kept =
    received !== undefined && 'state' in received && received.state === 'lookup' ? cache.get(key) : undefined;
  if (kept === undefined) {
    const bereq: Message = {
      http: new Map(at.messages.get('req')!.http),
      values: new Map(at.messages.get('req')!.values),
    };
    at.messages.set('bereq', bereq);
    run('vcl_miss', at);
    if (bereq.http.has('cookie')) throw new Error('The origin is told a cookie.');
    const { status, headers, body } = backend(text(read('req.url', at)));
    const beresp = message({ status, ttl: 0 });
    for (const [name, value] of Object.entries(headers)) beresp.http.set(name.toLowerCase(), [value]);
    at.messages.set('beresp', beresp);
    const fetched = run('vcl_fetch', at);
    if (fetched !== undefined && 'error' in fetched) return fetched;
    at.synthetic = body;
    cache.set(key, { http: new Map(beresp.http), body });
  } else at.synthetic = kept.body;
  at.messages.set('resp', { http: new Map(cache.get(key)!.http), values: new Map([['status', 200]]) });
  return undefined;
}

/** As Fastly does it after vcl_deliver: conditional requests, no body for HEAD, and no surrogate keys. */
function deliver(at: Transaction, outgoing: ServerResponse): void {
  const { http } = at.messages.get('resp')!;
  const status = Number(read('resp.status', at));
  const etag = http.get('etag')?.[0];
  const wanted = text(read('req.http.If-None-Match', at))
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''));
  const modified = http.get('last-modified')?.[0];
  const same =
    wanted[0] === ''
      ? modified !== undefined && read('req.http.If-Modified-Since', at) === modified
      : etag !== undefined && (wanted.includes('*') || wanted.includes(etag));
  http.delete('surrogate-key');
  const body = at.synthetic;
  if (status === 200 && same) outgoing.writeHead(304, Object.fromEntries(http)).end();
  else {
    outgoing.writeHead(status, { ...Object.fromEntries(http), 'Content-Length': Buffer.byteLength(body) });
    outgoing.end(body);
  }
}
