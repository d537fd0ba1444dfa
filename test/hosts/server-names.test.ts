import { afterEach, describe, expect, it } from 'vitest';
import type { IdentityRule } from '../../src/core/edge-runtime/rules.ts';
import { serverNames } from '../../src/hosts/contract/hostnames.ts';
import { HTTPD, DEDICATED_HOST, startApache } from './apache-process.ts';
import type { Host } from './contract.ts';
import { HOST_THEMES } from './contract/hostnames.ts';
import { send } from './contract/send.ts';
import { NGINX, DEDICATED_SERVER, startNginx } from './nginx-process.ts';
import type { WebServer } from './web-servers.ts';
import { adapters } from '../../src/hosts/adapter/adapters.ts';
import { reportMissing } from './process.ts';
import { GROUPS, type PublishedSite, publishSite, removeSite, textOf } from './site.ts';

const LONGEST = `${'k'.repeat(63)}.${'l'.repeat(63)}.${'m'.repeat(63)}.${'n'.repeat(61)}`;
const BY_THEME: IdentityRule = {
  names: 'theme',
  credential: { from: 'host', themes: { ...HOST_THEMES, [LONGEST]: 'meadow' } },
};
const BY_GROUP: IdentityRule = { names: 'group', credential: { from: 'host' } };

const HOST_GROUPS = Object.fromEntries(Object.entries(GROUPS).filter(([key]) => key.includes('.')));

/** Servers next to another server on the same address, which may be the default. */
const SERVERS: Readonly<
  Record<WebServer, ((site: PublishedSite, isOtherDefault: boolean) => Promise<Host>) | 'missing' | 'has no hostnames'>
> = {
  nginx:
    NGINX === undefined
      ? 'missing'
      : (site, isOtherDefault) =>
          startNginx(
            site,
            `server { listen 127.0.0.1:$PORT${isOtherDefault ? ' default_server' : ''}; server_name other; return 200 other; }\n${DEDICATED_SERVER}`,
          ),
  apache:
    HTTPD === undefined
      ? 'missing'
      : (site, isOtherDefault) => {
          const otherHost =
            '<VirtualHost 127.0.0.1:$PORT>\nServerName other\nRewriteEngine On\nRewriteRule "^" "-" "[R=410,L]"\n</VirtualHost>';
          return startApache(
            site,
            isOtherDefault ? `${otherHost}\n${DEDICATED_HOST}` : `${DEDICATED_HOST}\n${otherHost}`,
          );
        },
  caddy: 'has no hostnames',
};

describe.each(Object.entries(SERVERS).filter(([, start]) => start !== 'has no hostnames'))(
  'hostnames of the generated server of %s',
  (name, start) => {
    let host: Host | undefined;
    let site: PublishedSite | undefined;
    afterEach(async () => {
      await host?.stop();
      if (site !== undefined) await removeSite(site);
    });
    const themeAt = async (Host: string) => {
      const { body } = await send(host?.port ?? 0, { path: '/api/v2/theme/config/', headers: { Host } });
      return (['harbor', 'meadow', 'nightfall'] as const).find(
        (slug) => site !== undefined && body === textOf(site, `api/v2/theme/config/${slug}.json`),
      );
    };

    if (typeof start === 'string') reportMissing(adapters[name as WebServer].title);
    else {
      it('responds to all declared hostnames even if another server is the default', async () => {
        site = await publishSite({ identity: [BY_THEME, BY_GROUP] });
        host = await start(site, true);
        for (const [declared, theme] of Object.entries({ ...HOST_GROUPS, ...HOST_THEMES, [LONGEST]: 'meadow' }))
          expect(await themeAt(declared), declared).toBe(theme);
        expect(await themeAt('community.example.org')).toBe('harbor');
        for (const undeclared of ['undeclared.example.org', 'staff']) expect(await themeAt(undeclared)).toBeUndefined();
      });
    }
  },
);

describe('serverNames', () => {
  it('omits groups that are not valid hostnames', async () => {
    const site = await publishSite({ identity: [BY_GROUP] });
    const groups = ['staff', '.example.org', '*', '"; }', '~.', '192.0.2.1'].map((key) => [key, 'meadow'] as const);
    const mapping = { ...site.mapping, pairs: () => groups };
    expect(serverNames(site.rules, mapping)).toEqual(['community.example.org']);
    await removeSite(site);
  });
});
