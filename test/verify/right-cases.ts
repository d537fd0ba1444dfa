import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { ProxiedResponse } from './sabotaged-server.ts';
import { type Fault, isConfig, isList, isMedia, isRedirect, set, where, withStatus } from './sabotages.ts';

const isText = ({ headers, status, method }: ProxiedResponse): boolean =>
  status === 200 && method === 'GET' && /json|html|css|svg/.test(headers['content-type'] ?? '');

/** Appends text to a header of a response. */
const appended = (name: string, text: string): Fault =>
  where(
    ({ headers }) => headers[name] !== undefined,
    (at) => void (at.headers[name] += text),
  );

/** Compresses a body if the client accepts it, as a proxy does. */
function compressed(coding: 'gzip' | 'br', tag: (etag: string) => string): Fault {
  return where(
    (at) => isText(at) && at.request['accept-encoding'] === coding,
    (at) => {
      at.body = coding === 'gzip' ? gzipSync(at.body) : brotliCompressSync(at.body);
      const { etag, vary } = at.headers;
      set({ 'content-encoding': coding, vary: vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding` })(
        at,
      );
      if (etag !== undefined) at.headers['etag'] = tag(etag);
    },
  );
}

/** Correctly configured load balancers, proxies and CDNs: nothing is failed or tolerated. */
export const rightCases: readonly (readonly [title: string, fault: Fault])[] = [
  ['a cookie of a load balancer', set({ 'set-cookie': 'AWSALB=x; Expires=Sat, 05 Dec 2026 10:00:00 GMT; Path=/' })],
  ['a cookie of Cloudflare', set({ 'set-cookie': '__cf_bm=x; path=/; HttpOnly; Secure; SameSite=None' })],
  ['Vary by scheme', appended('vary', ', X-Forwarded-Proto')],
  ['Vary by browser', appended('vary', ', User-Agent, Accept-Encoding')],
  ['no-transform', appended('cache-control', ', no-transform')],
  ['no-store, too', where(isConfig, appended('cache-control', ', no-store, max-age=0, must-revalidate'))],
  ['s-maxage on images', where(isMedia, appended('cache-control', ', s-maxage=31536000, stale-if-error=600'))],
  [
    'Cache-Control in another order and case',
    where(isMedia, set({ 'cache-control': 'immutable, Max-Age=31536000, PUBLIC' })),
  ],
  ['nosniff twice', appended('x-content-type-options', ', nosniff')],
  ['two frame options', appended('x-frame-options', ', SAMEORIGIN')],
  ['a stricter referrer policy', set({ 'referrer-policy': 'no-referrer' })],
  [
    'a further policy',
    (at) => {
      const policy = at.headers['content-security-policy'];
      at.headers['content-security-policy'] = `${policy === undefined ? '' : `${policy}, `}upgrade-insecure-requests`;
    },
  ],
  ['308 for the slash', where(isRedirect, withStatus(308))],
  ['gzip with weak ETags', compressed('gzip', (etag) => `W/${etag}`)],
  ['br with ETags of its own', compressed('br', (etag) => etag.replace(/"$/, '-br"'))],
  [
    'CORS and CORP on images',
    where(isMedia, set({ 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' })),
  ],
  [
    'CDN-Cache-Control that stores nothing',
    where(isConfig, set({ 'cdn-cache-control': 'no-store', 'surrogate-control': 'max-age=0' })),
  ],
  [
    'HEAD without Content-Length',
    where(
      ({ method }) => method === 'HEAD',
      (at) => void delete at.headers['content-length'],
    ),
  ],
  [
    'headers of a CDN',
    set({
      age: '7',
      via: '1.1 varnish',
      'cf-ray': 'x',
      'alt-svc': 'h3=":443"',
      'strict-transport-security': 'max-age=1',
    }),
  ],
  ['no ETag', (at) => void delete at.headers['etag']],
  ['304 only to LIST', where((at) => isList(at) && at.status === 304, set({ 'x-cache': 'HIT' }))],
  closedOnce(),
  limitedNow(),
];

/** Closes a connection now and then, as a proxy of a restarted server does. */
function closedOnce(): readonly [string, Fault] {
  const seen = new Set<string>();
  return [
    'each tenth connection closed once',
    (at) => {
      const key = JSON.stringify([at.method, at.target, at.request]);
      if (!seen.has(key) && seen.size % 10 === 0) at.connection = 'drop';
      seen.add(key);
    },
  ];
}

/** Limits requests, but accepts them when they are repeated. */
function limitedNow(): readonly [string, Fault] {
  let requests = 0;
  return [
    'a limit on requests',
    (at) => {
      if (++requests % 100 !== 0) return;
      at.status = 503;
      at.headers['retry-after'] = '0';
    },
  ];
}
