import { chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { haproxy } from '../../src/hosts/haproxy/index.ts';
import type { Host } from './contract.ts';
import { install } from './install.ts';
import { type Origin, startOrigin } from './origin-process.ts';
import { freePort, installed, startServer } from './process.ts';
import type { PublishedSite } from './site.ts';

export const HAPROXY = installed('haproxy', '-v');

/** What stands beside the generated sections; `$PORT` is where the test will knock. */
export type Sections = string;

/** HAProxy, and the static server behind it. */
export interface Proxied extends Host {
  folder: string;
  origin: Origin;
}

/**
 * Starts HAProxy with the rules of a site in the foreground and without privileges, and the static server that it asks.
 * @param sections - the administrator's own configuration, a frontend among it; nothing for the frontend of the adapter
 */
export async function startHaproxy(site: PublishedSite, sections?: Sections): Promise<Proxied> {
  const origin = await startOrigin(site.dist);
  const port = await freePort();
  const rules = { ...site.rules, origin: { listen: `127.0.0.1:${port}`, document_root: site.dist } };
  const { folder } = await install('haproxy', haproxy, { ...site, rules });
  const own = path.join(site.folder, 'haproxy.cfg');
  await writeFile(own, `${GLOBAL}${(sections ?? '').replaceAll('$PORT', String(port))}`);
  // HAProxy gives up the rights of root, and then has to get through the temporary folder, which is 0700.
  await chmod(site.folder, 0o755);
  const files = [own, ...(sections === undefined ? [folder] : [path.join(folder, 'backend.cfg')])];
  try {
    const env = { ...site.secrets, THEMECAST_DIR: folder, THEMECAST_ORIGIN: `127.0.0.1:${origin.port}` };
    const args = ['-db', ...files.flatMap((file) => ['-f', file])];
    const host = await startServer({ command: HAPROXY ?? 'haproxy', args, port, env }, complaint);
    const stop = async () => {
      await host.stop();
      await origin.stop();
    };
    return { ...host, stop, folder, origin };
  } catch (error) {
    await origin.stop();
    throw error;
  }
}

const GLOBAL = `global
    maxconn 256
    nbthread 1
    log stdout format raw local0
    ${process.getuid?.() === 0 ? 'user nobody\n    group nogroup' : ''}
`;

/** Rules are not right while HAProxy warns of them. */
function complaint(output: string): string | undefined {
  return /\[(?:WARNING|ALERT)\]/.test(output) ? output : undefined;
}
