import { describe, expect, it } from 'vitest';
import { caddy } from '../../src/hosts/caddy/index.ts';
import { CADDY, startCaddy } from './caddy-process.ts';
import { briefContract, contractSuite, serving } from './contract.ts';
import { send, sendAll } from './contract/send.ts';
import { reportMissing } from './process.ts';
import { itRejectsShortSecrets, itSurvivesMissingFiles, itAcceptsLongestSettings } from './server-settings.ts';
import { PUBLISHED_AT, publishSite, removeSite, textOf } from './site.ts';

const CAPABILITIES = { ...caddy.capabilities, media: true, foldsHostnames: false };

/** A site that sets headers, rewrites and compresses as much as possible, with other pages. */
const FOREIGN_SITE = `
http://:$PORT {
	bind 127.0.0.1
	root * /nonexistent
	encode gzip
	header X-Foreign yes
	header Cache-Control foreign
	header Content-Type text/foreign
	try_files {path} /index.html
	rewrite /api/* /elsewhere?format=xml
	handle /api/* {
		respond foreign 418
	}
	handle_errors {
		respond foreign
	}
	import themecast/service.caddy
	handle {
		respond foreign 404
	}
}`;

/** A site with the rules, and a response that prints the results of their maps. */
const PROBES = `
http://:$PORT {
	bind 127.0.0.1
	import themecast/maps.caddy
	respond /user "{themecast_key_1} {themecast_theme_1}"
	handle /elsewhere {
		respond elsewhere
	}
	import themecast/service.caddy
}`;

if (CADDY === undefined) {
  reportMissing('Caddy');
} else {
  describe('Caddy, a dedicated site', () => void briefContract((site) => startCaddy(site), CAPABILITIES));
  contractSuite('Caddy, a shared site', (site) => startCaddy(site, FOREIGN_SITE), CAPABILITIES);

  describe('Caddy', () => {
    const running = serving((site) => startCaddy(site, PROBES));

    it('does not affect other routes of a site', async () => {
      const answer = await send(running().port, { path: '/elsewhere' });
      expect(answer).toMatchObject({ status: 200, body: 'elsewhere' });
      expect(Object.keys(answer.headers).toSorted()).toEqual([
        'connection',
        'content-length',
        'content-type',
        'date',
        'server',
      ]);
    });

    it('never returns 304 for CONFIG, even for the ETag that Caddy would generate', async () => {
      const { port, site } = running();
      const etagOf = (file: string) => {
        const seconds = PUBLISHED_AT.getTime() / 1000;
        return `"${seconds.toString(36)}${Buffer.byteLength(textOf(site, file)).toString(36)}"`;
      };
      const list = await send(port, { path: '/api/v2/theme/' });
      expect(list.headers['etag']).toBe(`W/${etagOf('api/v2/theme/index.json')}`);
      for (const validator of [etagOf('api/v2/theme/config/harbor.json'), '*']) {
        const headers = { 'If-None-Match': validator };
        expect((await send(port, { path: '/api/v2/theme/config/', headers })).status).toBe(200);
      }
    });

    itSurvivesMissingFiles(running);
  });

  itAcceptsLongestSettings((site) => startCaddy(site));
  itRejectsShortSecrets((site) => startCaddy(site));

  // Caddy parses an unquoted output of a map as a number or boolean if it can.
  it('serves themes whose slugs are keywords or numbers', async () => {
    const slugs = ['default', 'import', 'true', '007', '1e5', '0x1f'];
    const site = await publishSite({ identity: [{ names: 'theme', credential: { from: 'cookie', name: 'theme' } }] });
    const host = await startCaddy({ ...site, rules: { ...site.rules, themes: slugs } }, PROBES);
    const answers = await sendAll(
      host.port,
      slugs.map((slug) => ({ path: '/user', headers: { Cookie: `theme=${slug}` } })),
    );
    await host.stop();
    await removeSite(site);
    expect(answers.map(({ body }) => body)).toEqual(slugs.map((slug) => `${slug} ${slug}`));
  });
}
