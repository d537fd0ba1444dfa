import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { readPage } from '../docs/pages.ts';
import { HTTPD, httpdConf } from '../hosts/apache-process.ts';
import { CADDY } from '../hosts/caddy-process.ts';
import { NGINX, startNginxIn } from '../hosts/nginx-process.ts';
import { freePort, startServer } from '../hosts/process.ts';

const run = promisify(execFile);

/** The path of sshd, which must be absolute. */
const SSHD = ['/usr/sbin/sshd', '/usr/local/sbin/sshd'].find((command) => spawnSync(command, ['-?']).status !== null);

/** The programs that a deployment needs and this machine lacks. */
export const missing = [
  ...(SSHD === undefined ? ['sshd'] : []),
  ...(NGINX === undefined ? ['nginx'] : []),
  ...['rsync', 'ssh', 'ssh-keygen', 'git'].filter((name) => spawnSync(name, ['-V']).status === null),
];

/** The hosts that are deployed by ssh. */
export type WebServer = 'nginx' | 'apache' | 'caddy';

/** A simulated machine to deploy to: sshd and a web server on loopback. */
export interface DeployServer {
  folder: string;
  host: WebServer;
  /** The folder of the site, which the first deployment creates. */
  target: string;
  /** The folder of the rules, which the first deployment creates. */
  rules: string;
  /** The port of the deployed site. */
  port: number;
  /** The settings of the environment `production`, by name. */
  settings: Readonly<Record<string, string>>;
  /** The path where an administrator installs `themecast-rules`. */
  sbin: string;
  env: Readonly<Record<string, string>>;
  stop: () => Promise<void>;
}

export async function startDeployServer(host: WebServer = 'nginx'): Promise<DeployServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'themecast-server-'));
  // The server's workers run as another user, who must be able to read dist/.
  await chmod(folder, 0o755);
  const [bin, etc] = [path.join(folder, 'bin'), path.join(folder, 'etc')];
  for (const name of [bin, etc]) await mkdir(name);
  const target = path.join(folder, 'srv/themecast');
  const rules = path.join(etc, 'themecast');
  const port = await freePort();
  const server = await SERVERS[host]({ bin, etc, port });
  const sshd = await startSshd(folder).catch(async (error: unknown) => {
    await server.stop();
    throw error;
  });
  const uploaded = path.join(target, 'edge', host);
  const { DEPLOY_SERVER = '', DEPLOY_PORT = '' } = sshd.settings;
  const ssh = ['ssh', '-p', DEPLOY_PORT, '-i', sshd.key, '-o', `UserKnownHostsFile=${sshd.knownHosts}`];
  // On a real server, this command uses sudo.
  const sbin = path.join(folder, 'themecast-rules');
  await writeCommand(bin, 'themecast-rules', `PATH='${bin}':"$PATH" exec sh '${sbin}' "$1" '${uploaded}' '${rules}'`);
  const reload = path.join(bin, 'themecast-rules');
  return {
    folder,
    host,
    target,
    rules,
    sbin,
    port,
    settings: {
      ...sshd.settings,
      DEPLOY_RELOAD: reload,
    },
    env: { DEPLOY_SERVER, DEPLOY_RELOAD: reload, RSYNC_RSH: `${ssh.join(' ')} -o IdentitiesOnly=yes -o BatchMode=yes` },
    stop: async () => {
      await Promise.all([sshd.stop(), server.stop()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface ServerSettings {
  /** The folder of commands that come first in PATH while rules are installed. */
  bin: string;
  /** The folder of the server's configuration. */
  etc: string;
  port: number;
}

/** Functions that start a server as in its README, before the first deployment. */
const SERVERS: Readonly<Record<WebServer, (settings: ServerSettings) => Promise<{ stop: () => Promise<void> }>>> = {
  async nginx({ bin, etc, port: service }) {
    const port = await freePort();
    const args = ['-p', etc, '-c', path.join(etc, 'nginx.conf'), '-e', path.join(etc, 'error.log')];
    await writeCommand(bin, 'nginx', `exec ${await commandOf(NGINX ?? 'nginx')} ${args.join(' ')} "$@"`);
    const http = `include themecast/has[h].conf;
    server { listen 127.0.0.1:${service}; server_name 127.0.0.1; include themecast/location[s].conf;
      location / { return 404; } }
    include themecast/theme-servic[e].conf;
    server { listen 127.0.0.1:${port}; return 204; }`;
    return startNginxIn(etc, http, port);
  },
  async apache({ bin, etc, port: service }) {
    const port = await freePort();
    const conf = path.join(etc, 'httpd.conf');
    const user = process.getuid?.() === 0 ? 'User nobody\nGroup nogroup\n' : '';
    const directives = `${user}Listen 127.0.0.1:${service}\nIncludeOptional \${THEMECAST_DIR}/virtual-hos[t].conf`;
    await writeFile(conf, await httpdConf(etc, port, directives));
    const httpd = `exec ${await commandOf(HTTPD ?? 'httpd')} -f ${conf}`;
    await writeCommand(bin, 'apachectl', `if [ "$1" = configtest ]; then ${httpd} -t; else ${httpd} -k "$1"; fi`);
    await writeCommand(bin, 'chgrp', 'exec /usr/bin/chgrp -R nogroup "$3"');
    return startServer({ command: HTTPD ?? 'httpd', args: ['-f', conf, '-D', 'FOREGROUND'], port });
  },
  async caddy({ bin, etc }) {
    const [port, admin] = [await freePort(), await freePort()];
    const conf = path.join(etc, 'Caddyfile');
    const [, include = ''] = /^ *\| Caddy \| the Caddyfile \| `(.*)` \|$/m.exec(readPage('docs/going-live.md')) ?? [];
    const site = `:${port} {\n  respond 204\n}\n${include}\n`;
    await writeFile(conf, `{\n  admin 127.0.0.1:${admin}\n  auto_https off\n}\n${site}`);
    const caddy = `exec ${await commandOf(CADDY ?? 'caddy')}`;
    await writeCommand(bin, 'caddy', `${caddy} "$1" --config ${conf}`);
    await writeCommand(bin, 'systemctl', `${caddy} "$1" --config ${conf} --force`);
    await writeCommand(bin, 'chgrp', 'exec /usr/bin/chgrp -R nogroup "$3"');
    const env = { HOME: etc, XDG_CONFIG_HOME: etc, XDG_DATA_HOME: etc };
    return startServer({ command: CADDY ?? 'caddy', args: ['run', '--config', conf], port, env, cwd: etc });
  },
};

/** Returns the absolute path of a command, because the command of the same name in `bin/` comes first. */
async function commandOf(name: string): Promise<string> {
  return (await run('sh', ['-c', 'command -v "$1"', 'sh', name])).stdout.trim();
}

async function writeCommand(bin: string, name: string, text: string): Promise<void> {
  await writeFile(path.join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
}

/** Starts sshd, which accepts a generated key for this user. */
export async function startSshd(
  folder: string,
  settings = '',
): Promise<{
  settings: Readonly<Record<string, string>>;
  key: string;
  knownHosts: string;
  stop: () => Promise<void>;
}> {
  const below = (name: string): string => path.join(folder, 'ssh', name);
  await mkdir(below(''));
  for (const name of ['host_key', 'key']) await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', below(name)]);
  const port = await freePort();
  await writeFile(
    below('sshd_config'),
    `ListenAddress 127.0.0.1:${port}
HostKey ${below('host_key')}
AuthorizedKeysFile ${below('key.pub')}
AuthenticationMethods publickey
PermitRootLogin prohibit-password
StrictModes no
UsePAM no
PidFile none
SetEnv HOME=${folder}
${settings}`,
  );
  // As root, sshd requires this folder, which systemd usually creates.
  if (process.getuid?.() === 0) await mkdir('/run/sshd', { recursive: true, mode: 0o755 });
  const server = spawn(SSHD ?? 'sshd', ['-D', '-e', '-f', below('sshd_config')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(server, 'exit');
  let log = '';
  const listening = new Promise<void>((resolve) => {
    server.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      if (log.includes('Server listening')) resolve();
    });
  });
  await Promise.race([
    listening,
    exited.then(() => {
      throw new Error(`sshd ended: ${log}`);
    }),
  ]);
  const [type = '', hostKey = ''] = (await readFile(below('host_key.pub'), 'utf8')).split(' ');
  const knownHosts = `[127.0.0.1]:${port} ${type} ${hostKey}`;
  await writeFile(below('known_hosts'), `${knownHosts}\n`);
  return {
    key: below('key'),
    knownHosts: below('known_hosts'),
    settings: {
      DEPLOY_KEY: (await readFile(below('key'), 'utf8')).trimEnd(),
      DEPLOY_KNOWN_HOSTS: knownHosts,
      DEPLOY_SERVER: `${userInfo().username}@127.0.0.1`,
      DEPLOY_PORT: String(port),
    },
    stop: async () => {
      server.kill('SIGTERM');
      await exited;
    },
  };
}

/** Creates a command that fails after some calls. @returns its folder */
export async function failing(name: string, calls: number, folder: string): Promise<string> {
  const bin = await mkdtemp(path.join(folder, 'failing-'));
  await writeCommand(
    bin,
    name,
    `echo >>'${bin}/calls'\n[ "$(wc -l <'${bin}/calls')" -le ${calls} ] || exit 30\nexec ${await commandOf(name)} "$@"`,
  );
  return bin;
}

/** Creates an rsync that makes the last step on the server stop before the manifest. @returns its folder */
export async function interrupting({ folder, target }: Pick<DeployServer, 'folder' | 'target'>): Promise<string> {
  const bin = await mkdtemp(path.join(folder, 'interrupting-'));
  const scripts = `'${target}'/.dist.next-*/edge/publish.sh`;
  const edit = `sed -i 's|^for name in dist/manifest.json|exit 1; &|' ${scripts} 2>/dev/null`;
  await writeCommand(bin, 'rsync', `${await commandOf('rsync')} "$@" || exit\n${edit} || :`);
  return bin;
}

/** Creates a command that hangs, and writes its process id to the file `pid`. @returns its folder */
export async function waiting(name: string, folder: string): Promise<string> {
  const bin = await mkdtemp(path.join(folder, 'waiting-'));
  await writeCommand(bin, name, `echo $$ >'${bin}/new' && mv '${bin}/new' '${bin}/pid' && exec sleep 60`);
  return bin;
}
