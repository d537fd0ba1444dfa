import { execFileSync } from 'node:child_process';
import { chmod, chown, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { apache } from '../../src/hosts/apache/index.ts';
import type { Host } from './contract.ts';
import { serverFiles } from './install.ts';
import { freePort, installed, NOBODY, startServer } from './process.ts';
import { type PublishedSite, writeOutputFile } from './site.ts';

/** The httpd of this machine: Debian's name for it, and everybody else's. */
export const HTTPD = installed('apache2', '-v') ?? installed('httpd', '-v');

/** Where packaged httpds keep their modules. */
const MODULE_FOLDERS = ['/usr/lib/apache2/modules', '/usr/lib64/httpd/modules', '/usr/lib/httpd/modules'];

/** Those that a packaged httpd has on, those that the README asks for, and some that get in the way. */
const MODULES =
  'mpm_event authz_core dir mime autoindex setenvif filter deflate alias headers include rewrite asis expires proxy proxy_http remoteip'.split(
    ' ',
  );

/** What stands in the configuration besides the modules; `$PORT` is where the test will knock. */
export type Sites = string;

/** As the README of the adapter has it, for a machine with nothing else on its httpd. */
export const OWN_HOST: Sites = 'Include ${THEMECAST_DIR}/virtual-host.conf';

/** An httpd and the folder of its rules. */
export interface Httpd extends Host {
  rules: string;
}

/** Starts httpd with the rules of a site in a folder of its own, in the foreground and without privileges. */
export async function startApache(site: PublishedSite, sites: Sites = OWN_HOST): Promise<Httpd> {
  const port = await freePort();
  const folder = path.join(site.folder, 'apache');
  const rules = path.join(folder, 'themecast');
  // It runs as somebody else, and has to get to its files in the temporary folder, which is 0700.
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
    (output) => complaint(folder, output),
  );
  return { ...host, rules };
}

/** Makes the maps as an administrator does. */
export function makeMaps(rules: string): void {
  execFileSync('sh', [path.join(rules, 'make-maps.sh')], {
    ...NOBODY,
    env: { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin` },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

/** Rules are not right while httpd warns of them. */
async function complaint(folder: string, output: string): Promise<string | undefined> {
  const log = await readFile(path.join(folder, 'error.log'), 'utf8').catch(() => '');
  const said = output + log;
  return /:(?:warn|error|crit|alert|emerg)\]|^AH\d+: |^Syntax error/m.test(said) ? said : undefined;
}

/** Lays out what the README asks for: the rules in `themecast/`, their maps made, and `dist/` where the rules say. */
async function installRules(site: PublishedSite, port: number, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const file of serverFiles(apache, site, port)) await writeOutputFile(folder, file);
  if (NOBODY !== undefined) for (const own of [folder, path.dirname(folder)]) await chown(own, NOBODY.uid, NOBODY.gid);
  makeMaps(folder);
}

export async function httpdConf(folder: string, port: number, sites: Sites): Promise<string> {
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
