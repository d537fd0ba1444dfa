import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { vercel } from '../../src/hosts/vercel/index.ts';
import type { Host } from './contract.ts';
import { JWKS, JWKS_URL } from './contract/tokens.ts';
import { install } from './install.ts';
import { freePort, startServer } from './process.ts';
import type { PublishedSite } from './site.ts';

const PLATFORM = fileURLToPath(new URL('vercel-platform.js', import.meta.url));

/** Runs the middleware in edge-runtime, Vercel's own runtime. */
export async function startVercel(site: PublishedSite): Promise<Host> {
  const { folder } = await install('vercel', vercel, site);
  const elsewhere = path.join(site.folder, 'elsewhere.json');
  await writeFile(elsewhere, JSON.stringify({ [JWKS_URL]: { keys: JWKS } }));
  const port = await freePort();
  const flags = ['--experimental-vm-modules', '--no-warnings'];
  const args = [...flags, PLATFORM, folder, site.dist, elsewhere, String(port)];
  return startServer({ command: process.execPath, args, port, env: site.secrets });
}
