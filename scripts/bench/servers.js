// Starts the servers under load, in the foreground and on a port of 127.0.0.1.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';

/** @typedef {import('./requests.js').Server} Server */

/** Milliseconds within which a server must respond. The dynamic service creates its database first. */
const START_LIMIT_MS = 60_000;

/** Debian keeps nginx outside the path of ordinary users. */
const NGINX = '/usr/sbin/nginx';

/** Returns why requests cannot be measured; nothing if they can. */
export function missingNginx() {
  return existsSync(NGINX) ? undefined : 'nginx is not installed';
}

/**
 * Starts nginx with the generated rules, installed as their README says.
 * @param {string} site - the folder with dist/ and edge/
 * @param {number} port
 * @returns {Promise<Server>}
 */
export async function startNginx(site, port) {
  const prefix = path.join(site, 'nginx');
  mkdirSync(prefix);
  cpSync(path.join(site, 'edge/nginx'), path.join(prefix, 'themecast'), { recursive: true });
  const temporaryFolder = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${name};`,
  );
  writeFileSync(
    path.join(prefix, 'nginx.conf'),
    `daemon off;\npid nginx.pid;\nworker_processes auto;\n${process.getuid?.() === 0 ? 'user nobody nogroup;\n' : ''}events {}
http {\naccess_log off;\n${temporaryFolder.join('\n')}\ninclude themecast/hash.conf;\ninclude themecast/theme-service.conf;\n}\n`,
  );
  const command = [NGINX, '-p', prefix, '-c', path.join(prefix, 'nginx.conf'), '-e', path.join(prefix, 'error.log')];
  const stop = await startServer(command, { port, env: {} });
  return { name: 'nginx, generated rules', port, stop, userHeader: (user) => ['Cookie', `uid=${user}`] };
}

/**
 * @param {string} service - a folder with a `run.sh`, which takes a themes folder and a port
 * @param {string} site
 * @param {number} port
 * @returns {Promise<Server>}
 */
export async function startOldService(service, site, port) {
  const env = { OLD_SERVICE_DATA: path.join(site, 'old-service'), OLD_SERVICE_VARIANT: 'token' };
  const command = ['sh', path.join(path.resolve(service), 'run.sh'), path.join(site, 'themes'), String(port)];
  const stop = await startServer(command, { port, env });
  const token = (/** @type {string} */ user) => createHash('sha1').update(user).digest('hex');
  return { name: 'dynamic service', port, stop, userHeader: (user) => ['Authorization', `Token ${token(user)}`] };
}

/**
 * @param {readonly string[]} command
 * @param {{ port: number, env: Readonly<Record<string, string>> }} options
 * @returns {Promise<() => Promise<void>>} a function that stops the server
 */
async function startServer([name = '', ...args], { port, env }) {
  const server = spawn(name, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  server.stderr.setEncoding('utf8').on('data', (/** @type {string} */ text) => (output += text));
  const exited = once(server, 'exit');
  const stop = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill('SIGTERM');
    await exited;
  };
  const end = Date.now() + START_LIMIT_MS;
  while (!(await accepts(port))) {
    if (server.exitCode === null && Date.now() < end) await delay(50);
    else {
      await stop();
      throw new Error(`${name} does not respond: ${output.slice(-2000)}`);
    }
  }
  return stop;
}

/** Returns a port that was free at the time of the call. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/**
 * @param {number} port
 * @returns {Promise<boolean>}
 */
function accepts(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
