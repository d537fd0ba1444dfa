import { Miniflare, type MiniflareOptions, Response } from 'miniflare';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cloudflare } from '../../src/hosts/cloudflare/index.ts';
import { codeBlocks, readPage } from '../docs/pages.ts';
import { parseWrangler, translate } from '../hosts/cloudflare-process.ts';
import { type Answer, type Request, send, sendAll } from '../hosts/contract/send.ts';
import { install } from '../hosts/install.ts';
import { type PublishedSite, publishSite, removeSite } from '../hosts/site.ts';

const PAGE = readPage('docs/migrating.md');
const LIST = '/api/v2/theme/';
const CONFIG = '/api/v2/theme/config/';
/** The path of an image with a hash of full length, which the sample site does not have. */
const IMAGE = '/media/harbor/logo.3f2a9c013f2a9c01.svg';
const USERS = Array.from({ length: 200 }, (_, at) => `user-${at}`);

interface Settings {
  services: { binding: string; service: string }[];
  vars: { SHARE: string };
  compatibility_date: string;
}

describe('the cut-over Worker of docs/migrating.md, in workerd', () => {
  const code = codeBlocks(PAGE, 'js').find((block) => block.includes('env.SHARE')) ?? '';
  const settings = JSON.parse(codeBlocks(PAGE, 'json').find((block) => block.includes('SHARE')) ?? '{}') as Settings;
  let site: PublishedSite;
  let server: Miniflare;
  let port = 0;

  /** Returns the options of Miniflare for a share. */
  let withShare: (share: string) => MiniflareOptions;
  const setShare = async (share: string): Promise<void> => {
    await server.setOptions(withShare(share));
    port = Number((await server.ready).port);
  };

  beforeAll(async () => {
    site = await publishSite();
    const { folder, files } = await install('cloudflare', cloudflare, site);
    const {
      host,
      port: anyPort,
      ...themes
    } = translate(parseWrangler(files.get('wrangler.jsonc') ?? ''), folder, site);
    const [{ binding, service }] = settings.services as [Settings['services'][number]];
    withShare = (share) => ({
      host,
      port: anyPort,
      workers: [
        {
          name: 'cutover',
          modules: [{ type: 'ESModule', path: 'cutover.js', contents: code }],
          compatibilityDate: settings.compatibility_date,
          bindings: { ...settings.vars, SHARE: share },
          serviceBindings: { [binding]: service },
          outboundService: async (request: globalThis.Request) =>
            new Response(`old ${request.method} ${new URL(request.url).pathname} ${await request.text()}`),
        },
        { ...themes, name: service },
      ],
    });
    server = new Miniflare(withShare(settings.vars.SHARE));
    port = Number((await server.ready).port);
  });
  afterAll(async () => {
    await server?.dispose();
    if (site !== undefined) await removeSite(site);
  });

  const isOld = ({ body }: Answer): boolean => body.startsWith('old ');
  /** Returns the users whose requests the build answers. */
  async function findMovedUsers(): Promise<string[]> {
    const requests = USERS.map((user): Request => ({ path: CONFIG, headers: { Cookie: `a=b; uid=${user}` } }));
    const answers = await sendAll(port, requests);
    for (const { status } of answers) expect(status).toBe(200);
    return USERS.filter((_, at) => !isOld(answers[at] as Answer));
  }

  it('moves a growing share of users, then everyone, then no one', { timeout: 120_000 }, async () => {
    let before: string[] = [];
    for (const share of [settings.vars.SHARE, '10', '50', '100', '0']) {
      await setShare(share);
      const moved = await findMovedUsers();
      expect(Math.abs((moved.length * 100) / USERS.length - Number(share))).toBeLessThanOrEqual(7);
      if (share !== '0') expect(before.filter((user) => !moved.includes(user))).toEqual([]);
      if (share === '0') expect(moved).toEqual([]);
      if (share === '100') expect(moved).toEqual(USERS);
      before = moved;
    }
  });

  it('forwards all other requests unchanged, with any share', { timeout: 120_000 }, async () => {
    await setShare('100');
    for (const path of ['/', '/api/v2/themes/', '/api/v2/theme-x', '/media/7/logo.svg', '/x/api/v2/theme/'])
      expect((await send(port, { path })).body).toBe(`old GET ${path} `);
    expect((await send(port, { path: '/login', method: 'POST' })).body).toBe('old POST /login {}');
    await setShare('0');
    expect((await send(port, { path: LIST, method: 'POST' })).body).toBe(`old POST ${LIST} {}`);
  });

  it('serves the themes, redirects and images of the build', { timeout: 120_000 }, async () => {
    // The build receives this request, and has no such image.
    expect((await send(port, { path: IMAGE })).status).toBe(404);
    await setShare('100');
    const tom = await send(port, { path: CONFIG, headers: { Cookie: 'uid=tom' } });
    expect([tom.status, tom.headers['vary']]).toEqual([200, 'Accept, Cookie']);
    const slash = await send(port, { path: LIST.slice(0, -1) });
    expect([slash.status, slash.headers['location']]).toEqual([301, LIST]);
    expect((await send(port, { path: LIST, method: 'POST' })).status).toBe(403);
  });
});
