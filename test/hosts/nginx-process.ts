import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { nginx } from '../../src/hosts/nginx/index.ts';
import { tokenSecrets } from '../../src/hosts/contract/secrets.ts';
import type { Host } from './contract.ts';
import { serverFiles } from './install.ts';
import { freePort, startServer } from './process.ts';
import { type PublishedSite, writeOutputFile } from './site.ts';

/** The first lines of `nginx.conf`: foreground, one worker, not as root. */
export const IN_FOREGROUND = `daemon off;
pid nginx.pid;
worker_processes 1;
${process.getuid?.() === 0 ? 'user nobody nogroup;' : ''}
events {}
`;

/** Directives for `http{}` that keep temporary files below the prefix. */
export const TEMPORARY_PATHS = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  .map((name) => `${name}_temp_path ${name};`)
  .join(' ');

/** Starts nginx in a folder, with the given content of `http{}`. @returns also its arguments, for `-t` and `-s reload` */
export async function startNginxIn(prefix: string, http: string, port: number): Promise<Host & { args: string[] }> {
  await writeFile(
    path.join(prefix, 'nginx.conf'),
    `${IN_FOREGROUND}http { access_log off; ${TEMPORARY_PATHS}\n${http}\n}\n`,
  );
  const args = ['-p', prefix, '-c', path.join(prefix, 'nginx.conf'), '-e', path.join(prefix, 'error.log')];
  return { args, ...(await startServer({ command: NGINX ?? 'nginx', args, port })) };
}

/** The nginx of this machine. Debian installs it outside the PATH of ordinary users. */
export const NGINX = ['nginx', '/usr/sbin/nginx'].find((command) => spawnSync(command, ['-v']).status === 0);

/** The njs module, which the rules for tokens need. */
export const NJS = ['/usr/lib/nginx/modules', '/usr/lib64/nginx/modules', '/etc/nginx/modules']
  .map((folder) => path.join(folder, 'ngx_http_js_module.so'))
  .find((file) => existsSync(file));

/** The content of `http{}` around the generated rules. Tests replace `$PORT` with their port. */
export type HttpBlock = string;

/** The configuration in the README, for an nginx without other sites. */
export const DEDICATED_SERVER: HttpBlock = 'include themecast/hash.conf;\ninclude themecast/theme-service.conf;';

/** Starts nginx in the foreground, without privileges, with the rules of a site in a separate folder. */
export async function startNginx(site: PublishedSite, http: HttpBlock = DEDICATED_SERVER): Promise<Host> {
  const port = await freePort();
  const prefix = await installRules(site, port, http);
  const args = ['-p', prefix, '-c', path.join(prefix, 'nginx.conf'), '-e', path.join(prefix, 'error.log')];
  return startServer({ command: NGINX ?? 'nginx', args, port, env: site.secrets }, () => findWarnings(prefix));
}

async function findWarnings(prefix: string): Promise<string | undefined> {
  const log = await readFile(path.join(prefix, 'error.log'), 'utf8');
  return /\[(?:warn|error|crit|alert|emerg)\]/.test(log) ? log : undefined;
}

/** Follows the README: copies the rules to `themecast/` next to `nginx.conf`. */
async function installRules(site: PublishedSite, port: number, http: HttpBlock): Promise<string> {
  const prefix = path.join(site.folder, 'nginx');
  await mkdir(prefix);
  for (const [env, secret] of Object.entries(site.secrets)) {
    await mkdir(path.join(prefix, 'themecast'), { recursive: true });
    await writeFile(path.join(prefix, 'themecast', `${env}.map`), `"~^${secret}$" 1;\n`);
  }
  for (const file of serverFiles(nginx, site, port)) await writeOutputFile(path.join(prefix, 'themecast'), file);
  await writeFile(path.join(prefix, 'nginx.conf'), nginxConf(site, http.replaceAll('$PORT', String(port))));
  // The workers run as another user, who must be able to enter the temporary folder (mode 0700).
  await chmod(site.folder, 0o755);
  return prefix;
}

function nginxConf({ rules }: PublishedSite, http: string): string {
  return `${mainContext(tokenSecrets(rules.identity))}${IN_FOREGROUND}http {
    access_log access.log;
    ${TEMPORARY_PATHS}
${http}
}
`;
}

/** Returns the README's lines for tokens. Without tokens, nginx must run without the njs module. */
function mainContext(secrets: readonly string[]): string {
  if (secrets.length === 0) return '';
  return `load_module ${NJS};\n${secrets.map((env) => `env ${env};\n`).join('')}`;
}
