import { gzipSync } from 'node:zlib';
import { type Case, isConfig, isList, isOldPath, isPage, isRedirect, reply, set, where } from './sabotages.ts';

/** Weaknesses that are reported but tolerated, except with `--strict`. */
export const toleratedCases: readonly Case[] = [
  [
    'an old path that another service still serves',
    where(isOldPath, reply(200, '<svg/>', 'image/svg+xml')),
    ['redirect/served'],
    /^200/,
    /until that service is switched off/,
  ],
  [
    'compressed, without Accept-Encoding in Vary',
    where(
      (at) => isList(at) && at.request['accept-encoding'] === 'gzip',
      (at) => {
        at.body = gzipSync(at.body);
        at.headers['content-encoding'] = 'gzip';
        at.headers['etag'] = `W/${at.headers['etag']}`;
      },
    ),
    ['compression/cache'],
    /^Vary: /,
    /gzip_vary on/,
  ],
  [
    'compressed, with the ETag of the uncompressed document',
    where(
      (at) => isList(at) && at.request['accept-encoding'] === 'gzip',
      (at) => {
        at.body = gzipSync(at.body);
        set({ 'content-encoding': 'gzip', vary: `${at.headers['vary']}, Accept-Encoding` })(at);
      },
    ),
    ['compression/etag'],
    /^ETag: "/,
  ],
  [
    'LIST never returns 304',
    where(
      (at) => isList(at) && at.status === 304,
      (at, built) => {
        at.status = 200;
        at.headers['content-type'] = 'application/json';
        at.body = Buffer.from(JSON.stringify(built.list));
      },
    ),
    ['list/conditional'],
    /^200, /,
  ],
  [
    'a proxy modifies pages',
    where(
      (at) => isPage(at) && (isList(at) || isConfig(at)),
      (at) => void (at.body = Buffer.from(at.body.toString().replace('</body>', '<!-- seen --></body>'))),
    ),
    ['page/document'],
    /another page/,
  ],
  [
    'an absolute redirect',
    where(isRedirect, (at, built) => void (at.headers['location'] = built.rules.baseUrl + at.headers['location'])),
    ['path/slash-relative'],
    /^301 to http/,
  ],
];
