import { cloudflare } from '../../src/hosts/cloudflare/index.ts';
import { onPlatforms } from '../platforms.ts';
import { startCloudflare } from './cloudflare-process.ts';
import { platformContractSuite } from './contract.ts';

onPlatforms('the Cloudflare Worker', () => {
  const capabilities = { ...cloudflare.capabilities, media: 'files' } as const;
  const spellings = ['/%61pi/v2/theme/', '//api/v2/theme/'];
  platformContractSuite('a Cloudflare Worker in miniflare', startCloudflare, capabilities, spellings);
});
