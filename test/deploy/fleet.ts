import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { IN_FOREGROUND, NGINX, startNginxIn, TEMPORARY_PATHS } from '../hosts/nginx-process.ts';
import { freePort, startServer } from '../hosts/process.ts';
import { startSshd } from './server.ts';

/** A server in a mount namespace, so that all servers of a fleet have equal paths. */
export interface Node {
  name: string;
  /** The path of the server's folder on this machine. */
  folder: string;
  port: number;
  /** Stops the sshd of the server. */
  disconnect: () => Promise<void>;
}

/** Several servers with nginx behind a round-robin proxy. */
export interface Fleet {
  nodes: readonly Node[];
  port: number;
  root: string;
  /** The environment of `deploy.sh` except DEPLOY_SERVER. */
  env: Readonly<Record<string, string>>;
  stop: () => Promise<void>;
}

/** The size of each server's disk, which a test fills. */
const DISK = '24m';

/** Starts a fleet. Requires root. */
export async function startFleet(size: number): Promise<Fleet> {
  const folder = await mkdtemp(path.join(tmpdir(), 'themecast-fleet-'));
  await chmod(folder, 0o755);
  // Each server has its folder mounted here.
  const shared = path.join(folder, 'shared');
  await mkdir(shared);
  const stops: (() => Promise<void>)[] = [];
  const nodes: Node[] = [];
  const hosts: string[] = [];
  for (let index = 1; index <= size; index++) {
    const name = `node${index}`;
    const real = path.join(folder, name);
    await mkdir(real);
    mount('-t', 'tmpfs', '-o', `size=${DISK},mode=755`, 'tmpfs', real);
    stops.unshift(async () => void spawnSync('umount', ['-l', real]));
    for (const below of ['etc', 'bin', 'srv']) await mkdir(path.join(real, below));
    const port = await freePort();
    await writeFile(
      path.join(real, 'etc/nginx.conf'),
      `${IN_FOREGROUND}http { access_log off; ${TEMPORARY_PATHS}
    include themecast/has[h].conf;
    include themecast/map[s].conf;
    server { listen 127.0.0.1:${port}; include themecast/location[s].conf; location / { return 404; } }
}
`,
    );
    const args = ['-p', `${shared}/etc`, '-c', `${shared}/etc/nginx.conf`, '-e', `${shared}/etc/error.log`];
    const command = (file: string, text: string): Promise<void> =>
      writeFile(path.join(real, 'bin', file), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    await command('nginx', `exec ${NGINX === 'nginx' ? pathOf('nginx') : NGINX} ${args.join(' ')} "$@"`);
    await command(
      'themecast-rules',
      `PATH=${shared}/bin:$PATH exec sh ${folder}/themecast-rules "$1" ${shared}/srv/edge/nginx ${shared}/etc/themecast`,
    );
    const startScript = `mount --bind ${real} ${shared} && echo $$ >${real}/pid && exec ${shared}/bin/nginx`;
    const server = await startServer({ command: 'unshare', args: ['-m', 'sh', '-c', startScript], port });
    stops.unshift(() => server.stop());
    const pid = (await readFile(path.join(real, 'pid'), 'utf8')).trim();
    const sshd = await startSshd(real, `ForceCommand nsenter -m -t ${pid} sh -c "$SSH_ORIGINAL_COMMAND"\n`);
    let isConnected = true;
    const disconnect = async (): Promise<void> => {
      if (isConnected) await sshd.stop();
      isConnected = false;
    };
    stops.unshift(disconnect);
    hosts.push(
      `Host ${name}\nHostName 127.0.0.1\nPort ${sshd.settings['DEPLOY_PORT']}\nIdentityFile ${sshd.key}\nUserKnownHostsFile ${sshd.knownHosts}\nIdentitiesOnly yes\nBatchMode yes\n`,
    );
    nodes.push({ name, folder: real, port, disconnect });
  }
  await writeFile(path.join(folder, 'ssh_config'), hosts.join(''));
  const port = await freePort();
  await mkdir(path.join(folder, 'proxy'));
  const servers = nodes.map((node) => `server 127.0.0.1:${node.port} max_fails=0;`).join(' ');
  const proxy = await startNginxIn(
    path.join(folder, 'proxy'),
    `upstream fleet { ${servers} }
    server { listen 127.0.0.1:${port}; location / { proxy_pass http://fleet; proxy_set_header Host $http_host; } }`,
    port,
  );
  return {
    nodes,
    port,
    root: `${shared}/srv/dist`,
    env: { DEPLOY_RELOAD: `${shared}/bin/themecast-rules`, RSYNC_RSH: `ssh -F ${folder}/ssh_config` },
    stop: async () => {
      await proxy.stop();
      for (const stop of stops) await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function mount(...args: string[]): void {
  const { status, stderr } = spawnSync('mount', args);
  if (status !== 0) throw new Error(stderr.toString());
}

function pathOf(name: string): string {
  return spawnSync('sh', ['-c', 'command -v "$1"', 'sh', name], { encoding: 'utf8' }).stdout.trim();
}
