import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { build } from '../../src/build/build.ts';
import fallback from '../../src/client/fixtures/default.json' with { type: 'json' };
import emoji from '../../src/client/fixtures/emoji.json' with { type: 'json' };
import { FAULTS, type FaultyService, startFaultyService } from '../client/faulty-service.ts';
import { EXPECTED } from '../client/expected.ts';
import { codeBlocks, readPage, ROOT } from '../docs/pages.ts';
import { installPackage, unpackedPackage } from '../docs/package.ts';
import type { Host } from '../hosts/contract.ts';
import { IN_FOREGROUND, NGINX } from '../hosts/nginx-process.ts';
import { freePort, reportMissing, startServer } from '../hosts/process.ts';
import { longTest } from '../long-test.ts';
import { makeSite, removeSite, type SiteFolder } from '../site-folder.ts';
import { describeInChromium, launch } from './chromium.ts';

const run = promisify(execFile);
const PAGE = readPage('docs/clients.md');
const SERVICE = 'https://community.example.org';
const CONFIG = '/api/v2/theme/config/';
const [FETCH = '', SERVER = '', PAGE_TS = '', HOOK = '', REFRESH = '', PALETTE = '', FIXTURES = ''] = codeBlocks(
  PAGE,
  'ts',
);
const [CSP = ''] = codeBlocks(PAGE, 'text');

it('the page in the documentation allows its inline script by hash', () => {
  const [, script = ''] = /<script data-base-url="[^"]*">([^]*?)<\/script>/.exec(PAGE) ?? [];
  expect(CSP).toContain(`'sha256-${createHash('sha256').update(script).digest('base64')}'`);
});

if (NGINX === undefined) reportMissing('nginx');
else
  describeInChromium('the page in the documentation, with real nginx and users', () => {
    let site: SiteFolder;
    let unpacked: string;
    let folder: string;
    let origin: string;
    let nginx: Host;
    let faulty: FaultyService;
    let slow: SlowService;
    let browser: Browser;
    let page: Page;
    let context: BrowserContext;
    let pageErrors: string[];

    beforeAll(async () => {
      const [port, servicePort] = [await freePort(), await freePort()];
      origin = `http://127.0.0.1:${port}`;
      faulty = await startFaultyService(emoji);
      slow = await startSlowService(servicePort);
      site = await publish(origin, servicePort);
      unpacked = unpackedPackage();
      folder = await mkdtemp(path.join(tmpdir(), 'themecast-page-'));
      await compileBlocks(folder, unpacked, site, origin);
      await cp(path.join(site.edgeOutDir, 'nginx'), path.join(folder, 'themecast'), { recursive: true });
      await writeFile(path.join(folder, 'nginx.conf'), nginxConf(folder, port, servicePort, slow.port, faulty));
      await chmod(folder, 0o755);
      const args = ['-p', folder, '-c', path.join(folder, 'nginx.conf'), '-e', path.join(folder, 'error.log')];
      [nginx, browser] = await Promise.all([startServer({ command: NGINX ?? '', args, port }), launch()]);
    }, 60_000);
    afterAll(async () => {
      await browser?.close();
      await nginx?.stop();
      await Promise.all([faulty?.stop(), slow?.stop()]);
      await removeSite(site);
      for (const one of [folder, unpacked]) await rm(one, { recursive: true, force: true });
    });

    beforeEach(async () => {
      await context?.close();
      context = await browser.newContext();
      context.setDefaultTimeout(10_000);
      // Every logo that a frame shows, from the first on, and once each.
      await context.addInitScript(`
        window.seen = [];
        const look = () => {
          const logo = document.querySelector('.logo');
          const shown = logo && /(fallback|harbor|meadow|nightfall)\\//.exec(getComputedStyle(logo).backgroundImage)?.[1];
          if (logo && window.seen.at(-1) !== shown) window.seen.push(shown);
          requestAnimationFrame(look);
        };
        requestAnimationFrame(look);`);
    });

    /** Opens the page in a new tab, as a user, with a fault of the service. */
    async function visit(uid: string, fault = ''): Promise<void> {
      await context.addCookies([
        { name: 'uid', value: uid, url: origin },
        { name: 'fault', value: fault, url: origin },
      ]);
      await page?.close();
      // Those of this page alone: an earlier one may report a request that failed later.
      const errors: string[] = (pageErrors = []);
      page = await context.newPage();
      page.on('console', (message) => errors.push(message.text()));
      page.on('pageerror', (error) => errors.push(error.message));
      await page.goto(`${origin}/index.html`);
    }
    const seen = (): Promise<string[]> => page.evaluate('window.seen');
    const icon = (): Promise<string> => page.evaluate(`document.querySelector('link[rel=icon]').href`);
    const kept = (): Promise<string | undefined> =>
      page.evaluate(`JSON.parse(localStorage.getItem('themecast:${origin}${CONFIG}') ?? '{}').value?.name`);
    /** Waits for a condition, frame by frame. Not `waitForFunction`, which the policy of the page keeps from evaluating. */
    const until = (condition: string): Promise<unknown> =>
      page.evaluate(`new Promise((resolve) => {
        const look = () => (${condition}) ? resolve() : requestAnimationFrame(look);
        look();
      })`);
    const shows = (theme: string): Promise<unknown> => until(`window.seen.at(-1) === '${theme}'`);

    it('shows the fallback and then the theme of the user on a first visit', async () => {
      await visit('tom');
      await shows('meadow');
      expect(await seen()).not.toContain('nightfall');
      expect(await kept()).toBe('meadow');
      expect(await page.title()).toBe('meadow');
      expect(pageErrors).toEqual([]);
    });

    longTest(
      'shows nothing but the last good theme on later visits, through every fault',
      { timeout: 60_000 },
      async () => {
        await visit('tom');
        await shows('meadow');
        for (const fault of ['offline', 'status-500', 'malformed', '']) {
          const response = context
            .waitForEvent('requestfinished', (one) => one.url().endsWith(CONFIG))
            .catch(() => undefined);
          const failed = context
            .waitForEvent('requestfailed', (one) => one.url().endsWith(CONFIG))
            .catch(() => undefined);
          await visit('tom', fault);
          await Promise.race([response, failed]);
          await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
          expect([fault, await seen(), await kept()]).toEqual([fault, ['meadow'], 'meadow']);
        }
        // Painted before the service has responded at all.
        const asked = slow.asked();
        await visit('tom', 'slow');
        const release = await asked;
        await until("performance.getEntriesByName('first-contentful-paint').length === 1 && window.seen.length > 0");
        expect(await seen()).toEqual(['meadow']);
        const finished = context.waitForEvent('requestfinished', (one) => one.url().endsWith(CONFIG));
        release();
        await finished;
        await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
        expect(await seen()).toEqual(['meadow']);
      },
    );

    it('forgets the theme at log-out, and shows another user none of it', async () => {
      await visit('tom');
      await shows('meadow');
      // Even if the service cannot be reached any more.
      await context.addCookies([{ name: 'fault', value: 'offline', url: origin }]);
      await page.click('#log-out');
      await shows('fallback');
      await until(`document.title === 'harbor'`);
      expect(await kept()).toBeUndefined();
      // No image of the unreachable service replaces those of the page, in the tab neither.
      expect((await seen()).slice(-2)).toEqual(['meadow', 'fallback']);
      expect(await icon()).toBe(`${origin}/fallback/favicon.png`);
      await visit('eve');
      await shows('nightfall');
      expect(await seen()).not.toContain('meadow');
      expect(await icon()).toMatch('/media/nightfall/favicon.');
      expect(await kept()).toBe('nightfall');
      expect(pageErrors).toEqual([]);
    });

    longTest('leaves the theme of the user in no other tab at log-out', async () => {
      await visit('tom');
      await shows('meadow');
      const other = await context.newPage();
      await other.goto(`${origin}/index.html`);
      await expect.poll(() => other.title()).toBe('meadow');
      await page.click('#log-out');
      await expect.poll(() => other.title()).toBe('harbor');
      await shows('harbor');
      expect([await other.evaluate('window.seen.at(-1)'), await kept()]).toEqual(['harbor', 'harbor']);
    });

    longTest('keeps its own images on a first visit without the service', async () => {
      await visit('tom', 'offline');
      await until(`document.title === 'harbor'`);
      expect([await seen(), await icon()]).toEqual([['fallback'], `${origin}/fallback/favicon.png`]);
      expect(await page.evaluate(`document.documentElement.style.getPropertyValue('--theme-logo-height')`)).toBe(
        '40px',
      );
    });

    longTest('forgets the theme even if the request of the log-out fails', async () => {
      await visit('tom');
      await shows('meadow');
      await page.route('**/log-out', (route) => route.abort());
      await page.route(`**${CONFIG}`, (route) => route.abort());
      await page.click('#log-out');
      await shows('fallback');
      expect(await kept()).toBeUndefined();
    });

    longTest('runs the example with fetch', async () => {
      await visit('eve', 'offline');
      await context.addCookies([{ name: 'fault', value: '', url: origin }]);
      await page.goto(`${origin}/fetch.html`);
      await until(`document.title === 'nightfall'`);
    });

    longTest('has a client that works as in the other runtimes', async () => {
      await visit('tom');
      const result = await page.evaluate(`(async () => {
        const [client, { exercise }] = await Promise.all([import('/theme.js'), import('/exercise.js')]);
        return exercise(client, '${origin}/faulty', ${JSON.stringify(fallback)}, ${JSON.stringify(Object.keys(FAULTS))});
      })()`);
      expect(result).toEqual(EXPECTED);
    });

    it('has examples for servers and tests that run', async () => {
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

/** A service that responds when the test lets it. */
interface SlowService {
  port: number;
  /** The next request, as the function that lets it go on. */
  asked: () => Promise<() => void>;
  stop: () => Promise<void>;
}

async function startSlowService(servicePort: number): Promise<SlowService> {
  let arrived: (release: () => void) => void = () => undefined;
  const server = createServer(({ url, headers }, response) => {
    arrived(() => {
      request({ port: servicePort, host: '127.0.0.1', path: url, headers }, (reply) => {
        response.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(response);
      }).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    asked: () => new Promise((resolve) => (arrived = resolve)),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A built site with two users, for nginx on a port of its own behind the server of the page. */
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

/** As in `@types/react`. */
const REACT = `declare module 'react' {
  export function useSyncExternalStore<Snapshot>(
    subscribe: (onStoreChange: () => void) => () => void,
    getSnapshot: () => Snapshot,
    getServerSnapshot?: () => Snapshot,
  ): Snapshot;
}\n`;

/** Writes the blocks of the page into `src/`, and what the compiler makes of them beside them. */
async function compileBlocks(folder: string, unpacked: string, site: SiteFolder, origin: string): Promise<void> {
  const src = path.join(folder, 'src');
  await mkdir(path.join(src, 'fallback'), { recursive: true });
  installPackage(unpacked, folder);
  await run(process.execPath, [path.join(unpacked, 'lib/cli.js'), 'client', '--out', 'src/theme.ts'], { cwd: folder });
  await cp(path.join(site.outDir, 'api/v2/theme/config/index.json'), path.join(src, 'fallback.json'));
  await cp(path.join(import.meta.dirname, '../client/exercise.js'), path.join(src, 'exercise.js'));
  const media = path.join(site.outDir, 'media/harbor');
  const names = await readdir(media);
  const icon = names.find((name) => name.startsWith('favicon.')) ?? '';
  const logo = names.find((name) => name.endsWith('.svg')) ?? '';
  await cp(path.join(media, icon), path.join(src, 'fallback/favicon.png'));
  for (const name of ['logo.svg', 'logo-inverse.svg'])
    await cp(path.join(media, logo), path.join(src, 'fallback', name));
  // The first one is the stylesheet alone.
  const [, html = ''] = codeBlocks(PAGE, 'html');
  const [css = ''] = codeBlocks(PAGE, 'css');
  const files = {
    'index.html': html,
    'page.css': css,
    'page.ts': PAGE_TS,
    'fetch.ts': `export {};\n${FETCH}`,
    'fetch.html': '<!doctype html><script type="module" src="fetch.js"></script>',
    'server.ts': SERVER,
    'fixtures.ts': FIXTURES,
    // Run in test/client/react.test.ts.
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
  const sources = ['page.ts', 'fetch.ts', 'server.ts', 'fixtures.ts', 'refresh.ts', 'palette.ts', 'react.d.ts'];
  const args = [path.join(ROOT, 'node_modules/typescript/bin/tsc'), ...`${flags} ${lib}`.split(' '), ...sources];
  await run(process.execPath, args, { cwd: src }).catch((error: { stdout: string }) => expect(error.stdout).toBe(''));
}

/** The service on its port, and the page before it, with faults by a cookie. */
function nginxConf(folder: string, port: number, servicePort: number, slowPort: number, faulty: FaultyService): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`);
  const csp = CSP.trim().replaceAll(SERVICE, `http://127.0.0.1:${port}`);
  return `${IN_FOREGROUND}http {
    access_log off;
    ${temporary.join(' ')}
    include themecast/hash.conf;
    include themecast/theme-service.conf;
    map $cookie_fault $service {
        default 127.0.0.1:${servicePort};
        slow 127.0.0.1:${slowPort};
    }
    server {
        listen 127.0.0.1:${port};
        root ${folder}/src;
        types { text/html html; text/css css; text/javascript js; application/json json; image/svg+xml svg; image/png png; }
        add_header Content-Security-Policy "${csp}" always;
        location = ${CONFIG} {
            if ($cookie_fault = offline) { return 444; }
            if ($cookie_fault = status-500) { return 500; }
            if ($cookie_fault = malformed) { rewrite ^ /malformed.json last; }
            proxy_pass http://$service;
        }
        location = /malformed.json { default_type application/json; return 200 '{"id":1,"name":"har'; }
        location /api/ { proxy_pass http://127.0.0.1:${servicePort}; }
        location /media/ { proxy_pass http://127.0.0.1:${servicePort}; }
        location /faulty/ { proxy_pass ${faulty.origin}/; }
        location = /log-out { add_header Set-Cookie "uid=; Max-Age=0; Path=/"; return 204; }
    }
}
`;
}
