import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { nginx } from '../../src/hosts/nginx/index.ts';
import { tokenSecrets } from '../../src/hosts/secrets.ts';
import type { Host } from './contract.ts';
import { serverFiles } from './install.ts';
import { freePort, startServer } from './process.ts';
import { type PublishedSite, writeOutputFile } from './site.ts';

/** The start of `nginx.conf`: in the foreground, with one worker without the rights of root. */
export const IN_FOREGROUND = `daemon off;
pid nginx.pid;
worker_processes 1;
${process.getuid?.() === 0 ? 'user nobody nogroup;' : ''}
events {}
`;

/** The nginx of this machine; Debian keeps it outside the path of ordinary users. */
export const NGINX = ['nginx', '/usr/sbin/nginx'].find((command) => spawnSync(command, ['-v']).status === 0);

/** The njs module, which tokens take. */
export const NJS = ['/usr/lib/nginx/modules', '/usr/lib64/nginx/modules', '/etc/nginx/modules']
  .map((folder) => path.join(folder, 'ngx_http_js_module.so'))
  .find((file) => existsSync(file));

/** What stands in http{} around the generated rules; `$PORT` is where the test will knock. */
export type HttpBlock = string;

/** As the README of the adapter has it, for a machine with nothing else on its nginx. */
export const OWN_SERVER: HttpBlock = 'include themecast/hash.conf;\ninclude themecast/theme-service.conf;';

/** Starts nginx with the rules of a site in a folder of its own, in the foreground and without privileges. */
export async function startNginx(site: PublishedSite, http: HttpBlock = OWN_SERVER): Promise<Host> {
  const port = await freePort();
  const prefix = await installRules(site, port, http);
  const args = ['-p', prefix, '-c', path.join(prefix, 'nginx.conf'), '-e', path.join(prefix, 'error.log')];
  return startServer({ command: NGINX ?? 'nginx', args, port, env: site.secrets }, () => complaintIn(prefix));
}

/** Rules are not right while nginx warns of them. */
async function complaintIn(prefix: string): Promise<string | undefined> {
  const log = await readFile(path.join(prefix, 'error.log'), 'utf8');
  return /\[(?:warn|error|crit|alert|emerg)\]/.test(log) ? log : undefined;
}

/** Lays out what the README asks for: `nginx.conf`, the rules in `themecast/` beside it, and `dist/` where the rules say. */
async function installRules(site: PublishedSite, port: number, http: HttpBlock): Promise<string> {
  const prefix = path.join(site.folder, 'nginx');
  await mkdir(prefix);
  for (const [env, secret] of Object.entries(site.secrets)) {
    await mkdir(path.join(prefix, 'themecast'), { recursive: true });
    await writeFile(path.join(prefix, 'themecast', `${env}.map`), `"~^${secret}$" 1;\n`);
  }
  for (const file of serverFiles(nginx, site, port)) await writeOutputFile(path.join(prefix, 'themecast'), file);
  await writeFile(path.join(prefix, 'nginx.conf'), nginxConf(site, http.replaceAll('$PORT', String(port))));
  // nginx gives up the rights of root, and then has to read the temporary folder, which is 0700.
  await chmod(site.folder, 0o755);
  return prefix;
}

function nginxConf({ rules }: PublishedSite, http: string): string {
  return `${mainContext(tokenSecrets(rules.identity))}${IN_FOREGROUND}http {
    access_log access.log;
    client_body_temp_path body;
    proxy_temp_path proxy;
    fastcgi_temp_path fastcgi;
    uwsgi_temp_path uwsgi;
    scgi_temp_path scgi;
${http}
}
`;
}

/** As the README has it for tokens; without them nginx must do without the module. */
function mainContext(secrets: readonly string[]): string {
  if (secrets.length === 0) return '';
  return `load_module ${NJS};\n${secrets.map((env) => `env ${env};\n`).join('')}`;
}
