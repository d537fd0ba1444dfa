import { rm } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { IdentityRule } from '../../src/core/edge-runtime/rules.ts';
import type { Host } from './contract.ts';
import { CONFIG, type Running } from './contract/expected.ts';
import { send, sendAll } from './contract/send.ts';
import { type PublishedSite, publishSite, removeSite, textOf, THEMES } from './site.ts';

type Start = (site: PublishedSite) => Promise<Host>;

/** Tests that a server accepts settings at their limits without a warning. */
export function itAcceptsLongestSettings(start: Start): void {
  it('accepts the longest settings without a warning', async () => {
    const proxies = Array.from({ length: 61 }, (_, index) => `10.${index}.0.0/16`);
    const rule: IdentityRule = {
      names: 'user',
      credential: {
        from: 'header',
        name: `X-${'a'.repeat(62)}`,
        proxies: [...proxies, '2001:db8::/32', '::1', '127.0.0.1'],
      },
    };
    const theme: IdentityRule = { names: 'theme', credential: { from: 'cookie', name: 'theme' } };
    const user: IdentityRule = { names: 'user', credential: { from: 'cookie', name: 'c'.repeat(64) } };
    const site = await publishSite({
      base_url: 'http://[::1]:8080/a/b',
      identity: [...Array.from({ length: 6 }, () => rule), theme, user],
      cors: { allowed_origins: Array.from({ length: 50 }, (_, index) => `https://app-${index}.example.org:8443`) },
    });
    const themes = [...Array.from({ length: 3000 }, (_, index) => `${index}-`.padEnd(64, 'x')), ...THEMES];
    const host = await start({ ...site, rules: { ...site.rules, themes } });
    const cookies = [`${'c'.repeat(64)}=tom`, 'theme=nightfall', `theme=${themes[2999]}; ${'c'.repeat(64)}=tom`];
    const answers = await sendAll(
      host.port,
      cookies.map((Cookie) => ({ path: `/a/b${CONFIG}`, headers: { Cookie } })),
    );
    await host.stop();
    await removeSite(site);
    const expected = ['meadow', 'nightfall', 'harbor'].map((slug) => textOf(site, `${CONFIG.slice(1)}${slug}.json`));
    expect(answers.map(({ body }) => body)).toEqual(expected);
  });
}

/** Tests requests for missing files. Removes these files from the site. */
export function itSurvivesMissingFiles(running: () => Running): void {
  it('serves the default theme while the files of a theme are missing', async () => {
    const { port, site } = running();
    await rm(path.join(site.dist, CONFIG, 'nightfall.json'));
    const { status, body } = await send(port, { path: CONFIG, headers: { Cookie: 'uid=nancy' } });
    expect({ status, body }).toEqual({ status: 200, body: textOf(site, `${CONFIG.slice(1)}harbor.json`) });
  });

  it('returns 404 while nothing is published', async () => {
    const { port, site } = running();
    await rm(path.join(site.dist, 'api'), { recursive: true });
    for (const Accept of ['application/json', 'text/html']) {
      const answer = await send(port, { path: CONFIG, headers: { Accept } });
      expect(answer).toMatchObject({
        status: 404,
        body: '{"detail":"Not found."}',
        headers: { 'cache-control': 'no-store', 'content-type': 'application/json' },
      });
      expect(answer.headers).not.toHaveProperty('content-security-policy');
    }
  });
}

/** Tests that no header is trusted while the shared secret is missing, short or invalid. */
export function itRejectsShortSecrets(
  start: Start,
  secrets: readonly (string | undefined)[] = [undefined, '', 'x'.repeat(31)],
): void {
  it.each(secrets)('trusts no header while the secret is %j', async (secret) => {
    const shared = { header: 'X-Proxy-Secret', env: 'PROXY_SECRET' };
    const credential = { from: 'header', name: 'X-Remote-User', secret: shared } as const;
    const site = await publishSite({ identity: [{ names: 'user', credential }] });
    const host = await start({ ...site, secrets: secret === undefined ? {} : { PROXY_SECRET: secret } });
    const answers = await sendAll(
      host.port,
      [{}, { 'X-Proxy-Secret': Buffer.from(secret ?? '').toString('latin1') }].map((headers) => ({
        path: CONFIG,
        headers: { 'X-Remote-User': 'tom', ...headers },
      })),
    );
    await host.stop();
    await removeSite(site);
    for (const { body } of answers) expect(body).toBe(textOf(site, `${CONFIG.slice(1)}harbor.json`));
  });
}
