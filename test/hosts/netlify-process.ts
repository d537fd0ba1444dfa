import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { netlify } from '../../src/hosts/netlify/index.ts';
import { OLD_KEY_SECRET } from '../../src/hosts/secrets.ts';
import type { Host } from './contract.ts';
import { JWKS, JWKS_URL } from './contract/tokens.ts';
import { install } from './install.ts';
import { DENO } from '../platforms.ts';
import { freePort, startServer } from './process.ts';
import type { PublishedSite } from './site.ts';

const PLATFORM = fileURLToPath(new URL('netlify-platform.js', import.meta.url));
/** Runs the edge function under Deno, the runtime of Netlify. It may read its site and reach itself, nothing else. */
export async function startNetlify(site: PublishedSite): Promise<Host> {
  const { folder } = await install('netlify', netlify, site);
  const elsewhere = path.join(site.folder, 'elsewhere.json');
  await writeFile(elsewhere, JSON.stringify({ [JWKS_URL]: { keys: JWKS } }));
  const port = await freePort();
  const secrets = [...Object.keys(site.secrets), OLD_KEY_SECRET].join(',');
  const rights = ['--no-prompt', '--allow-net=127.0.0.1', `--allow-read=${site.folder}`, `--allow-env=${secrets}`];
  const options = ['run', '--quiet', '--no-config', '--no-lock', '--no-npm', '--cached-only', ...rights];
  return startServer({
    command: DENO ?? 'deno',
    args: [...options, PLATFORM, folder, site.dist, elsewhere, String(port)],
    port,
    env: { ...site.secrets, DENO_DIR: path.join(site.folder, 'deno'), DENO_NO_UPDATE_CHECK: '1' },
  });
}
