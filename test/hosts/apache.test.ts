import { rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { apache } from '../../src/hosts/apache/index.ts';
import { HTTPD, makeMaps, startApache } from './apache-process.ts';
import { briefContract, contractSuite, serving } from './contract.ts';
import { CONFIG } from './contract/expected.ts';
import { send } from './contract/send.ts';
import { reportMissing } from './process.ts';
import { itRejectsShortSecrets, itSurvivesMissingFiles, itAcceptsLongestSettings } from './server-settings.ts';
import { textOf, THEMES } from './site.ts';

const CAPABILITIES = { ...apache.capabilities, media: true };

/** A virtual host that sets, rewrites and protects as much as possible, with an application behind it. */
const FOREIGN_HOST = `
<VirtualHost *:$PORT>
    <Location "/">
        Require all denied
        Header set Content-Security-Policy foreign
        ForceType text/foreign
    </Location>
    Include "\${THEMECAST_DIR}/theme-service.conf"
    DocumentRoot "\${THEMECAST_ROOT}"
    ErrorDocument 403 foreign
    ErrorDocument 404 foreign
    ErrorDocument 405 foreign
    ErrorDocument 406 foreign
    ExpiresActive On
    ExpiresDefault "access plus 1 day"
    FileETag None
    AddDefaultCharset koi8-r
    AddHandler send-as-is .json .html .png .svg
    RemoteIPHeader X-Forwarded-For
    RemoteIPInternalProxy 127.0.0.1
    AddType text/foreign .json .html .png .svg
    DirectoryIndex index.json
    FallbackResource /index.json
    Header set Cache-Control foreign
    Header always set Cache-Control foreign
    Header set X-Frame-Options SAMEORIGIN
    Header set Access-Control-Allow-Origin "*"
    Header always set X-Content-Type-Options foreign
    ProxyPass "/" "http://127.0.0.1:1/"
    RewriteRule "/(?:api|media)/" "-" [R=410]
</VirtualHost>`;

/** A virtual host that also serves other content. */
const SHARED_HOST = `
<VirtualHost *:$PORT>
    SetOutputFilter DEFLATE
    AcceptPathInfo On
    Include "\${THEMECAST_DIR}/theme-service.conf"
    RewriteRule "^/elsewhere$" "\${THEMECAST_ROOT}/manifest.json" [L]
    <Location "/elsewhere">
        Require all granted
    </Location>
</VirtualHost>`;

if (HTTPD === undefined) {
  reportMissing('Apache httpd');
} else {
  describe('Apache httpd, a dedicated virtual host', () =>
    void briefContract((site) => startApache(site), apache.capabilities));
  contractSuite('Apache httpd, a shared virtual host', (site) => startApache(site, FOREIGN_HOST), CAPABILITIES);

  describe('Apache httpd', () => {
    const running = serving((site) => startApache(site, SHARED_HOST));
    const themeOf = async (user: string) => {
      const { port, site } = running();
      const { body } = await send(port, { path: CONFIG, headers: { Cookie: `uid=${user}` } });
      return THEMES.find((theme) => body === textOf(site, `${CONFIG.slice(1)}${theme}.json`));
    };

    it('does not affect other paths of a virtual host', async () => {
      const answer = await send(running().port, { path: '/elsewhere' });
      expect(answer).toMatchObject({ status: 200, body: '{}' });
      expect(Object.keys(answer.headers).toSorted()).toEqual(
        'accept-ranges connection content-length date etag last-modified server'.split(' '),
      );
    });

    it('serves only published image names in media/, and nothing below them', async () => {
      await writeFile(path.join(running().site.dist, 'media/harbor/banner.PNG'), 'image');
      await writeFile(path.join(running().site.dist, 'media/harbor/banner.png'), 'image');
      expect((await send(running().port, { path: '/media/harbor/banner.PNG' })).status).toBe(404);
      expect((await send(running().port, { path: '/media/harbor/banner.png' })).status).toBe(200);
      expect((await send(running().port, { path: '/media/harbor/banner.png/x.png' })).status).toBe(404);
    });

    it.each(['PROPFIND', 'PURGE', 'X-Y_Z', "A!#$&'*+.^`|~9"])('rejects the method %s by name', async (method) => {
      const { status, body } = await send(running().port, { method, path: CONFIG });
      expect({ status, detail: JSON.parse(body) }).toEqual({
        status: 405,
        detail: { detail: `Method "${method}" not allowed.` },
      });
    });

    it('reads a changed map without a reload', async () => {
      const users = path.join(running().rules, 'users.txt');
      expect([await themeOf('tom'), await themeOf('newcomer')]).toEqual(['meadow', 'harbor']);
      await writeFile(users, 'tom nightfall\nnewcomer meadow\n');
      makeMaps(running().rules);
      expect([await themeOf('tom'), await themeOf('newcomer')]).toEqual(['nightfall', 'meadow']);
    });

    it('keeps the old map if the new map cannot be converted', async () => {
      const before = await stat(path.join(running().rules, 'users.dbm'));
      await rename(path.join(running().rules, 'users.txt'), path.join(running().rules, 'users.old'));
      expect(() => makeMaps(running().rules)).toThrow('users.txt');
      expect((await stat(path.join(running().rules, 'users.dbm'))).ino).toBe(before.ino);
      expect(await themeOf('newcomer')).toBe('meadow');
    });

    itSurvivesMissingFiles(running);
  });

  itAcceptsLongestSettings((site) => startApache(site));
  itRejectsShortSecrets((site) => startApache(site));
}
