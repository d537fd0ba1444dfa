import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { IN_FOREGROUND, NGINX } from '../hosts/nginx-process.ts';
import { freePort, startServer } from '../hosts/process.ts';

const run = promisify(execFile);

/** sshd, which must be started by its absolute path. */
const SSHD = ['/usr/sbin/sshd', '/usr/local/sbin/sshd'].find((command) => spawnSync(command, ['-?']).status !== null);

/** The programs that a deployment needs and that are not installed. */
export const missing = [
  ...(SSHD === undefined ? ['sshd'] : []),
  ...(NGINX === undefined ? ['nginx'] : []),
  ...['rsync', 'ssh', 'ssh-keygen', 'git'].filter((name) => spawnSync(name, ['-V']).status === null),
];

/** A machine that a workflow deploys to: sshd and nginx on loopback, each with its own configuration. */
export interface DeployServer {
  folder: string;
  /** The folder that the site is deployed to; missing at first. */
  target: string;
  /** The folder of the rules of nginx; missing at first. */
  rules: string;
  /** The URL of the site, once it is deployed. */
  port: number;
  /** The settings of the environment `production`, by name. */
  settings: Readonly<Record<string, string>>;
  stop: () => Promise<void>;
}

export async function startDeployServer(): Promise<DeployServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'themecast-server-'));
  // The workers of nginx run as another user and must be able to read dist/.
  await chmod(folder, 0o755);
  const nginx = await startNginx(folder);
  const sshd = await startSshd(folder).catch(async (error: unknown) => {
    await nginx.stop();
    throw error;
  });
  const target = path.join(folder, 'srv/themecast');
  const rules = path.join(folder, 'nginx/themecast');
  const installer = path.join(import.meta.dirname, '../../docs/theme-repository/themecast-rules');
  const port = await freePort();
  return {
    folder,
    target,
    rules,
    port,
    settings: {
      ...sshd.settings,
      DEPLOY_FOLDER: target,
      // With sudo, on a server with other users.
      DEPLOY_RELOAD: `PATH='${path.join(folder, 'bin')}':"$PATH" sh '${installer}' '${target}/edge/nginx' '${rules}'`,
      BASE_URL: `http://127.0.0.1:${port}`,
    },
    stop: async () => {
      await Promise.all([sshd.stop(), nginx.stop()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** nginx with another site, and the line of the README in `http{}`; `bin/nginx` is the command for it. */
async function startNginx(folder: string): Promise<{ stop: () => Promise<void> }> {
  const prefix = path.join(folder, 'nginx');
  const port = await freePort();
  await mkdir(prefix);
  await mkdir(path.join(folder, 'bin'));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  await writeFile(
    path.join(prefix, 'nginx.conf'),
    `${IN_FOREGROUND}http {
    access_log off;
${temporary.map((name) => `    ${name}_temp_path ${name};\n`).join('')}
    include themecast/has[h].conf;
    include themecast/theme-servic[e].conf;
    server { listen 127.0.0.1:${port}; return 204; }
}
`,
  );
  const args = ['-p', prefix, '-c', path.join(prefix, 'nginx.conf'), '-e', path.join(prefix, 'error.log')];
  // By its absolute path: `bin/nginx` comes first in PATH.
  const { stdout } = await run('sh', ['-c', 'command -v "$1"', 'sh', NGINX ?? 'nginx']);
  const quoted = [stdout.trim(), ...args].map((word) => `'${word}'`).join(' ');
  await writeFile(path.join(folder, 'bin/nginx'), `#!/bin/sh\nexec ${quoted} "$@"\n`, { mode: 0o755 });
  return startServer({ command: NGINX ?? 'nginx', args, port });
}

/** sshd that lets this user in with a key that is generated for it. */
async function startSshd(
  folder: string,
): Promise<{ settings: Readonly<Record<string, string>>; stop: () => Promise<void> }> {
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
`,
  );
  // As root, sshd needs this folder for privilege separation; systemd creates it where sshd is a service.
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
  return {
    settings: {
      DEPLOY_KEY: (await readFile(below('key'), 'utf8')).trimEnd(),
      DEPLOY_KNOWN_HOSTS: `[127.0.0.1]:${port} ${type} ${hostKey}`,
      DEPLOY_SERVER: `${userInfo().username}@127.0.0.1`,
      DEPLOY_PORT: String(port),
    },
    stop: async () => {
      server.kill('SIGTERM');
      await exited;
    },
  };
}
