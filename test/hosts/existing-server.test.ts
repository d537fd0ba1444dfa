import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build } from '../../src/index.ts';
import { makeSite, removeSite, type SiteFolder } from '../site-folder.ts';
import type { Host } from './contract.ts';
import { CONFIG } from './contract/expected.ts';
import { send } from './contract/send.ts';
import { codeBlocks } from './host-readme.ts';
import { IN_FOREGROUND, NGINX } from './nginx-process.ts';
import { skipAll } from '../skip.ts';
import { freePort, installed, reportMissing, startServer } from './process.ts';

/** Directives of a site that must not affect the locations of the service. */
const HOSTILE = `root /nowhere; index x.html; add_header X-App yes; error_page 404 /app-404; charset latin1; expires 1y;
    types { text/plain json png svg; } default_type text/plain; open_file_cache max=100; open_file_cache_valid 1h;`;

if (NGINX === undefined) reportMissing('nginx');
else if (installed('openssl', 'version') === undefined) skipAll('a server that exists', 'openssl is not installed.');
else
  describe('an existing server: nginx with TLS, an app at /, and its own images', () => {
    let site: SiteFolder;
    let server: Host;
    let blocks: string[] = [];
    let [port, tls, listen] = [0, 0, 0];
    const at = (name: string): string => path.join(site.root, 'nginx', name);
    const nginx = (...args: string[]): string =>
      execFileSync(NGINX ?? '', ['-p', at(''), '-c', at('nginx.conf'), '-e', at('error.log'), ...args], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    const block = (start: string): string => blocks.find((one) => one.startsWith(start)) ?? `missing: ${start}`;
    const write = (http: string, own: string): Promise<void> =>
      writeFile(
        at('nginx.conf'),
        `${IN_FOREGROUND}http { access_log off; ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`).join(' ')}
  ${http}
  server { listen 127.0.0.1:${port}; listen 127.0.0.1:${tls} ssl; ssl_certificate cert.pem; ssl_certificate_key key.pem;
    ${HOSTILE}
    location / { return 200 "the app"; }
    ${own}
  }
}
`,
      );

    beforeAll(async () => {
      [port, tls, listen] = [await freePort(), await freePort(), await freePort()];
      site = await makeSite({
        themes: { harbor: {}, meadow: {} },
        users: [['tom', 'meadow']],
        site: {
          base_url: `http://127.0.0.1:${port}`,
          media_url: `http://127.0.0.1:${port}/theme-media`,
          edge: ['nginx'],
          identity: [{ user: { cookie: 'uid' } }],
        },
      });
      const file = path.join(site.themesDir, 'site.yaml');
      const origin = { listen: `127.0.0.1:${listen}`, document_root: site.outDir };
      await writeFile(file, `${await readFile(file, 'utf8')}origin: ${JSON.stringify(origin)}\n`);
      expect((await build(site)).diagnostics).toEqual([]);
      blocks = codeBlocks(readFileSync(path.join(site.edgeOutDir, 'nginx/README.md'), 'utf8'));
      await mkdir(at(''), { recursive: true });
      const subject = ['-subj', '/CN=127.0.0.1', '-days', '1', '-nodes', '-newkey', 'rsa:2048'];
      execFileSync('openssl', ['req', '-x509', ...subject, '-keyout', at('key.pem'), '-out', at('cert.pem')], {
        stdio: 'ignore',
      });
      execFileSync('chmod', ['755', site.root]);
    });
    afterAll(async () => {
      await server?.stop();
      await removeSite(site);
    });

    const ownServer = (): [http: string, own: string] => [
      block('include themecast/has').replace('theme-servic[e]', 'map[s]'),
      block('include themecast/location'),
    ];
    const themeOf = async (cookie: string): Promise<unknown> =>
      (JSON.parse((await send(port, { path: CONFIG, headers: { Cookie: cookie } })).body) as { name: unknown }).name;

    const start = async (): Promise<void> => {
      const args = ['-p', at(''), '-c', at('nginx.conf'), '-e', at('error.log')];
      server = await startServer({ command: NGINX ?? '', args, port });
    };

    it('starts before the first deployment', async () => {
      await write(...ownServer());
      nginx('-t');
      await start();
    });

    it('serves the app and the service, whose responses its directives do not change', async () => {
      await cp(path.join(site.edgeOutDir, 'nginx'), at('themecast'), { recursive: true });
      nginx('-t');
      // Stopped instead of reloaded, because old workers accept connections for a moment.
      await server?.stop();
      await start();
      expect(await themeOf('uid=tom')).toBe('meadow');
      expect(await themeOf('uid=ann')).toBe('harbor');
      const { headers } = await send(port, { path: CONFIG });
      expect(headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'private, no-cache' });
      expect(headers).not.toHaveProperty('x-app');
      expect(await send(port, { path: '/page' })).toMatchObject({ status: 200, body: 'the app' });
      const secure = await new Promise<number | undefined>((resolve, reject) => {
        const options = { host: '127.0.0.1', port: tls, path: CONFIG, rejectUnauthorized: false };
        request(options, (response) => resolve(response.resume().statusCode))
          .on('error', reject)
          .end();
      });
      expect(secure).toBe(200);
      // Otherwise open_file_cache would keep the old document for an hour.
      const index = path.join(site.outDir, `${CONFIG.slice(1)}meadow.json`);
      await writeFile(`${index}.new`, '{"name":"changed"}');
      execFileSync('mv', [`${index}.new`, index]);
      expect(await themeOf('uid=tom')).toBe('changed');
    });

    it('reports its own location of images, and serves the themes beside it as the README says', async () => {
      const images = 'location /media/ { return 200 "image of the app"; }';
      const [http, locations] = ownServer();
      await write(http, `${locations} ${images}`);
      expect(() => nginx('-t')).toThrow('duplicate location "/media/"');
      expect(await readFile(path.join(site.edgeOutDir, 'nginx/locations.conf'), 'utf8')).toContain(
        'duplicate location',
      );
      await write(block('include themecast/has'), `${block('location ^~')} ${images}`);
      nginx('-t');
      await server?.stop();
      await start();
      expect(await send(port, { path: '/media/a.png' })).toMatchObject({ body: 'image of the app' });
      expect(await themeOf('uid=ann')).toBe('harbor');
      const { logo } = JSON.parse((await send(port, { path: CONFIG })).body) as { logo: string };
      expect(logo).toContain('/theme-media/harbor/');
      expect(await send(port, { path: new URL(logo).pathname })).toMatchObject({ status: 200 });
    });
  });
