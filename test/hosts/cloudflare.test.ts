import { describe } from 'vitest';
import { cloudflare } from '../../src/hosts/cloudflare/index.ts';
import { startCloudflare } from './cloudflare-process.ts';
import { platformContractSuite } from './contract.ts';
import { onPlatforms } from '../platforms.ts';
import { itHidesFiles } from './own-paths.ts';

onPlatforms('the Cloudflare Worker', () => {
  platformContractSuite('a Cloudflare Worker in miniflare', startCloudflare, {
    ...cloudflare.capabilities,
    media: 'files',
  });

  describe('a Cloudflare Worker in miniflare', () => {
    itHidesFiles(startCloudflare, ['/api/v2/theme/', '/%61pi/v2/theme/', '//api/v2/theme/']);
  });
});
