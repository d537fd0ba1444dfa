import { chmod, chown, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { caddy } from '../../src/hosts/caddy/index.ts';
import type { Host } from './contract.ts';
import { serverFiles } from './install.ts';
import { freePort, installed, NOBODY, startServer } from './process.ts';
import { type PublishedSite, writeOutputFile } from './site.ts';

/** The Caddy of this machine. */
export const CADDY = installed('caddy', 'version');

/** What stands in the Caddyfile beside the global options; `$PORT` is where the test will knock. */
export type Sites = string;

/** As the README of the adapter has it, for a machine with nothing else on its Caddy. */
export const OWN_SITE: Sites = 'import themecast/theme-service.caddy';

/** Starts Caddy with the rules of a site in a folder of its own, in the foreground and without privileges. */
export async function startCaddy(site: PublishedSite, sites: Sites = OWN_SITE): Promise<Host> {
  const port = await freePort();
  const folder = await installRules(site, port, sites);
  const config = ['--config', path.join(folder, 'Caddyfile'), '--adapter', 'caddyfile'];
  const env = { ...site.secrets, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder };
  return startServer(
    { command: CADDY ?? 'caddy', args: ['run', ...config], port, env, cwd: folder, unprivileged: true },
    complaint,
  );
}

/** Rules are not right while Caddy warns of them. That what the tests do without is disabled, it says by way of warning too. */
function complaint(output: string): string | undefined {
  return output.split('\n').find((line) => /"level":"(?:warn|error|panic|fatal)"(?!.*disabled)|^Error:/.test(line));
}

/** Lays out what the README asks for: the Caddyfile, the rules in `themecast/` beside it, and `dist/` where the rules say. */
async function installRules(site: PublishedSite, port: number, sites: Sites): Promise<string> {
  const folder = path.join(site.folder, 'caddy');
  await mkdir(folder);
  for (const file of serverFiles(caddy, site, port)) await writeOutputFile(path.join(folder, 'themecast'), file);
  await writeFile(path.join(folder, 'Caddyfile'), caddyfile(sites.replaceAll('$PORT', String(port))));
  // It runs as somebody else, and has to get to its files in the temporary folder, which is 0700.
  await chmod(site.folder, 0o755);
  if (NOBODY !== undefined) await chown(folder, NOBODY.uid, NOBODY.gid);
  return folder;
}

function caddyfile(sites: string): string {
  return `{
	admin off
	auto_https off
}

${sites.trim()}
`;
}
