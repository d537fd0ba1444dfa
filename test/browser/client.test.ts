import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { build } from '../../src/compiler/build.ts';
import { codeBlocks, readPage, ROOT } from '../docs/pages.ts';
import { installPackage, unpackedPackage } from '../docs/package.ts';
import type { Host } from '../hosts/contract.ts';
import { IN_FOREGROUND, NGINX } from '../hosts/nginx-process.ts';
import { freePort, reportMissing, startServer } from '../hosts/process.ts';
import { squareSvg } from '../images.ts';
import { makeSite, removeSite, type SiteFolder } from '../site-folder.ts';
import { describeInChromium, expectAccessible, launch, loadImages } from './chromium.ts';

const run = promisify(execFile);
const PAGE = readPage('docs/clients.md');
const SERVICE = 'https://community.example.org';
const CONFIG = '/api/v2/theme/config/';
const [MAIL = '', FETCH = '', SERVER = '', PAGE_TS = '', HOOK = '', REFRESH = '', PALETTE = '', FIXTURES = ''] =
  codeBlocks(PAGE, 'ts');
const [STYLESHEET = ''] = codeBlocks(PAGE, 'html');
const HTML = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Community</title>
<link rel="icon" href="data:,"><script type="module" src="page.js"></script></head>
<body>${STYLESHEET}<button id="log-out">Log out</button></body></html>`;

if (NGINX === undefined) reportMissing('nginx');
else
  describeInChromium('the page in the documentation, served by nginx', () => {
    let site: SiteFolder;
    let unpacked: string;
    let folder: string;
    let origin: string;
    let nginx: Host;
    let browser: Browser;
    let context: BrowserContext;
    let page: Page;
    let pageErrors: string[];

    beforeAll(async () => {
      const [port, servicePort] = [await freePort(), await freePort()];
      origin = `http://127.0.0.1:${port}`;
      site = await publish(origin, servicePort);
      unpacked = unpackedPackage();
      folder = await mkdtemp(path.join(tmpdir(), 'themecast-page-'));
      await compileBlocks(folder, unpacked, site, origin);
      await cp(path.join(site.edgeOutDir, 'nginx'), path.join(folder, 'themecast'), { recursive: true });
      await writeFile(path.join(folder, 'nginx.conf'), nginxConf(folder, port, servicePort));
      await chmod(folder, 0o755);
      const args = ['-p', folder, '-c', path.join(folder, 'nginx.conf'), '-e', path.join(folder, 'error.log')];
      [nginx, browser] = await Promise.all([startServer({ command: NGINX ?? '', args, port }), launch()]);
    });
    afterAll(async () => {
      await browser?.close();
      await nginx?.stop();
      await removeSite(site);
      for (const directory of [folder, unpacked]) await rm(directory, { recursive: true, force: true });
    });

    beforeEach(async () => {
      await context?.close();
      context = await browser.newContext();
      context.setDefaultTimeout(120_000);
    });

    /** Opens the page in a new tab, as a user. */
    async function visit(uid: string): Promise<void> {
      await context.addCookies([{ name: 'uid', value: uid, url: origin }]);
      await page?.close();
      // A new list: an earlier page may report a failed request late.
      const errors: string[] = (pageErrors = []);
      page = await context.newPage();
      page.on('console', (message) => errors.push(message.text()));
      page.on('pageerror', (error) => errors.push(error.message));
      await page.goto(`${origin}/index.html`);
    }
    /** Returns the themes of the title, the icon and the logo. */
    const visibleThemes = (): Promise<string[]> =>
      page.evaluate(`[
        document.title,
        document.querySelector('link[rel=icon]').href,
        getComputedStyle(document.querySelector('img')).content,
      ].map((text) => /harbor|meadow|nightfall/.exec(text)?.[0] ?? text)`);
    const threeTimes = (theme: string): string[] => [theme, theme, theme];
    const storedTheme = (): Promise<string | undefined> =>
      page.evaluate(`JSON.parse(localStorage.getItem('themecast:${origin}${CONFIG}') ?? '{}').value?.name`);

    it('shows the name, icon and logo of the user, and forgets them at log-out', async () => {
      await visit('tom');
      expect(await page.locator('img').boundingBox()).toMatchObject({ height: 40 });
      await expect.poll(visibleThemes).toEqual(threeTimes('meadow'));
      expect(await storedTheme()).toBe('meadow');
      await page.click('#log-out');
      await expect.poll(() => visibleThemes().catch(() => undefined)).toEqual(threeTimes('harbor'));
      await expect.poll(storedTheme).toBe('harbor');
      await visit('eve');
      await expect.poll(visibleThemes).toEqual(threeTimes('nightfall'));
      expect(pageErrors).toEqual([]);
    });

    it('renders a mail with the theme of its recipient, readable in light and dark mail programs', async () => {
      const src = path.join(folder, 'src');
      const { stdout: mail } = await run(process.execPath, ['mail.js'], { cwd: src });
      page = await context.newPage();
      await page.setViewportSize({ width: 600, height: 400 });
      await page.goto(`${origin}/fetch.html`);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setContent(
          `<html lang="en"><meta name="color-scheme" content="light dark"><title>Mail</title><body style="margin: 0"><main><h1>News</h1>${mail}</main>`,
        );
        await loadImages(page);
        expect(await page.locator('img').getAttribute('src')).toMatch(
          /\/media\/meadow\/logo\.[0-9a-f]{16}-thumbnail-600x200\.png$/,
        );
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(600);
        await expectAccessible(page, colorScheme);
      }
    });

    it('has working examples for servers and tests', async () => {
      const { stdout } = await run(process.execPath, ['server.js'], { cwd: path.join(folder, 'src') });
      expect(stdout.split('\n')).toEqual([
        ...['harbor', 'meadow', 'nightfall'].map((theme) => expect.stringMatching(`^${theme}: ${origin}/media/`)),
        'meadow',
        '',
      ]);
      expect(await run(process.execPath, ['fixtures.js'], { cwd: path.join(folder, 'src') })).toEqual({
        stdout: '',
        stderr: '',
      });
    });
  });

/** Builds a site with three users, which nginx serves on a separate port behind the server of the page. */
async function publish(origin: string, servicePort: number): Promise<SiteFolder> {
  const users = [
    ['tom', 'meadow'],
    ['eve', 'nightfall'],
    ['u-1001', 'meadow'],
  ] as const;
  const themes = { harbor: {}, meadow: {}, nightfall: {} };
  const site = await makeSite({ site: { base_url: origin, edge: ['nginx'] }, themes, users });
  const listen = `origin: { listen: '127.0.0.1:${servicePort}', document_root: '${site.outDir}' }\n`;
  await writeFile(path.join(site.themesDir, 'site.yaml'), `base_url: ${origin}\nedge: [nginx]\n${listen}`);
  expect(await build(site)).toMatchObject({ ok: true });
  await chmod(site.root, 0o755);
  return site;
}

/** A declaration of `react`, as in `@types/react`. */
const REACT = `declare module 'react' {
  export function useSyncExternalStore<Snapshot>(
    subscribe: (onStoreChange: () => void) => () => void,
    getSnapshot: () => Snapshot,
    getServerSnapshot?: () => Snapshot,
  ): Snapshot;
}\n`;

/** Writes the code blocks of the page into `src/`, and compiles them. */
async function compileBlocks(folder: string, unpacked: string, site: SiteFolder, origin: string): Promise<void> {
  const src = path.join(folder, 'src');
  await mkdir(src);
  installPackage(unpacked, folder);
  const client = await run(process.execPath, [path.join(unpacked, 'lib/bundle/cli.js'), 'client'], { cwd: folder });
  await writeFile(path.join(src, 'theme.ts'), client.stdout);
  await cp(path.join(site.outDir, 'api/v2/theme/config/index.json'), path.join(src, 'fallback.json'));
  const files = {
    'index.html': HTML,
    'logo.svg': squareSvg(40, 40).toString(),
    'page.ts': PAGE_TS,
    'fetch.ts': `export {};\n${FETCH}`,
    'fetch.html': '<!doctype html><script type="module" src="fetch.js"></script>',
    'mail.ts': `export {};\n${MAIL}\nconsole.log(mail);\n`,
    'server.ts': SERVER,
    'fixtures.ts': FIXTURES,
    // These are run in test/client/react.test.ts.
    'use-theme.ts': HOOK,
    'refresh.ts': REFRESH,
    'palette.ts': PALETTE,
    'react.d.ts': REACT,
    'package.json': '{"type":"module"}',
  };
  for (const [name, text] of Object.entries(files))
    await writeFile(path.join(src, name), text.replaceAll(SERVICE, origin));
  const flags =
    '--strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --verbatimModuleSyntax --isolatedModules';
  const lib =
    '--resolveJsonModule --module nodenext --target es2022 --lib es2022,dom --types --skipLibCheck false --rootDir .';
  const sources = [
    'page.ts',
    'fetch.ts',
    'mail.ts',
    'server.ts',
    'fixtures.ts',
    'refresh.ts',
    'palette.ts',
    'react.d.ts',
  ];
  const args = [path.join(ROOT, 'node_modules/typescript/bin/tsc'), ...`${flags} ${lib}`.split(' '), ...sources];
  await run(process.execPath, args, { cwd: src }).catch((error: { stdout: string }) => expect(error.stdout).toBe(''));
}

/** Returns a configuration that serves the page, and forwards requests of themes to the service. */
function nginxConf(folder: string, port: number, servicePort: number): string {
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`);
  return `${IN_FOREGROUND}http {
    access_log off;
    ${folders.join(' ')}
    include themecast/hash.conf;
    include themecast/theme-service.conf;
    server {
        listen 127.0.0.1:${port};
        root ${folder}/src;
        types { text/html html; text/css css; text/javascript js; application/json json; image/svg+xml svg; image/png png; }
        location /api/ { proxy_pass http://127.0.0.1:${servicePort}; }
        location /media/ { proxy_pass http://127.0.0.1:${servicePort}; }
        location = /log-out { add_header Set-Cookie "uid=; Max-Age=0; Path=/"; return 204; }
    }
}
`;
}
