import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EDGE_HOSTS } from '../../src/theme/site.ts';
import { adapters } from '../../src/hosts/adapters.ts';
import { install } from './install.ts';
import { type PublishedSite, publishSite, removeSite, SECRETS, USERS } from './site.ts';

const HOSTS = EDGE_HOSTS.filter((host) => adapters[host].capabilities.keyed !== undefined);

describe.each(HOSTS)('the files for %s', (host) => {
  let keyed: PublishedSite;
  beforeAll(async () => {
    keyed = await publishSite({ mapping: { keyed: true } });
  });
  afterAll(() => removeSite(keyed));

  it('contain no key and no secret with keyed shards', async () => {
    const { files } = await install(host, adapters[host], keyed);
    const text = [...files.values()].join('\n');
    expect(text).not.toContain(SECRETS.THEMECAST_KEY_SECRET);
    // Only keys that are not also words of the documents or the code.
    for (const key of Object.keys(USERS).filter((user) => /^(?:a@b|nancy|k{128})/.test(user)))
      expect(text).not.toContain(key);
  });

  it('are all mentioned in the README, by name or by folder', async () => {
    const { files } = await install(host, adapters[host], keyed);
    const readme = files.get('README.md') ?? '';
    for (const name of files.keys()) {
      if (name === 'README.md' || (host === 'cloudflare' && name.endsWith('.js'))) continue;
      const parts = name.replace(/-\d{3}\./, '-….').split('/');
      const named = parts.map((_, at) => parts.slice(0, at + 1).join('/') + (at + 1 < parts.length ? '/' : ''));
      expect(
        named.some((one) => readme.includes(`\`${one}\``)),
        name,
      ).toBe(true);
    }
  });
});
