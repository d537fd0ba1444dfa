import { gzipSync } from 'node:zlib';
import type { ProxiedResponse } from './sabotaged-server.ts';
import {
  type Case,
  type Fault,
  isConfig,
  isList,
  missing,
  reply,
  set,
  unmodified,
  where,
  without,
} from './sabotages.ts';

const isCss = (at: ProxiedResponse): boolean =>
  isConfig(at) && at.status === 200 && at.headers['content-type']?.startsWith('text/css') === true;
const isOfUser = (at: ProxiedResponse): boolean => isCss(at) && at.request['cookie'] !== undefined;

/** The same response for everyone: a shared cache that stores the first one for all, or rules that ignore the requester. */
function firstForAll(matches: (at: ProxiedResponse) => boolean): Fault {
  let first: Buffer | undefined;
  return (at) => {
    if (matches(at)) at.body = first ??= at.body;
  };
}

/** Faults of the stylesheet, the rendering that websites link to. */
export const styleCases: readonly Case[] = [
  ['without CORP', where(isCss, without('cross-origin-resource-policy')), ['headers/security'], /no Cross-Origin/],
  ['public', where(isCss, set({ 'cache-control': 'public, max-age=60' })), ['headers/cache'], /max-age=60/],
  ['public for users', where(isOfUser, set({ 'cache-control': 'public, max-age=60' })), ['headers/cache'], /max-age/],
  [
    'empty',
    where(isCss, (at) => void (at.body = Buffer.alloc(0))),
    ['method/head', 'style/document'],
    /no css of this build/,
  ],
  [
    'JSON',
    where(isCss, (at) => void (at.body = Buffer.from('{"id":1}'))),
    ['method/head', 'style/document'],
    /\{"id":1\}/,
  ],
  [
    'text/plain',
    where(isCss, set({ 'content-type': 'text/plain' })),
    ['rendering/accept', 'rendering/format', 'style/document'],
    /text\/plain/,
  ],
  ['404', where(isCss, missing), ['method/head', 'rendering/accept', 'rendering/format', 'style/document'], /^404$/],
  ['404 for users', where(isOfUser, missing), ['style/document'], /^404$/],
  [
    'an older one, compressed',
    where(
      (at) => isCss(at) && at.request['accept-encoding'] === 'gzip',
      (at) => {
        at.body = gzipSync(':root{}');
        set({ 'content-encoding': 'gzip', vary: `${at.headers['vary']}, Accept-Encoding` })(at);
        delete at.headers['etag'];
      },
    ),
    ['compression/document'],
    /Content-Encoding: gzip/,
  ],
  ['without Vary', where(isCss, without('vary')), ['headers/vary'], /no Vary/],
  ['without nosniff', where(isCss, without('x-content-type-options')), ['headers/security'], /no X-Content-Type/],
  ['the first one for all', firstForAll(isCss), ['style/document'], / \([123]\)$/],
  [
    '304 to anything',
    where((at) => at.target.includes('format=css') && at.request['if-none-match'] !== undefined, unmodified),
    ['config/validator'],
    /^304/,
  ],
  [
    'JSON to Accept: text/css',
    where((at) => isCss(at) && at.request['accept'] === 'text/css', reply(200, '{}', 'application/json')),
    ['rendering/accept'],
    /application\/json/,
  ],
  [
    'another one to Accept: text/css',
    where(
      (at) => isCss(at) && at.request['accept'] === 'text/css',
      (at) => void (at.body = Buffer.from(':root{}')),
    ),
    ['rendering/accept'],
    /another document/,
  ],
  [
    'LIST has one',
    where((at) => isList(at) && at.target.includes('format=css'), reply(200, ':root{}', 'text/css')),
    ['rendering/format'],
    /^200$/,
  ],
  [
    'a CDN may store CONFIG',
    where(isConfig, set({ 'cdn-cache-control': 'max-age=60' })),
    ['headers/cache'],
    /^cdn-cache-control: max-age=60$/,
  ],
  [
    'Surrogate-Control for CONFIG',
    where(isConfig, set({ 'surrogate-control': 'max-age=600' })),
    ['headers/cache'],
    /^surrogate-control/,
  ],
  [
    'LIST differs for a user',
    where((at) => isList(at) && at.request['cookie'] !== undefined, reply(200, '[]', 'application/json')),
    ['list/status'],
    /another document/,
  ],
  [
    'images are converted for browsers that accept it',
    where(
      ({ target, request }) => target.endsWith('.png') && request['accept']?.includes('image/webp') === true,
      (at) => void (at.body = Buffer.from('RIFF\u0010\0\0\0WEBPVP8 \u0004\0\0\0\0\0\0\0', 'latin1')),
    ),
    ['media/bytes'],
    /an image in WebP/,
  ],
];

const isIcon = (at: ProxiedResponse): boolean =>
  isConfig(at) && at.status === 200 && at.headers['content-type'] === 'image/png';

/** The icon, which is requested because it is among the renderings. */
export const iconCases: readonly Case[] = [
  ['without CORP', where(isIcon, without('cross-origin-resource-policy')), ['headers/security'], /no Cross-Origin/],
  ['public', where(isIcon, set({ 'cache-control': 'public, max-age=60' })), ['headers/cache'], /max-age=60/],
  ['the first one for all', firstForAll(isIcon), ['style/document'], / \([123]\)$/],
  [
    'an image of another build',
    where(isIcon, (at) => void (at.body = Buffer.concat([at.body, Buffer.from(' ')]))),
    ['method/head', 'style/document'],
    /no icon of this build/,
  ],
  [
    'the icon to Accept: image/*',
    where((at) => isConfig(at) && at.request['accept'] === 'image/*', reply(200, 'PNG', 'image/png')),
    ['rendering/accept'],
    /^200$/,
  ],
  [
    'assets.json of another build',
    where(({ target }) => target.endsWith('assets.json'), reply(200, '{}', 'application/json')),
    ['schema/document'],
    /2 bytes/,
  ],
];
