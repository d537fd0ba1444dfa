import { chmod, chown, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { caddy } from '../../src/hosts/caddy/index.ts';
import type { Host } from './contract.ts';
import { serverFiles } from './install.ts';
import { freePort, installed, NOBODY, startServer } from './process.ts';
import { type PublishedSite, writeOutputFile } from './site.ts';

export const CADDY = installed('caddy', 'version');

/** The Caddyfile after the global options. Tests replace `$PORT` with their port. */
export type SitesConfig = string;

/** The configuration in the README, for a Caddy without other sites. */
export const DEDICATED_SITE: SitesConfig = 'import themecast/theme-service.caddy';

/** Starts Caddy in the foreground, without privileges, with the rules of a site in a separate folder. */
export async function startCaddy(site: PublishedSite, sites: SitesConfig = DEDICATED_SITE): Promise<Host> {
  const port = await freePort();
  const folder = await installRules(site, port, sites);
  const config = ['--config', path.join(folder, 'Caddyfile'), '--adapter', 'caddyfile'];
  const env = { ...site.secrets, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder };
  return startServer(
    { command: CADDY ?? 'caddy', args: ['run', ...config], port, env, cwd: folder, unprivileged: true },
    findWarning,
  );
}

/** Returns the first warning of Caddy, unless it is about a feature that the tests disable. */
function findWarning(output: string): string | undefined {
  return output.split('\n').find((line) => /"level":"(?:warn|error|panic|fatal)"(?!.*disabled)|^Error:/.test(line));
}

/** Follows the README: copies the rules to `themecast/` next to the Caddyfile. */
async function installRules(site: PublishedSite, port: number, sites: SitesConfig): Promise<string> {
  const folder = path.join(site.folder, 'caddy');
  await mkdir(folder);
  for (const file of serverFiles(caddy, site, port)) await writeOutputFile(path.join(folder, 'themecast'), file);
  await writeFile(path.join(folder, 'Caddyfile'), caddyfile(sites.replaceAll('$PORT', String(port))));
  // Caddy runs as another user, who must be able to enter the temporary folder (mode 0700).
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
