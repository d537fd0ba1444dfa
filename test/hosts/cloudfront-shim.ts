import { createHmac, createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import vm from 'node:vm';
import { cloudfront } from '../../src/hosts/cloudfront/index.ts';
import { trimmed } from '../../src/core/edge-runtime/white-space.ts';
import { listening } from '../listening.ts';
import type { Host } from './contract.ts';
import { filesOf } from './install.ts';
import { contentOf, type PublishedSite } from './site.ts';

// Simulates CloudFront: supports the features that AWS documents for functions, and rejects all others.
// Sources: the pages "Event structure", "JavaScript runtime 2.0 features", "General helper methods" and "Restrictions on edge
// functions" of the Amazon CloudFront Developer Guide. How a malformed Cookie header is parsed is undocumented and guessed here.

interface Value {
  value: string;
  multiValue?: Value[];
}
type Fields = Record<string, Value>;
interface EventRequest {
  method: string;
  uri: string;
  querystring: Fields;
  headers: Fields;
  cookies: Fields;
  rawQueryString(): string | undefined;
}
/** The response of the bucket. Functions do not receive its body. */
interface BucketAnswer {
  statusCode: number;
  headers: Fields;
  body: string;
}
interface EventResponse {
  statusCode: number;
  headers: Fields;
  body?: { encoding: 'text'; data: string };
}
type Handler = (event: object) => Promise<EventRequest | EventResponse> | EventRequest | EventResponse;
interface Functions {
  viewerRequest: Handler;
  viewerResponse: Handler;
}

/** Headers that no function may add ("Restrictions on all edge functions"). */
const DISALLOWED =
  /^(?:connection|expect|keep-alive|proxy-.*|trailer|upgrade|x-accel-.*|x-amz-cf-.*|x-amzn-.*|x-cache|x-edge-.*|x-forwarded-proto|x-real-ip)$/;
const READ_ONLY = { request: ['content-length', 'host', 'transfer-encoding', 'via'], response: ['warning', 'via'] };

export function cloudfrontFiles(site: Pick<PublishedSite, 'rules' | 'mapping'>): Map<string, string> {
  return new Map(filesOf(cloudfront, site).map((file) => [file.path, contentOf(file)]));
}

/** Serves a site through the functions, in front of a bucket. */
export async function startCloudfrontShim(site: PublishedSite): Promise<Host> {
  const files = cloudfrontFiles(site);
  const store = importStore(files.get('kvs.json') ?? '');
  // An administrator stores the secrets, as in the README.
  for (const [key, secret] of storedSecrets(site)) store.set(key, secret);
  const functions = {
    viewerRequest: loadFunction(files.get('viewer-request.js') ?? '', store),
    viewerResponse: loadFunction(files.get('viewer-response.js') ?? '', undefined),
  };
  return listening((request, response) => {
    exchange(request, response, functions, site).catch((error: unknown) => response.writeHead(503).end(String(error)));
  });
}

/** Returns the secrets under the keys of the README. */
export function storedSecrets({ secrets }: Pick<PublishedSite, 'secrets'>): [key: string, secret: string][] {
  return Object.entries(secrets).map(([env, secret]) => [`secret:${env}`, secret]);
}

/** Imports a file into a key-value store, with the limits of AWS. */
function importStore(text: string): Map<string, string> {
  const { data } = JSON.parse(text) as { data: { key: string; value: string }[] };
  const store = new Map(data.map(({ key, value }) => [key, value]));
  if (store.size !== data.length) throw new Error('The import file has duplicate keys.');
  if (Buffer.byteLength(text) > 5_000_000) throw new Error('The import file is larger than 5 MB.');
  for (const [key, value] of store) {
    if (key.length > 512 || key.length + value.length > 1024) throw new Error(`The entry ${key} is too long.`);
  }
  return store;
}

/** Loads a function into a realm that has only the features of the runtime. */
export function loadFunction(code: string, store: ReadonlyMap<string, string> | undefined): Handler {
  if (Buffer.byteLength(code) > 10_240) throw new Error('The function is larger than 10 kB.');
  const modules = {
    cloudfront: {
      kvs: () => ({
        async get(key: string) {
          const value = store?.get(key);
          if (value === undefined) throw new Error('KeyNotFound');
          return value;
        },
      }),
    },
    crypto: { createHmac },
  };
  const realm = vm.createContext(
    { modules, Buffer: { from: (text: string, encoding: BufferEncoding) => Buffer.from(text, encoding) } },
    { codeGeneration: { strings: false, wasm: false } },
  );
  vm.runInContext(RUNTIME_2, realm);
  const script = code.replace(/^import (\w+) from '(\w+)';$/gm, 'const $1 = modules.$2;');
  return vm.runInContext(`'use strict';${script}\nhandler`, realm) as Handler;
}

/** A script that removes features missing from cloudfront-js-2.0, as far as the functions could use them. */
const RUNTIME_2 = `
for (const name of ['Map', 'Set', 'WeakMap', 'WeakSet', 'Proxy', 'Reflect', 'Intl', 'eval', 'URL', 'WebAssembly']) delete globalThis[name];
for (const name of ['fromEntries', 'hasOwn', 'groupBy']) delete Object[name];
delete Array.from;
for (const name of ['at', 'flat', 'flatMap', 'entries', 'findLast', 'toSorted']) delete Array.prototype[name];
for (const name of ['at', 'matchAll', 'normalize', 'localeCompare']) delete String.prototype[name];
`;

async function exchange(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  functions: Functions,
  site: PublishedSite,
): Promise<void> {
  const request = eventRequest(incoming);
  const { method } = request;
  const before = JSON.stringify(READ_ONLY.request.map((name) => request.headers[name]));
  const viewer = { ip: incoming.socket.remoteAddress };
  const result = await functions.viewerRequest({
    version: '1.0',
    context: { eventType: 'viewer-request' },
    viewer,
    request,
  });
  // A response that the function generates does not pass through viewer-response.
  if ('statusCode' in result) {
    send(outgoing, method, result, result.body?.data ?? '');
    return;
  }
  if (result.method !== method || !result.uri.startsWith('/'))
    throw new Error('The function changed a read-only field.');
  if (JSON.stringify(READ_ONLY.request.map((name) => result.headers[name])) !== before)
    throw new Error('The function changed a read-only header.');
  const { body, ...response } = bucketAnswer(result, site);
  // Functions do not run for errors of the origin, and never see the body.
  const final =
    response.statusCode >= 400
      ? response
      : await functions.viewerResponse({
          version: '1.0',
          context: { eventType: 'viewer-response' },
          viewer,
          request: result,
          response,
        });
  send(outgoing, method, final as EventResponse, body);
}

function eventRequest({ method = 'GET', url = '/', headersDistinct, rawHeaders }: IncomingMessage): EventRequest {
  const [uri = '/', ...query] = url.split('?');
  const raw = url.includes('?') ? query.join('?') : undefined;
  const { cookie, ...otherHeaders } = headersDistinct;
  if (rawHeaders.length === 0) throw new Error('A request without headers.');
  return {
    method,
    uri,
    querystring: fields((raw ?? '').split('&').filter(Boolean).map(pair)),
    headers: fields(
      Object.entries(otherHeaders).flatMap(([name, values = []]) => values.map((value) => [name, value] as const)),
    ),
    cookies: fields(
      (cookie ?? [])
        .join('; ')
        .split(';')
        .filter((text) => text.includes('='))
        .map(pair),
    ),
    rawQueryString: () => raw,
  };
}

function pair(text: string): readonly [string, string] {
  const [name = '', ...value] = text.split('=');
  return [trimmed(name), trimmed(value.join('='))];
}

/** Groups repeated fields: `value` is the first value, `multiValue` contains all. */
function fields(pairs: readonly (readonly [string, string])[]): Fields {
  const grouped: Fields = {};
  for (const [name, value] of pairs) {
    const first = Object.hasOwn(grouped, name) ? grouped[name] : undefined;
    if (first === undefined)
      Object.defineProperty(grouped, name, { value: { value }, enumerable: true, configurable: true, writable: true });
    else (first.multiValue ??= [{ value: first.value }]).push({ value });
  }
  return grouped;
}

/** Responds as S3 does: exact keys, MD5 digests as ETags, conditional requests and ranges. */
function bucketAnswer({ method, uri, headers, cookies, querystring }: EventRequest, site: PublishedSite): BucketAnswer {
  // CloudFront could make cookies and query strings part of the cache key.
  if (uri.startsWith('/api/') && Object.keys({ ...cookies, ...querystring }).length > 0)
    throw new Error('The function forwards cookies or the query to the bucket.');
  const file = site.files.get(uri.slice(1));
  const content = file !== undefined && 'text' in file.content ? file.content.text : undefined;
  if (content === undefined || (method !== 'GET' && method !== 'HEAD')) {
    return { statusCode: 403, headers: { 'content-type': { value: 'application/xml' } }, body: '<Error/>' };
  }
  const etag = `"${createHash('md5').update(content).digest('hex')}"`;
  const objectHeaders: Fields = {
    etag: { value: etag },
    'last-modified': { value: 'Sat, 21 Nov 2026 12:00:00 GMT' },
    'accept-ranges': { value: 'bytes' },
    'cache-control': { value: 'max-age=60' },
    // Upload tools may guess any type.
    'content-type': { value: 'binary/octet-stream' },
  };
  const same = headers['if-none-match']?.value === etag;
  if (same || headers['if-modified-since'] !== undefined) return { statusCode: 304, headers: objectHeaders, body: '' };
  if (headers['range'] !== undefined) return { statusCode: 206, headers: objectHeaders, body: content.slice(0, 2) };
  return { statusCode: 200, headers: objectHeaders, body: content };
}

function send(outgoing: ServerResponse, method: string, { statusCode, headers }: EventResponse, body: string): void {
  for (const name of Object.keys(headers)) {
    if (name !== name.toLowerCase() || DISALLOWED.test(name)) throw new Error(`CloudFront refuses the header ${name}.`);
  }
  outgoing.statusCode = statusCode;
  for (const [name, { value }] of Object.entries(headers)) outgoing.setHeader(name, value);
  if (statusCode !== 304) outgoing.setHeader('content-length', Buffer.byteLength(body));
  outgoing.end(method === 'HEAD' ? undefined : body);
}
