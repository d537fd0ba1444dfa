import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type DevProcess, listen, type Message, problemsAt, startDev } from './dev-server.ts';
import { send } from './hosts/contract/send.ts';
import { squareSvg } from './images.ts';
import { makeSite, removeSite, type SiteFolder } from './site-folder.ts';

const LIST = '/api/v2/theme/';
const CONFIG = '/api/v2/theme/config/';

describe('themecast dev', () => {
  let site: SiteFolder;
  let dev: DevProcess;
  let events: Awaited<ReturnType<typeof listen>>;
  const port = (): number => Number(new URL(dev.url).port);
  const fileOf = (slug: string, name: string): string => path.join(site.themesDir, slug, name);
  const list = async (): Promise<{ id: number; name: string; logo: string }[]> =>
    JSON.parse((await send(port(), { path: LIST })).body) as never;

  beforeAll(async () => {
    site = await makeSite({ themes: { harbor: {}, meadow: {} }, users: [['u-7', 'meadow']] });
    dev = await startDev(site.root);
    events = await listen(dev.url);
    expect(await events.next()).toMatchObject({ type: 'built' });
  });
  afterAll(async () => {
    events?.close();
    await dev?.stop('SIGKILL');
    await removeSite(site);
  });

  /** Changes files, and returns the event that follows. */
  async function eventAfter(change: () => Promise<unknown>): Promise<Message> {
    const nextEvent = events.next();
    await change();
    return nextEvent;
  }

  /** Writes a file in one step: an empty file in between could cause another event. */
  const write = async (file: string, text: string | Buffer): Promise<void> => {
    const complete = path.join(site.root, 'complete');
    await writeFile(complete, text);
    await rename(complete, file);
  };

  const readName = async (slug: string): Promise<string> =>
    /^name: (.*)$/m.exec(await readFile(fileOf(slug, 'theme.yaml'), 'utf8'))?.[1] ?? '';
  const renameTheme = async (slug: string, name: string): Promise<void> => {
    const file = fileOf(slug, 'theme.yaml');
    await write(file, (await readFile(file, 'utf8')).replace(/^name: .*$/m, `name: ${name}`));
  };

  test('prints the result of the build and all URLs', () => {
    expect(dev.output()).toMatch(/^✔ 2 themes built in [\d.]+ m?s, \d+ images rendered\n/);
    for (const line of [
      `Gallery  ${dev.url}/\n`,
      `List     ${dev.url}${LIST}\n`,
      `Config   ${dev.url}${CONFIG}\n`,
      'Watching themes/. Press Ctrl+C to stop.\n',
    ])
      expect(dev.output()).toContain(line);
  });

  test('serves the documents with its own URLs and the theme of the requesting user', async () => {
    expect((await list()).map(({ logo }) => new URL(logo).origin)).toEqual([dev.url, dev.url]);
    const config = async (headers: Record<string, string>): Promise<unknown> =>
      (JSON.parse((await send(port(), { path: CONFIG, headers })).body) as { id: number }).id;
    expect(await config({})).toBe(1);
    expect(await config({ Cookie: 'uid=u-7' })).toBe(2);
    expect(await config({ Cookie: 'uid=U-7' })).toBe(1);
    const response = await send(port(), { path: LIST });
    expect(response).toMatchObject({ status: 200, headers: { allow: 'GET, POST, HEAD, OPTIONS', vary: 'Accept' } });
    // Browsers must not store responses while themes are edited.
    expect(response.headers['cache-control']).toBe('no-cache');
    for (const { logo } of await list())
      expect(await send(port(), { path: new URL(logo).pathname })).toMatchObject({
        status: 200,
        headers: { 'content-type': 'image/svg+xml' },
      });
  });

  test('serves its pages', async () => {
    for (const [target, text] of [
      ['/', '<h1>Themes</h1>'],
      ['/themes/meadow/', 'id="preview"'],
      ['/themes/meadow/theme.css', '--theme-logo-height'],
      ['/?as=u-7', 'u-7 gets meadow'],
      ['/?as=unknown', 'unknown gets harbor'],
      ['/?as=a%20b', 'This is no key: it contains a space at position 2.'],
      ['/__themecast/dev.css', ':root'],
      ['/__themecast/page.js', 'EventSource'],
      [`${LIST}?format=api`, '<meta name="themecast-build"'],
    ] as const) {
      const { status, body, headers } = await send(port(), { path: target });
      expect([target, status]).toEqual([target, 200]);
      expect(body).toContain(text);
      if (body.startsWith('<!doctype'))
        expect(headers['content-security-policy']).toMatch(
          /^default-src 'none'; .*script-src 'self'; .*frame-ancestors 'none'$/,
        );
    }
  });

  test('responds to its own host names only', async () => {
    const response = await send(port(), { path: '/', headers: { Host: 'rebound.example' } });
    expect(response.status).toBe(403);
    expect(JSON.parse(response.body)).toEqual({ detail: `This server accepts requests for ${dev.url} only.` });
    for (const host of ['localhost', '[::1]'])
      expect((await send(port(), { path: '/', headers: { Host: `${host}:${port()}` } })).status).toBe(200);
  });

  test('lets only pages on this machine read the service', async () => {
    const origin = async (from: string): Promise<unknown> =>
      (await send(port(), { path: LIST, headers: { Origin: from } })).headers['access-control-allow-origin'];
    expect(await origin('http://localhost:3000')).toBe('http://localhost:3000');
    expect(await origin('https://app.example.org')).toBeUndefined();
    expect(await origin('http://localhost.example.org')).toBeUndefined();
  });

  test('does not send its token to pages of another origin', async () => {
    const page = async (headers: Record<string, string>, target = `${LIST}?format=api`) =>
      send(port(), { path: target, headers });
    for (const Origin of [dev.url, dev.url.replace('127.0.0.1', 'localhost')])
      expect((await page({ Origin })).body).toContain(dev.token);
    expect((await page({})).body).toContain(dev.token);
    for (const Origin of ['http://localhost:3000', 'https://app.example.org', 'null']) {
      expect((await page({ Origin })).body).not.toContain(dev.token);
      const { headers } = await page({ Origin }, '/themes/meadow/');
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
    expect((await page({}, '/themes/meadow/')).body).toContain(dev.token);
  });

  test('shows a changed file, whether overwritten or replaced', async () => {
    expect(await eventAfter(() => renameTheme('meadow', 'Field'))).toMatchObject({ type: 'built' });
    expect((await list()).map(({ name }) => name)).toContain('Field');
    const file = fileOf('meadow', 'theme.yaml');
    const text = (await readFile(file, 'utf8')).replace('name: Field', 'name: Pasture');
    expect(
      await eventAfter(async () => {
        await writeFile(`${file}~`, text);
        await rename(`${file}~`, file);
      }),
    ).toMatchObject({ type: 'built' });
    expect((await list()).map(({ name }) => name)).toContain('Pasture');
    // The new file is watched as well.
    expect(await eventAfter(() => renameTheme('meadow', 'Meadow'))).toMatchObject({ type: 'built' });
    expect((await list()).map(({ name }) => name)).toContain('Meadow');
  });

  test('shows new and deleted folders', async () => {
    const text = await readFile(fileOf('meadow', 'theme.yaml'), 'utf8');
    const folder = path.join(site.themesDir, 'new');
    expect(
      await eventAfter(async () => {
        const beside = path.join(site.root, 'beside');
        await mkdir(beside);
        await writeFile(path.join(beside, 'theme.yaml'), 'extends: harbor\nid: 9\nname: New\n');
        await rename(beside, folder);
      }),
    ).toMatchObject({ type: 'built' });
    expect((await list()).map(({ id }) => id)).toEqual([1, 2, 9]);
    expect(await eventAfter(() => rename(folder, path.join(site.themesDir, 'newer')))).toMatchObject({ type: 'built' });
    expect((await send(port(), { path: '/themes/newer/' })).status).toBe(200);
    expect(await eventAfter(() => rm(path.join(site.themesDir, 'newer'), { recursive: true }))).toMatchObject({
      type: 'built',
    });
    expect((await list()).map(({ id }) => id)).toEqual([1, 2]);
    expect(await readFile(fileOf('meadow', 'theme.yaml'), 'utf8')).toBe(text);
  });

  test('shows errors while it serves the last valid build', async () => {
    const file = fileOf('harbor', 'logo.svg');
    const valid = await readFile(file);
    const name = await readName('meadow');

    const broken = await eventAfter(() => write(file, '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'));
    expect(broken.type).toBe('problems');
    expect(await problemsAt(dev.url)).toMatch(/^themes\/harbor\/logo\.svg:1:\d+ {2}error {2}/);
    expect((await send(port(), { path: '/' })).body).toContain('The themes have errors');
    expect(dev.output()).toContain(
      '✘ The last good build is still served. Fix the errors, and the themes are built again.\n',
    );

    await eventAfter(() => renameTheme('meadow', 'Unseen\nlogo_hieght: 3'));
    for (const text of ['themes/harbor/logo.svg:1', 'logo_hieght']) expect(await problemsAt(dev.url)).toContain(text);
    expect((await list()).map((theme) => theme.name)).toContain(name);

    await eventAfter(() => write(file, valid));
    const text = await readFile(fileOf('meadow', 'theme.yaml'), 'utf8');
    const fixed = text.replace('name: Unseen\nlogo_hieght: 3', `name: ${name}`);
    expect(await eventAfter(() => write(fileOf('meadow', 'theme.yaml'), fixed))).toMatchObject({ type: 'built' });
    expect((await send(port(), { path: '/' })).body).not.toContain('The themes have errors');
  });

  test("shows a theme's diagnostics on its card, including those about images in subfolders", async () => {
    const folder = path.join(fileOf('meadow', ''), 'drafts');
    await eventAfter(async () => {
      await mkdir(folder);
      await writeFile(path.join(folder, 'unused.svg'), squareSvg(3, 3));
    });
    expect((await send(port(), { path: '/' })).body).toContain('href="/themes/meadow/#diagnostics">1 warning');
    // This change renders no image.
    expect(dev.output()).toMatch(/ built in [\d.]+ m?s\n$/);
    await eventAfter(() => rm(folder, { recursive: true }));
  });

  test('recovers from a themes folder that is replaced with a file', async () => {
    const away = `${site.themesDir}-away`;
    const event = await eventAfter(async () => {
      await rename(site.themesDir, away);
      await writeFile(site.themesDir, '');
    });
    expect([event.type, await problemsAt(dev.url)]).toEqual([
      'problems',
      expect.stringContaining('This is a file, not a folder'),
    ]);
    await eventAfter(async () => {
      await rm(site.themesDir);
      await rename(away, site.themesDir);
    });
    expect(await list()).toHaveLength(2);
  });

  test('reloads changed users', async () => {
    const users = path.join(site.themesDir, 'users.csv');
    const text = await readFile(users, 'utf8');
    await eventAfter(() => write(users, text.replace('u-7', 'u-8')));
    expect((await send(port(), { path: '/?as=u-8' })).body).toContain('u-8 gets meadow');
    await eventAfter(() => write(users, text.replace('meadow', 'maedow')));
    expect((await send(port(), { path: '/' })).body).toContain('There is no theme with this name');
    await eventAfter(() => write(users, text));
  });

  test('writes only to the cache, and ends without an error', async () => {
    expect(existsSync(site.outDir)).toBe(false);
    expect(existsSync(site.edgeOutDir)).toBe(false);
    expect((await dev.stop()).code).toBe(0);
  });

  test('renders no image again after a restart, except one that the cache has lost', async () => {
    dev = await startDev(site.root);
    expect(dev.output()).toMatch(/^✔ 2 themes built in [\d.]+ m?s$/m);
    const [theme] = JSON.parse((await send(port(), { path: LIST })).body) as { logo_site: { thumbnail: string } }[];
    const path_ = new URL(theme?.logo_site.thumbnail ?? '').pathname;
    const thumbnail = await send(port(), { path: path_ });
    expect(thumbnail.status).toBe(200);
    await rm(path.join(site.cacheDir, 'objects'), { recursive: true });
    expect(await send(port(), { path: path_ })).toMatchObject({ status: 200, body: thumbnail.body });
  });
});

describe('startup', () => {
  const sites: SiteFolder[] = [];
  afterEach(async () => {
    for (const site of sites.splice(0)) await removeSite(site);
  });

  test('with errors shows them, and builds once they are fixed', async () => {
    const site = await makeSite({ themes: { harbor: { fields: { logo_height: 'tall' } } } });
    sites.push(site);
    const dev = await startDev(site.root);
    try {
      const port = Number(new URL(dev.url).port);
      expect(dev.output()).toContain(
        '✘ Nothing can be served yet, but the gallery shows all valid parts. Fix the errors, and the themes are built again.\n',
      );
      const page = await send(port, { path: '/' });
      expect(page.status).toBe(200);
      expect(page.body).toContain('logo_height');
      expect(page.body).toContain('Nothing is served until');
      expect(page.body).not.toContain('the last version that built is served');
      expect(await send(port, { path: LIST })).toMatchObject({ status: 503 });
      const events = await listen(dev.url);
      expect(await events.next()).toMatchObject({ type: 'problems' });
      const file = path.join(site.themesDir, 'harbor/theme.yaml');
      await writeFile(file, (await readFile(file, 'utf8')).replace(/^logo_height: .*$/m, 'logo_height: 30'));
      expect(await events.next()).toMatchObject({ type: 'built' });
      expect(await send(port, { path: LIST })).toMatchObject({ status: 200 });
      events.close();
    } finally {
      await dev.stop();
    }
  });
});
