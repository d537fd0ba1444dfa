import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { ProxiedResponse } from './sabotaged-server.ts';
import { type Case, isConfig, isJson, isList, isMedia, isOpenApi, where } from './sabotages.ts';

const requestsCoding = (coding: string, matches: (at: ProxiedResponse) => boolean) => (at: ProxiedResponse) =>
  at.request['accept-encoding'] === coding && at.status === 200 && at.method === 'GET' && matches(at);

/** Sends a body with the given Content-Encoding, whatever its actual coding. */
function send(at: ProxiedResponse, body: Buffer, coding: string): void {
  at.body = body;
  Object.assign(at.headers, { 'content-encoding': coding, vary: `${at.headers['vary'] ?? ''}, Accept-Encoding` });
  delete at.headers['etag'];
}

const stale = (at: ProxiedResponse): Buffer =>
  Buffer.from(at.body.toString().replaceAll('meadow', 'Meadow').replaceAll('harbor', 'Harbor'));
const DOCUMENT = ['compression/document'] as const;

/** Compresses the same documents for browsers. */
export const compressionCases: readonly Case[] = [
  [
    'a stale .gz beside LIST',
    where(
      requestsCoding('gzip', (at) => isList(at) && isJson(at)),
      (at) => send(at, gzipSync(stale(at)), 'gzip'),
    ),
    DOCUMENT,
    /sha256 .*Content-Encoding: gzip/,
  ],
  [
    'a stale .br beside the page of LIST',
    where(
      requestsCoding('br', (at) => isList(at) && !isJson(at)),
      (at) => send(at, brotliCompressSync(stale(at)), 'br'),
    ),
    DOCUMENT,
    /Content-Encoding: br/,
  ],
  [
    'a stale .gz beside the document of one theme',
    where(
      requestsCoding('gzip', (at) => isConfig(at) && isJson(at) && at.request['cookie'] === 'theme=meadow'),
      (at) => send(at, gzipSync(stale(at)), 'gzip'),
    ),
    DOCUMENT,
    /Content-Encoding: gzip/,
    /`gzip_static`/,
  ],
  [
    'a corrupt .gz',
    where(requestsCoding('gzip', isList), (at) => send(at, Buffer.from('not gzip'), 'gzip')),
    DOCUMENT,
    /^damaged after 0 bytes/,
  ],
  [
    'a truncated .gz',
    where(requestsCoding('gzip', isList), (at) => send(at, gzipSync(at.body).subarray(0, -20), 'gzip')),
    DOCUMENT,
    /^cut off after/,
  ],
  [
    'a decompression bomb',
    where(
      requestsCoding('gzip', (at) => isList(at) && isJson(at)),
      (at) => send(at, bomb(), 'gzip'),
    ),
    DOCUMENT,
    /^over the limit after/,
  ],
  [
    'another coding than requested',
    where(requestsCoding('br', isList), (at) => send(at, gzipSync(at.body), 'gzip')),
    DOCUMENT,
    /Content-Encoding: gzip/,
  ],
  [
    'a stale .gz beside an SVG',
    where(
      requestsCoding('gzip', (at) => isMedia(at) && at.target.endsWith('.svg')),
      (at) => send(at, gzipSync('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'gzip'),
    ),
    DOCUMENT,
    /Content-Encoding: gzip/,
  ],
  ...(
    [
      ['gzip', gzipSync],
      ['br', brotliCompressSync],
    ] as const
  ).map(([coding, compress]): Case => [
    `a stale schema, compressed with ${coding}`,
    where(requestsCoding(coding, isOpenApi), (at) => send(at, compress('{}'), coding)),
    DOCUMENT,
    new RegExp(`Content-Encoding: ${coding}`),
  ]),
  [
    'an error when compressed',
    where(requestsCoding('gzip', isConfig), (at) => void (at.status = 500)),
    DOCUMENT,
    /^500$/,
  ],
];

let cachedBomb: Buffer | undefined;
/** 80 MB of zeros in 80 kB. */
function bomb(): Buffer {
  cachedBomb ??= gzipSync(Buffer.alloc(80_000_000));
  return cachedBomb;
}
