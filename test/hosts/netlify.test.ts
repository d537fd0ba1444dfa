import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { netlify } from '../../src/hosts/netlify/index.ts';
import { OLD_KEY_SECRET } from '../../src/hosts/contract/secrets.ts';
import { DENO, onPlatforms } from '../platforms.ts';
import { type Host, platformContractSuite } from './contract.ts';
import { sendAll } from './contract/send.ts';
import { JWKS, JWKS_URL } from './contract/tokens.ts';
import { install } from './install.ts';
import { freePort, startServer } from './process.ts';
import { type PublishedSite, publishSite, removeSite } from './site.ts';

const PLATFORM = fileURLToPath(new URL('netlify-platform.js', import.meta.url));

/** Runs the edge function under Deno, the runtime of Netlify, with access to its site and to itself only. */
async function startNetlify(site: PublishedSite): Promise<Host> {
  const { folder } = await install('netlify', netlify, site);
  const elsewhere = path.join(site.folder, 'elsewhere.json');
  await writeFile(elsewhere, JSON.stringify({ [JWKS_URL]: { keys: JWKS } }));
  const port = await freePort();
  const secrets = [...Object.keys(site.secrets), OLD_KEY_SECRET].join(',');
  const permissions = ['--no-prompt', '--allow-net=127.0.0.1', `--allow-read=${site.folder}`, `--allow-env=${secrets}`];
  const options = ['run', '--quiet', '--no-config', '--no-lock', '--no-npm', '--cached-only', ...permissions];
  return startServer({
    command: DENO ?? 'deno',
    args: [...options, PLATFORM, folder, site.dist, elsewhere, String(port)],
    port,
    env: { ...site.secrets, DENO_DIR: path.join(site.folder, 'deno'), DENO_NO_UPDATE_CHECK: '1' },
  });
}

onPlatforms('the Netlify edge function', () => {
  platformContractSuite('a Netlify edge function under Deno', startNetlify, {
    ...netlify.capabilities,
    media: 'files',
  });

  it('serves images with their headers, at the root and below the path of base_url', async () => {
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
