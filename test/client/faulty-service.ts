import type { ServerResponse } from 'node:http';
import type { ThemeRecord } from '../../src/client/types.ts';
import { listening } from '../listening.ts';

/** A service whose responses depend on the first segment of the path. */
export interface FaultyService {
  origin: string;
  /** The received requests: their paths, and the headers that a client sets deliberately. */
  requests: { path: string; condition: string | undefined; accept: string | undefined; cookie: string | undefined }[];
  stop: () => Promise<void>;
}

type Respond = (response: ServerResponse, theme: ThemeRecord, condition: string | undefined) => void;

const JSON_TYPE = { 'Content-Type': 'application/json' };
const send = (status: number, headers: Record<string, string>, body: string): Respond => {
  return (response) => void response.writeHead(status, headers).end(body);
};
const record = (change: (theme: ThemeRecord) => unknown): Respond => {
  return (response, theme) => void response.writeHead(200, JSON_TYPE).end(JSON.stringify(change(theme)));
};

/** Responses that a client must not use. */
export const FAULTS: Readonly<Record<string, Respond>> = {
  'status-500': send(500, JSON_TYPE, '{}'),
  'status-404': send(404, JSON_TYPE, '{"detail":"Not found."}'),
  'status-206': (response, theme) => void response.writeHead(206, JSON_TYPE).end(JSON.stringify(theme)),
  redirect: send(302, { Location: '/login/' }, ''),
  'login-page': send(200, { 'Content-Type': 'text/html' }, '<title>Log in</title>'),
  'other-type': (response, theme) =>
    void response.writeHead(200, { 'Content-Type': 'text/plain' }).end(JSON.stringify(theme)),
  malformed: send(200, JSON_TYPE, '{"id":1,"name":"Har'),
  empty: send(200, JSON_TYPE, ''),
  'not-modified': send(304, {}, ''),
  closed: (response) => void response.destroy(),
  'null-document': record(() => null),
  'text-document': record(() => 'theme'),
  'no-id': record((theme) => ({ ...theme, id: undefined })),
  'zero-id': record((theme) => ({ ...theme, id: 0 })),
  'text-id': record((theme) => ({ ...theme, id: '1' })),
  'no-name': record((theme) => ({ ...theme, name: undefined })),
  'empty-name': record((theme) => ({ ...theme, name: '' })),
  'null-name': record((theme) => ({ ...theme, name: null })),
  'no-logo': record((theme) => ({ ...theme, logo: undefined })),
  'no-thumbnail': record((theme) => ({ ...theme, logo_site: { original: theme.logo_site.original } })),
  'null-set': record((theme) => ({ ...theme, default_event_banner: null })),
  'http-url': record((theme) => ({ ...theme, logo: theme.logo.replace('https:', 'http:') })),
  'script-url': record((theme) => ({ ...theme, favicon: 'javascript:alert(1)' })),
  'data-url': record((theme) => ({ ...theme, favicon: 'data:image/svg+xml,<svg/>' })),
  'relative-url': record((theme) => ({ ...theme, favicon: '/favicon.ico' })),
  'url-in-list': record((theme) => ({ ...theme, favicon: [theme.favicon] })),
};

const MODES: Readonly<Record<string, Respond>> = {
  ...FAULTS,
  ok: record((theme) => theme),
  /** Sends an ETag, as hosts with content hashes do. */
  etag: (response, theme, condition) => {
    if (condition === '"v1"') response.writeHead(304, { ETag: '"v1"' }).end();
    else response.writeHead(200, { ...JSON_TYPE, ETag: '"v1"' }).end(JSON.stringify(theme));
  },
  /** Never responds: the request ends when the server stops. */
  hang: () => undefined,
  'half-body': (response) => void response.writeHead(200, JSON_TYPE).write('{"id":'),
};

/** Starts the service on loopback. @param theme - the record of CONFIG, and the only record of LIST */
export async function startFaultyService(theme: ThemeRecord): Promise<FaultyService> {
  const requests: FaultyService['requests'] = [];
  const { url: origin, stop } = await listening(({ url = '', headers }, response) => {
    const [, mode = '', path = ''] = /^\/([\w-]+)(\/.*)$/.exec(url) ?? [];
    const condition = headers['if-none-match'];
    requests.push({ path, condition, accept: headers.accept, cookie: headers.cookie });
    const isList = path === '/api/v2/theme/';
    const respond = MODES[mode] ?? send(200, JSON_TYPE, JSON.stringify({ ...theme, name: 'Log in' }));
    if (isList && mode === 'ok')
      record((document) => [document, { ...document, id: 2 }, { ...document, id: 'bad' }])(response, theme, condition);
    else respond(response, theme, condition);
  });
  return { origin, requests, stop };
}
