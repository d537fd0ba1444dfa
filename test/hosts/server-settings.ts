import { expect, it } from 'vitest';
import type { IdentityRule } from '../../src/edge-runtime/rules.ts';
import type { Host } from './contract.ts';
import { CONFIG } from './contract/expected.ts';
import { send, sendAll } from './contract/send.ts';
import { type PublishedSite, publishSite, removeSite, textOf } from './site.ts';

type Start = (site: PublishedSite) => Promise<Host>;

/** Settings at their limits, which a server must take without a warning. */
export function itTakesTheLongestSettings(start: Start): void {
  it('takes the longest settings without a warning', async () => {
    const proxies = Array.from({ length: 61 }, (_, index) => `10.${index}.0.0/16`);
    const rule: IdentityRule = {
      names: 'user',
      credential: {
        from: 'header',
        name: `X-${'a'.repeat(62)}`,
        proxies: [...proxies, '2001:db8::/32', '::1', '127.0.0.1'],
      },
    };
    const last: IdentityRule = { names: 'user', credential: { from: 'cookie', name: 'c'.repeat(64) } };
    const site = await publishSite({
      base_url: 'http://[::1]:8080/a/b',
      identity: [...Array.from({ length: 7 }, () => rule), last],
      cors: { allowed_origins: Array.from({ length: 50 }, (_, index) => `https://app-${index}.example.org:8443`) },
    });
    const host = await start(site);
    const headers = { Cookie: `${'c'.repeat(64)}=tom` };
    const { body } = await send(host.port, { path: `/a/b${CONFIG}`, headers });
    await host.stop();
    await removeSite(site);
    expect(body).toBe(textOf(site, `${CONFIG.slice(1)}meadow.json`));
  });
}

/** A shared secret that the environment lacks, or that is too short. */
export function itBelievesNoShortSecret(start: Start): void {
  it.each([
    ['not set', undefined],
    ['empty', ''],
    ['shorter than 32 characters', 'x'.repeat(31)],
  ])('believes no header while the secret is %s', async (_, secret) => {
    const shared = { header: 'X-Proxy-Secret', env: 'PROXY_SECRET' };
    const credential = { from: 'header', name: 'X-Remote-User', secret: shared } as const;
    const site = await publishSite({ identity: [{ names: 'user', credential }] });
    const host = await start({ ...site, secrets: secret === undefined ? {} : { PROXY_SECRET: secret } });
    const answers = await sendAll(
      host.port,
      [{}, { 'X-Proxy-Secret': secret ?? '' }].map((headers) => ({
        path: CONFIG,
        headers: { 'X-Remote-User': 'tom', ...headers },
      })),
    );
    await host.stop();
    await removeSite(site);
    for (const { body } of answers) expect(body).toBe(textOf(site, `${CONFIG.slice(1)}harbor.json`));
  });
}
