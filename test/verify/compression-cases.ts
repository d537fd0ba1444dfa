import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Passing } from './sabotaged-server.ts';
import { type Case, configOf, isConfig, isJson, isList, isMedia, where } from './sabotages.ts';

const accepts = (coding: string, holds: (at: Passing) => boolean) => (at: Passing) =>
  at.request['accept-encoding'] === coding && at.status === 200 && at.method === 'GET' && holds(at);

/** Sends a body with the given Content-Encoding, whatever its actual coding. */
function send(at: Passing, body: Buffer, coding: string): void {
  at.body = body;
  Object.assign(at.headers, { 'content-encoding': coding, vary: `${at.headers['vary'] ?? ''}, Accept-Encoding` });
  delete at.headers['etag'];
}

const stale = (at: Passing): Buffer =>
  Buffer.from(at.body.toString().replaceAll('meadow', 'Meadow').replaceAll('harbor', 'Harbor'));
const DOCUMENT = ['compression/document'] as const;

/** Responses to browsers: the same documents, compressed. */
export const compressionCases: readonly Case[] = [
  [
    'a stale .gz beside LIST',
    where(
      accepts('gzip', (at) => isList(at) && isJson(at)),
      (at) => send(at, gzipSync(stale(at)), 'gzip'),
    ),
    DOCUMENT,
    /sha256 .*Content-Encoding: gzip/,
  ],
  [
    'a stale .br beside the page of LIST',
    where(
      accepts('br', (at) => isList(at) && !isJson(at)),
      (at) => send(at, brotliCompressSync(stale(at)), 'br'),
    ),
    DOCUMENT,
    /Content-Encoding: br/,
  ],
  [
    'a stale .gz beside the document of one theme',
    where(
      accepts('gzip', (at) => isConfig(at) && isJson(at) && at.request['cookie'] === 'theme=meadow'),
      (at) => send(at, gzipSync(stale(at)), 'gzip'),
    ),
    DOCUMENT,
    /Content-Encoding: gzip/,
    /`gzip_static`/,
  ],
  [
    "compressed, one user's theme is given to all",
    where(
      accepts('gzip', (at) => isConfig(at) && isJson(at)),
      (at, built) => send(at, gzipSync(configOf(built, 'harbor')), 'gzip'),
    ),
    DOCUMENT,
    /Content-Encoding: gzip/,
  ],
  [
    'a .gz that is damaged',
    where(accepts('gzip', isList), (at) => send(at, Buffer.from('not gzip'), 'gzip')),
    DOCUMENT,
    /^damaged after 0 bytes/,
  ],
  [
    'a .gz that is cut off',
    where(accepts('gzip', isList), (at) => send(at, gzipSync(at.body).subarray(0, -20), 'gzip')),
    DOCUMENT,
    /^cut off after/,
  ],
  [
    'a .br that is damaged',
    where(accepts('br', isConfig), (at) => send(at, Buffer.alloc(40, 0xff), 'br')),
    DOCUMENT,
    /^damaged after/,
  ],
  [
    'a bomb',
    where(
      accepts('gzip', (at) => isList(at) && isJson(at)),
      (at) => send(at, bomb(), 'gzip'),
    ),
    DOCUMENT,
    /^over the limit after/,
  ],
  [
    'another coding than was asked for',
    where(accepts('br', isList), (at) => send(at, gzipSync(at.body), 'gzip')),
    DOCUMENT,
    /Content-Encoding: gzip/,
  ],
  [
    'plain bytes called gzip',
    where(accepts('gzip', isList), (at) => send(at, at.body, 'gzip')),
    DOCUMENT,
    /^damaged after/,
  ],
  [
    'a stale .gz beside an SVG',
    where(
      accepts('gzip', (at) => isMedia(at) && at.target.endsWith('.svg')),
      (at) => send(at, gzipSync('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'gzip'),
    ),
    DOCUMENT,
    /Content-Encoding: gzip/,
  ],
  ['an error when compressed', where(accepts('gzip', isConfig), (at) => void (at.status = 500)), DOCUMENT, /^500$/],
];

let made: Buffer | undefined;
/** 80 MB of zeros in 80 kB. */
function bomb(): Buffer {
  made ??= gzipSync(Buffer.alloc(80_000_000));
  return made;
}
