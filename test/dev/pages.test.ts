import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type DevProcess, startDev } from '../dev-server.ts';
import { run } from '../command-line.ts';
import { send } from '../hosts/contract/send.ts';
import { squareSvg } from '../images.ts';
import { BASE_URL, makeSite, removeSite, type SiteFolder } from '../site-folder.ts';

const BROWSER = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

const portOf = ({ url }: DevProcess): number => Number(new URL(url).port);

describe('the pages of `themecast dev`', () => {
  let site: SiteFolder;
  let dev: DevProcess;
  const get = (target: string, headers: Record<string, string> = BROWSER) =>
    send(portOf(dev), { path: target, headers });

  beforeAll(async () => {
    site = await makeSite({
      site: {
        base_url: BASE_URL,
        identity: [
          { group: { header: 'X-Group', shared_secret: { header: 'X-Proxy-Secret', env: 'PROXY_SECRET' } } },
          { user: { cookie: 'uid' } },
        ],
      },
      themes: { harbor: {}, meadow: {} },
      users: [
        ['u-7', 'meadow'],
        ['u-8', 'meadow'],
      ],
      files: { 'themes/users/groups.csv': 'group,theme\ntesters,meadow\n', 'secret.txt': 'secret' },
    });
    dev = await startDev(site.root);
  });
  afterAll(async () => {
    await dev?.stop();
    await removeSite(site);
  });

  describe('that do not exist', () => {
    test.each(['/themes/meadwo/', '/meadow', '/themes', '/themes/%ff/', '/themes/meadow/nothing', '/__themecast/'])(
      '%s: the error page has navigation and reloads with the themes',
      async (target) => {
        const { status, body, headers } = await get(target);
        expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
        expect(body).toContain('<meta name="themecast-build"');
        expect(body).toContain('aria-label="Pages"');
        expect(body).toContain('<h1>No such page</h1>');
      },
    );

    test.each([
      ['/themes/meadow', '/themes/meadow/'],
      ['/themes/meadow?x', '/themes/meadow/?x'],
    ])('%s redirects to %s', async (target, location) => {
      expect(await get(target)).toMatchObject({ status: 301, headers: { location } });
    });
  });
});

describe('an incomplete theme', () => {
  let site: SiteFolder;
  let dev: DevProcess;
  beforeAll(async () => {
    site = await makeSite({ themes: { harbor: {} } });
    const folder = path.join(site.themesDir, 'aurora');
    await mkdir(folder);
    await writeFile(
      path.join(folder, 'theme.yaml'),
      'id: 2\nname: Aurora\nlogo: logo.svg\nlogo_inverse: nothing.svg\npalette_preview: [navy, nocolour, red]\nlogo_height: tall\n',
    );
    await writeFile(path.join(folder, 'logo.svg'), squareSvg(3, 3));
    await mkdir(path.join(site.themesDir, 'broken'));
    await writeFile(path.join(site.themesDir, 'broken/theme.yaml'), 'name: [\n');
    dev = await startDev(site.root);
  });
  afterAll(async () => {
    await dev?.stop();
    await removeSite(site);
  });
  const page = async (target: string): Promise<string> => (await send(portOf(dev), { path: target })).body;
  const missing = (body: string): string[] =>
    [
      ...body.matchAll(/<span class="missing"[^>]*><b>[^<]*<\/b> <code class="key">(.*?)<\/code><span>(.*?)<\/span>/g),
    ].map(([, ...parts]) => parts.map((part) => part.replace(/<[^>]*>/g, '')).join(': '));

  test('is shown with its valid parts before the first build, and lists its missing fields', async () => {
    expect((await send(portOf(dev), { path: '/api/v2/theme/' })).status).toBe(503);
    expect((await send(portOf(dev), { path: '/api/v2/theme/config/' })).status).toBe(503);
    const body = await page('/themes/aurora/');
    const logo = /<img class="logo"[^>]* src="([^"]*)"/.exec(body)?.[1] ?? '';
    const image = await send(portOf(dev), { path: new URL(logo).pathname });
    expect([image.status, image.headers['content-type']]).toEqual([200, 'image/svg+xml']);
    expect(new Set(missing(body))).toEqual(
      new Set([
        'favicon: Missing.',
        'logo_inverse: No image nothing.svg in the folder of this theme, or it is invalid.',
        'compact_logo: Missing.',
        'compact_logo_inverse: Missing.',
        'logo_site: Missing.',
        'default_group_banner: Missing.',
        'default_event_banner: Missing.',
        'default_user_profile_banner: Missing.',
        'logo_height: Cannot be shown: its value has an error.',
        'palette_preview: Cannot be shown: its value has an error.',
      ]),
    );
    expect(await page('/themes/aurora/theme.css')).toMatch(
      /--theme-palette-1: hsl\(240,100%,25%\).*--theme-palette-3: hsl\(0,100%,50%\)/s,
    );
    expect(await page('/themes/aurora/theme.css')).not.toContain('--theme-palette-2');
  });

  test('is in the gallery, even if its YAML cannot be read', async () => {
    const body = await page('/');
    expect([...body.matchAll(/<article[^>]* aria-labelledby="theme-([^"]*)"/g)].map(([, slug]) => slug)).toEqual([
      'harbor',
      'aurora',
      'broken',
    ]);
    expect(body).toContain('<p class="empty">Cannot be shown: line 1 has an error</p>');
    expect(await page('/themes/broken/')).toContain('<p class="empty">Cannot be shown: line 1 has an error.</p>');
    expect(missing(await page('/themes/broken/'))).toEqual([]);
    expect((await send(portOf(dev), { path: '/themes/harbor/' })).body).not.toContain('class="missing"');
  });
});

describe('flags', () => {
  const sites: SiteFolder[] = [];
  const servers: DevProcess[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop();
    for (const site of sites.splice(0)) await removeSite(site);
  });
  const site = async (): Promise<SiteFolder> => {
    const folder = await makeSite({ themes: { harbor: {}, meadow: {} } });
    sites.push(folder);
    return folder;
  };
  const start = async (cwd: string, flags: readonly string[]): Promise<DevProcess> => {
    const server = await startDev(cwd, flags);
    servers.push(server);
    return server;
  };

  test('--listen 0.0.0.0 prints a warning, and accepts requests for addresses but not for names', async () => {
    const { root } = await site();
    const server = await start(root, ['--port', '0', '--listen', '0.0.0.0']);
    expect(server.output()).toContain('Everyone who can reach this server can see the themes and');
    const port = portOf(server);
    const list = async (host: string) => send(port, { path: '/api/v2/theme/', headers: { Host: host } });
    // This is a request through a mapped port of a container.
    const { status, body } = await list('10.1.2.3:9000');
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject([
      { logo: expect.stringMatching(/^http:\/\/10\.1\.2\.3:9000\/media\//) as string },
      {},
    ]);
    expect((await list('rebound.example')).status).toBe(403);
    const headers = { Host: '10.1.2.3:9000', 'Content-Type': 'application/json', 'X-Themecast-Token': server.token };
    expect((await send(port, { method: 'POST', path: '/api/v2/theme/', headers })).status).toBe(400);
  });

  test.each([
    [['--listen', '192.0.2.1'], '`192.0.2.1` is not an address of this machine. Name one with `--listen ADDRESS`.\n'],
    [['--users', '-'], '--users must name a file'],
  ])('%j is rejected', async (invalid, message) => {
    const { root } = await site();
    const { code, stderr } = await run(['dev', '--port', '0', ...invalid], { cwd: root });
    expect([code, stderr]).toEqual([2, expect.stringContaining(message) as string]);
  });
});
