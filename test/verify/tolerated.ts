import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { ProxiedResponse } from './sabotaged-server.ts';
import {
  type Case,
  type Fault,
  isConfig,
  isList,
  isMedia,
  isOldPath,
  isPage,
  isRedirect,
  reply,
  set,
  where,
  withStatus,
} from './sabotages.ts';

const isText = ({ headers, status, method }: ProxiedResponse): boolean =>
  status === 200 && method === 'GET' && /json|html|css|svg/.test(headers['content-type'] ?? '');

/** Appends text to a header of a response. */
const appended = (name: string, text: string): Fault =>
  where(
    ({ headers }) => headers[name] !== undefined,
    (at) => void (at.headers[name] += text),
  );

/** Compresses a body if the client accepts the coding, as a proxy does. */
function compressed(coding: 'gzip' | 'br', tag: (etag: string) => string): Fault {
  return where(
    (at) => isText(at) && at.request['accept-encoding'] === coding,
    (at) => {
      at.body = coding === 'gzip' ? gzipSync(at.body) : brotliCompressSync(at.body);
      const { etag, vary } = at.headers;
      at.headers['content-encoding'] = coding;
      at.headers['vary'] = vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`;
      if (etag !== undefined) at.headers['etag'] = tag(etag);
    },
  );
}

const combine =
  (...faults: readonly Fault[]): Fault =>
  (at, built) => {
    for (const fault of faults) fault(at, built);
  };

/** Correctly configured load balancers, proxies and CDNs, for which all checks pass. */
export const correctCases: readonly (readonly [title: string, fault: Fault, note?: string])[] = [
  [
    'headers of load balancers and CDNs',
    combine(
      set({ 'set-cookie': 'AWSALB=x; Expires=Sat, 05 Dec 2026 10:00:00 GMT; Path=/', age: '7', via: '1.1 varnish' }),
      set({ 'x-varnish': '32770 3', 'x-cache': 'Hit from cloudfront', 'cache-status': 'edge; hit' }),
      appended('vary', ', X-Forwarded-Proto, User-Agent, Accept-Encoding'),
      appended('cache-control', ', no-transform'),
      where(isConfig, set({ 'cdn-cache-control': 'no-store', 'surrogate-control': 'max-age=0' })),
      where(isMedia, set({ 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' })),
    ),
  ],
  [
    'stricter and repeated headers',
    combine(
      where(isConfig, appended('cache-control', ', no-store, max-age=0, must-revalidate')),
      where(isMedia, set({ 'cache-control': 'immutable, Max-Age=31536000, PUBLIC, s-maxage=31536000' })),
      appended('x-content-type-options', ', nosniff'),
      appended('x-frame-options', ', SAMEORIGIN'),
      set({ 'referrer-policy': 'no-referrer' }),
      (at) => {
        const policy = at.headers['content-security-policy'];
        at.headers['content-security-policy'] = `${policy === undefined ? '' : `${policy}, `}upgrade-insecure-requests`;
      },
    ),
  ],
  [
    'an absolute redirect',
    where(isRedirect, (at, built) => void (at.headers['location'] = built.rules.baseUrl + at.headers['location'])),
  ],
  [
    'a gateway that answers preflights, and stale-if-error',
    combine(
      where(
        ({ method, request }) => method === 'OPTIONS' && request['origin'] !== undefined,
        (at) => {
          at.status = 204;
          at.body = Buffer.alloc(0);
          for (const name of ['content-length', 'content-type', 'allow', 'cache-control', 'vary'])
            delete at.headers[name];
        },
      ),
      where(
        ({ headers }) => headers['cache-control']?.includes('max-age') === true,
        appended('cache-control', ', stale-if-error=86400'),
      ),
      set({ 'set-cookie': 'my-sticky=1', 'x-request-id': '7', 'content-language': 'en' }),
    ),
  ],
  ['308 for the slash', where(isRedirect, withStatus(308))],
  ['gzip with weak ETags', compressed('gzip', (etag) => `W/${etag}`)],
  ['br with the ETag of the uncompressed document', compressed('br', (etag) => etag)],
  [
    'a proxy that adds a script to pages',
    where(
      (at) => isPage(at) && (isList(at) || isConfig(at)),
      (at) => void (at.body = Buffer.from(at.body.toString().replace('</body>', '<!-- seen --></body>'))),
    ),
    'POST and PUT were not sent',
  ],
  ['br with separate ETags', compressed('br', (etag) => etag.replace(/"$/, '-br"'))],
  [
    'no ETag, and HEAD without Content-Length',
    (at) => {
      delete at.headers['etag'];
      if (at.method === 'HEAD') delete at.headers['content-length'];
    },
  ],
  withClosedConnections(),
  withRateLimit(),
];

/** Closes some connections once, as a proxy of a restarted server does. */
function withClosedConnections(): readonly [string, Fault] {
  const requestedBefore = new Set<string>();
  return [
    'each tenth connection closed once',
    (at) => {
      const key = JSON.stringify([at.method, at.target, at.request]);
      if (!requestedBefore.has(key) && requestedBefore.size % 10 === 0) at.connection = 'drop';
      requestedBefore.add(key);
    },
  ];
}

/** Rejects some requests, but accepts them when they are repeated. */
function withRateLimit(): readonly [string, Fault] {
  let requests = 0;
  return [
    'a rate limit',
    (at) => {
      if (++requests % 150 !== 0) return;
      at.status = 503;
      at.headers['retry-after'] = '0';
    },
  ];
}

const isGzippedList = (at: ProxiedResponse): boolean => isList(at) && at.request['accept-encoding'] === 'gzip';

/** Weaknesses that are tolerated, except with `--strict`. */
export const toleratedCases: readonly Case[] = [
  [
    'an old path that another service still serves',
    where(isOldPath, reply(200, '<svg/>', 'image/svg+xml')),
    ['redirect/served'],
  ],
  [
    'compressed, without Accept-Encoding in Vary',
    where(isGzippedList, (at) => {
      at.body = gzipSync(at.body);
      set({ 'content-encoding': 'gzip', etag: `W/${at.headers['etag']}` })(at);
    }),
    ['compression/cache'],
  ],
  [
    'LIST that never returns 304',
    where(
      (at) => isList(at) && at.status === 304,
      (at, built) => reply(200, JSON.stringify(built.list), 'application/json')(at),
    ),
    ['conditional/own'],
  ],
];
