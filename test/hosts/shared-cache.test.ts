import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { IdentityRule } from '../../src/core/edge-runtime/rules.ts';
import { SHARED_CACHES, startCache } from './cache-process.ts';
import type { Host } from './contract.ts';
import { CONFIG, LIST } from './contract/expected.ts';
import { type Request, send, sendAll } from './contract/send.ts';
import { handlerOf, startResponding } from './handler-process.ts';
import { reportMissing } from './process.ts';
import { type PublishedSite, publishSite, removeSite, textOf, type Theme } from './site.ts';

// Tests shared caches between the service and its users, as an administrator or a provider may install them. All themes have the
// same length, so only response headers keep users apart.

const IDENTITY: IdentityRule[] = [
  { names: 'user', credential: { from: 'header', name: 'X-Remote-User', proxies: ['127.0.0.1'] } },
  { names: 'user', credential: { from: 'cookie', name: 'uid' } },
  {
    names: 'theme',
    credential: { from: 'host', themes: { 'tom.example.org': 'meadow', 'nancy.example.org': 'nightfall' } },
  },
];

interface Requester {
  headers: Readonly<Record<string, string>>;
  theme: Theme;
}

const CREDENTIALS = {
  cookie: (user: string) => ({ Cookie: `uid=${user}` }),
  header: (user: string) => ({ 'X-Remote-User': user }),
  host: (user: string) => ({ Host: `${user}.example.org` }),
} as const;
type CredentialKind = keyof typeof CREDENTIALS;

/** Returns two users and an anonymous requester. */
const requesters = (kind: CredentialKind): Requester[] => [
  { headers: CREDENTIALS[kind]('tom'), theme: 'meadow' },
  { headers: CREDENTIALS[kind]('nancy'), theme: 'nightfall' },
  { headers: {}, theme: 'harbor' },
];

/** Whether a cache stores LIST. HAProxy does not, because its `Vary` contains names that HAProxy does not support. */
const STORES_LIST = { nginx: true, varnish: true, haproxy: false };

describe.each(Object.keys(SHARED_CACHES) as (keyof typeof SHARED_CACHES)[])('a shared cache: %s', (name) => {
  const cache = SHARED_CACHES[name];
  if (cache.command === undefined) {
    reportMissing(cache.title);
    return;
  }
  let site: PublishedSite;
  let origin: Host;
  const requests: string[] = [];
  let host: Host;
  beforeAll(async () => {
    site = await publishSite({ identity: IDENTITY });
    const respond = handlerOf(site);
    origin = await startResponding((request) => {
      requests.push(request.url ?? '');
      return respond(request);
    });
    host = await startCache(cache, site.folder, origin.port);
  });
  afterAll(async () => {
    await host?.stop();
    await origin?.stop();
    await removeSite(site);
  });

  const body = (theme: Theme, rendering = 'json') => textOf(site, `${CONFIG.slice(1)}${theme}.${rendering}`);
  const get = (path: string, headers: Request['headers'] = {}) => send(host.port, { path, headers });

  describe.each(Object.keys(CREDENTIALS) as CredentialKind[])('users identified by %s', (kind) => {
    it.each(
      permutations(requesters(kind)).map((order, index) => [order.map(({ theme }) => theme), order, index] as const),
    )('get the right theme in the order %j', async (_, order, index) => {
      // The service ignores the query, so this is a path that is not cached yet.
      const path = `${CONFIG}?${kind}=${index}`;
      for (const method of ['HEAD', 'GET', 'GET']) {
        for (const { headers, theme } of order) {
          for (const [Accept, rendering] of [
            ['application/json', 'json'],
            ['text/html', 'html'],
            ['text/css', 'css'],
          ] as const) {
            const answer = await send(host.port, { method, path, headers: { ...headers, Accept } });
            expect(answer).toMatchObject({ status: 200, body: method === 'HEAD' ? '' : body(theme, rendering) });
          }
        }
      }
    });

    it('get the right theme when all send requests at once', async () => {
      const crowd = Array.from({ length: 10 }, () => requesters(kind)).flat();
      const path = `${CONFIG}?crowd=${kind}`;
      const answers = await sendAll(
        host.port,
        crowd.map(({ headers }) => ({ path, headers })),
      );
      expect(answers.map((answer) => answer.body)).toEqual(crowd.map(({ theme }) => body(theme)));
    });

    it('never get 304 for the theme of another user', async () => {
      const path = `${CONFIG}?validators=${kind}`;
      for (const holder of requesters(kind)) {
        const etag = (await get(path, holder.headers)).headers['etag'] ?? '';
        expect(etag).not.toBe('');
        for (const { headers, theme } of requesters(kind)) {
          const answer = await get(path, { ...headers, 'If-None-Match': etag });
          const confirmed = answer.status === 304 && theme === holder.theme;
          expect(answer).toMatchObject(confirmed ? { body: '' } : { status: 200, body: body(theme) });
        }
      }
    });
  });

  it(`${STORES_LIST[name] ? 'caches' : 'does not cache'} LIST, each rendering separately`, async () => {
    const requestBoth = async () => {
      for (const [Accept, file] of [
        ['application/json', 'index.json'],
        ['text/html', 'browse.html'],
      ] as const) {
        const answer = await get(`${LIST}?cached`, { Accept });
        expect(answer).toMatchObject({ status: 200, body: textOf(site, `${LIST.slice(1)}${file}`) });
      }
    };
    await requestBoth();
    await requestBoth();
    expect(requests.filter((url) => url === `${LIST}?cached`)).toHaveLength(STORES_LIST[name] ? 2 : 4);
  });

  it('caches no error and no metadata', async () => {
    const path = `${LIST}?format=xml`;
    expect((await get(path)).status).toBe(404);
    expect((await get(path)).status).toBe(404);
    expect(requests.filter((url) => url === path)).toHaveLength(2);
    const metadata = await send(host.port, { method: 'OPTIONS', path: `${CONFIG}?metadata` });
    expect(metadata.body).toBe(textOf(site, `${CONFIG.slice(1)}options.json`));
    expect((await get(`${CONFIG}?metadata`)).body).toBe(body('harbor'));
  });
});

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((first, at) => permutations(items.toSpliced(at, 1)).map((items) => [first, ...items]));
}
