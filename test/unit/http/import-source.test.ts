import { afterAll, beforeAll, expect, it } from 'vitest';
import { HttpClient } from '../../../src/system/http/io/client.ts';
import { requestUrl } from '../../../src/system/http/io/fetcher.ts';
import { readList } from '../../../src/system/http/read-list.ts';
import { ServiceSource } from '../../../src/commands/import/io/source.ts';
import { type Answer, type FakeService, startFakeService } from '../../import/service.ts';

let service: FakeService;
let source: ServiceSource;

beforeAll(async () => {
  service = await startFakeService();
  const { origin } = new URL(service.url);
  const options = { origin, rate: 1000, credentials: {} };
  source = new ServiceSource(service.url, options);
});
afterAll(async () => {
  source.close();
  await service.close();
});

const LIST = '/api/v2/theme/';
const list = (): ReturnType<typeof readList> => readList(source.listUrl, (url) => source.page(url));

const redirect =
  (location: string): Answer =>
  (_, response) =>
    void response.writeHead(302, { Location: location }).end();

it.each<[string, string, string]>([
  [
    'a host that serves only its own pages',
    'http://localhost:PORT/logo.svg',
    'only to certain clients or pages. Allow',
  ],
  [
    'the same host with https',
    'https://127.0.0.1:PORT/logo.svg',
    'The service is at https://127.0.0.1:PORT: run the command',
  ],
])('suggests a remedy for an image at %s', async (_, url, hint) => {
  const { origin, port } = new URL(service.url);
  const media = new ServiceSource(service.url, {
    origin,
    rate: 1000,
    credentials: {},
  });
  service.answers.set('/logo.svg', (__, response) => void response.writeHead(403).end());
  const image = await media.image(url.replace('PORT', port), 1000);
  media.close();
  expect(image).toEqual({ problem: expect.stringContaining(hint.replace('PORT', port)) as string });
});

it('does not wait for a body that arrives byte by byte', async () => {
  const client = new HttpClient({ timeoutMs: 2000 });
  service.answers.set('/slow', (_, response) => {
    const timer = setInterval(() => response.write('x'), 20);
    response.once('close', () => clearInterval(timer));
  });
  const request = { method: 'GET', origin: service.url, target: '/slow', headers: {}, limit: 1e6, keep: 0 } as const;
  expect(await client.send(request)).toMatchObject({ end: 'too slow' });
  client.close();
});

it.each<[string, Answer, string]>([
  [
    'a redirect to a login page, without its query',
    redirect('/accounts/login/?next=s3cret'),
    'returns no list of themes. It redirects to URL/accounts/login/. The response is an HTML page, not JSON. If it is a login page, pass credentials: `--header NAME=VARIABLE`.',
  ],
  [
    'a redirect to a missing login page',
    redirect('/sign-in?next=s3cret'),
    'returns no list of themes. It redirects to URL/sign-in, and the response there is 404. If it is a login page, pass credentials: `--header NAME=VARIABLE`.',
  ],
  [
    'a response that asks to wait an hour',
    (_, response) => void response.writeHead(429, { 'Retry-After': '3600' }).end(),
    '/api/v2/theme/ is busy. It asks to wait 60 minutes before the next request (Retry-After). Run the same command again then.',
  ],
  [
    'a page that is too large',
    (_, response) => void response.end(Buffer.alloc(16 * 1024 * 1024 + 1, 91)),
    'It is larger than 16,777,216 bytes.',
  ],
])('reports %s', async (_, respond, message) => {
  service.answers.set(LIST, respond);
  service.answers.set('/accounts/login/', (_, response) => void response.end('<!doctype html><title>Sign in</title>'));
  const earlierRequests = service.requests.length;
  await expect(list()).rejects.toThrow(message.replace('URL', service.url));
  expect(service.requests.length - earlierRequests).toBeLessThanOrEqual(2);
});

it.each([
  ['https://old.example.org/media/a.png', 'https://old.example.org/media/a.png'],
  // Behind a proxy that terminates TLS, a service writes its own URLs with http.
  ['http://old.example.org/media/a.png', 'https://old.example.org/media/a.png'],
  ['https://cdn.example.org/a.png', 'https://cdn.example.org/a.png'],
  ['https://old.example.org@evil.example/a.png', 'It contains a user name or a password.'],
  ['file:///etc/passwd', 'It is no http or https URL.'],
])('requests %s as %s', (text, url) => {
  expect(String(requestUrl(text, 'https://old.example.org'))).toBe(url);
});
