import { describe, expect, it } from 'vitest';
import { netlify } from '../../src/hosts/netlify/index.ts';
import { platformContractSuite } from './contract.ts';
import { sendAll } from './contract/send.ts';
import { startNetlify } from './netlify-process.ts';
import { itHidesFiles } from './own-paths.ts';
import { onPlatforms } from '../platforms.ts';
import { publishSite, removeSite } from './site.ts';

onPlatforms('the Netlify edge function', () => {
  platformContractSuite('a Netlify edge function under Deno', startNetlify, {
    ...netlify.capabilities,
    media: 'files',
  });
  describe('a Netlify edge function under Deno', () => {
    itHidesFiles(startNetlify);

    it('has no picture without its headers, whatever the path that leads to it', async () => {
      const site = await publishSite({ base_url: 'https://example.org/community' });
      const host = await startNetlify(site);
      const paths = ['', '/community'].map((base) => ({ path: `${base}/media/harbor/logo.3f2a9c01.svg` }));
      const answers = await sendAll(host.port, paths);
      await host.stop();
      await removeSite(site);
      for (const { status, headers } of answers) {
        expect(status).toBe(200);
        expect(headers['content-security-policy']).toMatch(/sandbox$/);
      }
    });
  });
});
