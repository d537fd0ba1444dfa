import { execFileSync } from 'node:child_process';
import { chmod, chown, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { apache } from '../../src/hosts/apache/index.ts';
import type { Host } from './contract.ts';
import { serverFiles } from './install.ts';
import { freePort, installed, NOBODY, startServer } from './process.ts';
import { type PublishedSite, writeOutputFile } from './site.ts';

/** The httpd of this machine, which Debian calls `apache2`. */
export const HTTPD = installed('apache2', '-v') ?? installed('httpd', '-v');

/** The folders of modules in packages of httpd. */
const MODULE_FOLDERS = ['/usr/lib/apache2/modules', '/usr/lib64/httpd/modules', '/usr/lib/httpd/modules'];

/** Default modules, modules that the README requires, and modules that may interfere. */
const MODULES =
  'mpm_event authz_core dir mime autoindex setenvif filter deflate alias headers include rewrite asis expires proxy proxy_http remoteip'.split(
    ' ',
  );

/** The part of httpd.conf after the `LoadModule` lines. Tests replace `$PORT` with their port. */
export type SitesConfig = string;

/** The configuration in the README, for an httpd without other sites. */
export const DEDICATED_HOST: SitesConfig = 'Include ${THEMECAST_DIR}/virtual-host.conf';

/** A running httpd, with the folder that contains its rules. */
export interface Httpd extends Host {
  rules: string;
}

/** Starts httpd in the foreground, without privileges, with the rules of a site in a separate folder. */
export async function startApache(site: PublishedSite, sites: SitesConfig = DEDICATED_HOST): Promise<Httpd> {
  const port = await freePort();
  const folder = path.join(site.folder, 'apache');
  const rules = path.join(folder, 'themecast');
  // httpd runs as another user, who must be able to enter the temporary folder (mode 0700).
  await chmod(site.folder, 0o755);
  await installRules(site, port, rules);
  await writeFile(path.join(folder, 'httpd.conf'), await httpdConf(folder, port, sites));
  const host = await startServer(
    {
      command: HTTPD ?? 'httpd',
      args: ['-f', path.join(folder, 'httpd.conf'), '-D', 'FOREGROUND'],
      port,
      env: site.secrets,
      unprivileged: true,
    },
    (output) => findWarnings(folder, output),
  );
  return { ...host, rules };
}

/** Converts the maps to DBM files, as an administrator does. */
export function makeMaps(rules: string): void {
  execFileSync('sh', [path.join(rules, 'make-maps.sh')], {
    ...NOBODY,
    env: { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin` },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

async function findWarnings(folder: string, output: string): Promise<string | undefined> {
  const log = await readFile(path.join(folder, 'error.log'), 'utf8').catch(() => '');
  const messages = output + log;
  return /:(?:warn|error|crit|alert|emerg)\]|^AH\d+: |^Syntax error/m.test(messages) ? messages : undefined;
}

/** Follows the README: copies the rules to `themecast/` and converts their maps. */
async function installRules(site: PublishedSite, port: number, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const file of serverFiles(apache, site, port)) await writeOutputFile(folder, file);
  if (NOBODY !== undefined) for (const dir of [folder, path.dirname(folder)]) await chown(dir, NOBODY.uid, NOBODY.gid);
  makeMaps(folder);
}

export async function httpdConf(folder: string, port: number, sites: SitesConfig): Promise<string> {
  const modules = await moduleFolder();
  return `ServerRoot "${folder}"
Listen 127.0.0.1:${port}
ServerName apache.invalid
PidFile httpd.pid
ErrorLog error.log
Mutex file:${folder}
${MODULES.map((name) => `LoadModule ${name}_module ${modules}/mod_${name}.so`).join('\n')}
StartServers 1
ServerLimit 1
ThreadsPerChild 32
MaxRequestWorkers 32
TypesConfig /dev/null
<Directory />
    AllowOverride None
    Require all denied
</Directory>
Define THEMECAST_DIR "${path.join(folder, 'themecast')}"
${sites.replaceAll('$PORT', String(port))}
`;
}

async function moduleFolder(): Promise<string> {
  for (const folder of MODULE_FOLDERS) if ((await readdir(folder).catch(() => [])).length > 0) return folder;
  throw new Error(`The modules of httpd are in none of ${MODULE_FOLDERS.join(', ')}.`);
}
