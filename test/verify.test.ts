import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { build } from '../src/build.ts';
import type { Build } from '../src/edge/verify/build.ts';
import { optionalFor } from '../src/edge/verify/checks.ts';
import { formatVerification } from '../src/edge/verify/format.ts';
import { mediaExchanges } from '../src/edge/verify/media.ts';
import type { Verification } from '../src/edge/verify/verification.ts';
import { readBuild } from '../src/io/built.ts';
import { serve, type Serving } from '../src/io/serve.ts';
import { verify, waitForBuild } from '../src/io/verify.ts';
import { run } from './command-line.ts';
import { quarters } from './pictures.ts';
import { makeSite, removeSite, type SiteFolder } from './site-folder.ts';
import { documentCases } from './verify/document-cases.ts';
import { hostCases } from './verify/host-cases.ts';
import { type SpoiledServer, startSpoiledServer } from './verify/spoiled-server.ts';
import { type Wrong, APP, LIST, CONFIG, where, isList, isJson, reply, textIn } from './verify/spoils.ts';

const LIMITS = { timeoutMs: 2000 };

let server: SpoiledServer;
let site: SiteFolder;
let older: SiteFolder;
let current: Serving;
let stale: Serving;
let built: Build;

beforeAll(async () => {
  server = await startSpoiledServer();
  site = await makeSite({
    site: { base_url: server.url, cors: { allowed_origins: [APP] } },
    themes: {
      harbor: {},
      meadow: { pictures: { 'banner.png': await quarters(64, 16).png().toBuffer() } },
      nightfall: {},
    },
    users: [
      ['meadow-user', 'meadow'],
      ['night-user', 'nightfall'],
      ['tom', 'meadow'],
    ],
  });
  older = await makeSite({
    site: { base_url: server.url, cors: { allowed_origins: [APP] } },
    themes: { harbor: {}, meadow: { fields: { logo_height: 99 } } },
  });
  expect(await build(site)).toMatchObject({ ok: true, diagnostics: [] });
  expect(await build(older)).toMatchObject({ ok: true, diagnostics: [] });
  current = await serve({ ...site, port: 0 });
  stale = await serve({ ...older, port: 0 });
  built = await readBuild(site.outDir, site.edgeOutDir, [], () => undefined);
});

afterAll(async () => {
  for (const serving of [current, stale]) serving?.server.close();
  await server.stop();
  await removeSite(site);
  await removeSite(older);
});

beforeEach(() => {
  server.upstream = portOf(current);
  server.spoil = () => undefined;
  server.asked.length = 0;
});

function portOf({ url }: Serving): number {
  return Number(new URL(url).port);
}

/** Verifies the spoiled server. */
async function verified(spoil: Wrong, as: readonly string[] = []): Promise<Verification> {
  server.spoil = (passing) => spoil(passing, built);
  return verify({ url: server.url, build: built, as }, LIMITS);
}

function red({ checks }: Verification): string[] {
  return [...new Set(checks.filter(({ ok }) => !ok).map(({ id }) => id))].toSorted();
}

describe('a sound deployment', () => {
  it('passes every check', async () => {
    const result = await verified(() => undefined, ['tom', 'night-user', 'nobody']);
    expect(red(result)).toEqual([]);
    expect(result.checks.filter(({ found }) => found !== undefined)).toEqual([]);
    expect(result.notes).toEqual([]);
    expect(new Set(result.checks.map(({ id }) => id)).size).toBe(result.checks.length);
  });

  it('is asked nothing that could change it', async () => {
    await verified(() => undefined);
    const methods = new Map<string, Set<string>>();
    for (const { method, target } of server.asked) methods.set(method, (methods.get(method) ?? new Set()).add(target));
    expect([...methods.keys()].toSorted()).toEqual(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT']);
    expect([...(methods.get('POST') ?? []), ...(methods.get('PUT') ?? [])].toSorted()).toEqual([
      LIST,
      LIST,
      CONFIG,
      CONFIG,
    ]);
    expect(server.asked.filter(({ headers }) => (headers['content-length'] ?? '0') !== '0')).toEqual([]);
  });

  it('is asked as one user each of two themes, whose keys are not printed', async () => {
    const result = await verified(() => undefined);
    const cookies = new Set(server.asked.map(({ headers }) => headers['cookie']).filter(Boolean));
    expect(cookies).toEqual(new Set(['uid=meadow-user', 'uid=night-user']));
    const text = formatVerification(server.url, result, 1, { colour: false, quiet: false });
    expect(text).toContain('me… → meadow (2), ni… → nightfall (3)');
    expect(JSON.stringify(result) + text).not.toMatch(/meadow-user|night-user/);
  });
});

describe('a deployment with one thing wrong', () => {
  it.each([...documentCases, ...hostCases])('%s', async (_wrong, spoil, ids, found) => {
    const result = await verified(spoil);
    expect(red(result)).toEqual(ids.toSorted());
    const faults = result.checks.filter(({ ok }) => !ok);
    expect(faults.some((fault) => found.test(fault.found ?? ''))).toBe(true);
    expect(faults.filter(({ hint, url, expected }) => !hint || !url?.startsWith(server.url) || !expected)).toEqual([]);
  });

  it('names a list that is stale, and nothing else', async () => {
    server.upstream = portOf(stale);
    const result = await verified(() => undefined);
    expect(red(result)).toEqual(['list/build']);
    expect(result.checks.find(({ id }) => id === 'list/build')?.found).toMatch(
      /^2 themes, sha256 .*missing: nightfall \(3\); different: meadow \(2\)$/,
    );
    expect(server.asked.filter(({ headers }) => headers['cookie'] !== undefined)).toEqual([]);
  });

  it('says that only the place of the pictures differs', async () => {
    const elsewhere = (text: string): string => text.replaceAll(server.url, 'https://old.example.org/community');
    const result = await verified(
      where(
        (at) => isList(at) && isJson(at),
        (at) => void (at.body = Buffer.from(elsewhere(textIn(at)))),
      ),
    );
    expect(result.checks.find(({ id }) => id === 'list/build')?.found).toMatch(
      /; its pictures are at https:\/\/old\.example\.org\/community\/media, those of this build at /,
    );
  });

  it('is sent neither POST nor PUT if themecast did not publish its list', async () => {
    const foreign = (text: string): string => text.replaceAll(/\.[0-9a-f]{16}/g, '');
    const result = await verified(
      where(
        (at) => isList(at) && at.status === 200,
        (at) => void (at.body = Buffer.from(foreign(textIn(at)))),
      ),
    );
    expect(server.asked.filter(({ method }) => method === 'POST' || method === 'PUT')).toEqual([]);
    expect(result.notes.join()).toContain('POST and PUT were not sent');
  });

  it('is asked nothing more if LIST is no list', async () => {
    const result = await verified(where(isList, reply(200, '{"id":1}', 'application/json')));
    expect(red(result)).toEqual(['list/document']);
    expect(server.asked).toHaveLength(1);
  });

  it('says what is optional, as no fault', async () => {
    const spoil = where(
      ({ status }) => status === 301,
      (at) => void (at.headers['location'] = server.url + at.headers['location']),
    );
    const result = await verified(spoil);
    expect(red(result)).toEqual([]);
    const unmet = result.checks.filter(({ found }) => found !== undefined).map(({ id }) => id);
    expect(new Set(unmet)).toEqual(new Set(['path/slash-relative']));
    expect(unmet.every((id) => optionalFor(undefined).has(id))).toBe(true);
  });

  it('cannot say anything about a server that hangs', async () => {
    const hanging = verify({ url: server.url, build: built, as: [] }, { timeoutMs: 200 });
    server.spoil = (at) => void (at.connection = 'hang');
    await expect(hanging).rejects.toThrow('no answer within 0.2 s');
  });
});

describe('limits', () => {
  it('does not download more pictures than a few hundred megabytes', () => {
    const [small, ...others] = [...built.files.values()].filter((file) => file.path.startsWith('media/'));
    if (small === undefined) throw new Error('The site has no picture.');
    const files = new Map(
      [small, ...others.map((file) => ({ ...file, bytes: 200e6 }))].map((file) => [file.path, file]),
    );
    const live = { records: built.list, isCurrent: true, isThemecast: true };
    const exchanges = mediaExchanges({ url: server.url, build: { ...built, files }, as: [] }, live);
    const methods = exchanges.map(({ request }) => request.method);
    expect(methods).toEqual(['GET', 'GET', ...others.slice(1).map(() => 'HEAD')]);
  });

  it('looks at the headers of the other pictures', () => {
    const file = [...built.files.values()].find(({ path: name }) => name.endsWith('.png'));
    if (file === undefined) throw new Error('The site has no PNG.');
    const files = new Map([[file.path, { ...file, bytes: 400e6 }]]);
    const live = { records: built.list, isCurrent: true, isThemecast: true };
    const [exchange] = mediaExchanges({ url: server.url, build: { ...built, files }, as: [] }, live);
    const headers = { 'content-type': file.type, 'content-length': '12', 'x-content-type-options': 'nosniff' };
    const found = exchange?.judge({
      status: 200,
      headers,
      bytes: 0,
      sha256: '',
      start: new Uint8Array(),
      end: 'complete',
    });
    expect(found?.filter(({ ok }) => !ok).map(({ id }) => id)).toEqual([
      'media/bytes',
      'media/cache',
      'headers/security',
    ]);
  });

  it('does not blame a host that does not believe the identity header of strangers', async () => {
    const credential = { from: 'header' as const, name: 'X-Remote-User', proxies: ['10.0.0.1'] };
    const identity = [{ names: 'user' as const, credential }];
    const result = await verify(
      { url: server.url, build: { ...built, rules: { ...built.rules, identity } }, as: ['tom'] },
      LIMITS,
    );
    expect(red(result)).toEqual([]);
    expect(result.checks.find(({ id }) => id === 'config/as-user')?.label).toBe(
      'user 1 (…) not checked: only trusted proxies may say who asks',
    );
  });
});

describe('waiting', () => {
  it('ends when the list is that of the build', async () => {
    server.upstream = portOf(stale);
    setTimeout(() => (server.upstream = portOf(current)), 500);
    const seconds = await waitForBuild({ url: server.url, build: built, as: [] }, 30, LIMITS);
    expect(seconds).toBeGreaterThan(0.5);
    expect(server.asked[0]?.headers).toMatchObject({ 'cache-control': 'no-cache' });
  });

  it('gives up in time', async () => {
    server.upstream = portOf(stale);
    expect(await waitForBuild({ url: server.url, build: built, as: [] }, 1, LIMITS)).toBeUndefined();
  });
});

describe('themecast verify', () => {
  const flags = (): string[] => ['--out', site.outDir, '--edge-out', site.edgeOutDir];

  it('prints a line a group and the count, and ends with 0', async () => {
    const { code, stdout, stderr } = await run([
      'verify',
      `${server.url}/api/v2/theme/`,
      ...flags(),
      '--as',
      'tom',
      '--as',
      'night-user',
      '--wait',
      '5',
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^✔ live after 0 s\n✔ list .*\n✔ config .*anonymous → harbor \(1\), user 1 \(…\) → meadow \(2\), user 2 \(ni…\) → nightfall \(3\)/,
    );
    expect(stdout).toMatch(/✔ \d+ checks passed in .* serves this build\.\n$/);
  });

  it('says what is wrong, what was expected, and what to do, and ends with 1', async () => {
    server.spoil = (passing) => void delete passing.headers['x-content-type-options'];
    const { code, stdout } = await run(['verify', server.url, ...flags(), '--quiet']);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^✘ headers +1 of 2 failed\n {2}✘ X-Content-Type-Options is not as the rules say\. {2}\[headers\/security\]\n {6}at .* and \d+ more\n {6}expected +X-Content-Type-Options: nosniff\n {6}found +no X-Content-Type-Options header\n {6}= .*edge\/nginx\/README\.md\.\n\n✘ 1 of \d+ checks failed/,
    );
  });

  it('prints nothing with --quiet if there is no fault', async () => {
    expect(await run(['verify', server.url, ...flags(), '--quiet'])).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('prints JSON alone, after a wait in vain too', async () => {
    server.upstream = portOf(stale);
    const { code, stdout } = await run(['verify', server.url, ...flags(), '--format', 'json', '--wait', '0']);
    const report = JSON.parse(stdout) as { checks: { id: string; ok: boolean }[] };
    expect(report).toMatchObject({ version: 1, ok: false, url: server.url });
    expect(report.checks.filter(({ ok }) => !ok).map(({ id }) => id)).toEqual(['list/build']);
    expect(code).toBe(1);
  });

  it.each([
    ['no URL', () => [], 'takes one URL'],
    ['two URLs', () => ['http://a.example', 'http://b.example'], 'takes one URL'],
    ['something else', () => ['community.example.org'], 'must be an http or https URL'],
    ['a URL with a password', () => ['https://a:b@community.example.org'], 'must be an http or https URL'],
    ['a wrong wait', () => [server.url, '--wait', 'long'], '--wait must be'],
    ['a wrong format', () => [server.url, '--format', 'github'], '--format must be text or json'],
    [
      'nobody at the port',
      () => ['http://127.0.0.1:1', ...flags()],
      'http://127.0.0.1:1 cannot be reached: the connection was refused.',
    ],
    [
      'no build',
      () => [server.url, '--out', path.join(site.root, 'nowhere'), '--edge-out', site.edgeOutDir],
      'Run `themecast build`',
    ],
  ])('ends with 2 for %s', async (_what, args, message) => {
    const { code, stdout, stderr } = await run(['verify', ...args()]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});

describe('a host that sends files and runs nothing', () => {
  let host: Server;
  let files: SiteFolder;
  beforeAll(async () => {
    host = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://host.invalid');
      const file = path.join(files.outDir, pathname.endsWith('/') ? `${pathname}index.json` : pathname);
      readFile(file).then(
        (bytes) => response.writeHead(200, { 'Content-Type': TYPES[path.extname(file)] ?? 'text/plain' }).end(bytes),
        () => response.writeHead(404, { 'Content-Type': 'text/html' }).end('<h1>Not found</h1>'),
      );
    }).listen(0, '127.0.0.1');
    await once(host, 'listening');
    const { port } = host.address() as AddressInfo;
    files = await makeSite({ site: { base_url: `http://127.0.0.1:${port}`, edge: ['static'] } });
    expect(await build(files)).toMatchObject({ ok: true, diagnostics: [] });
  });
  afterAll(async () => {
    host.close();
    await removeSite(files);
  });

  it('is fine if it was built for alone, or named, and held to the whole contract otherwise', async () => {
    const { port } = host.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    const folders = ['--out', files.outDir, '--edge-out', files.edgeOutDir];
    expect(await run(['verify', url, ...folders])).toMatchObject({ code: 0, stderr: '' });
    const asNginx = await run(['verify', url, ...folders, '--host', 'nginx']);
    expect(asNginx).toMatchObject({ code: 1, stderr: '' });
    expect(asNginx.stdout).toContain('[list/vary]');
    expect(await run(['verify', url, ...folders, '--host', 'ngnix'])).toMatchObject({ code: 2, stdout: '' });
  });
});

const TYPES: Readonly<Record<string, string>> = {
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
};
