import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { skipAll } from '../skip.ts';
import type { Host } from './contract.ts';

/** Maximum time until a server accepts connections, in milliseconds. */
const START_LIMIT_MS = 20_000;

/** `nobody`, the user of servers that do not give up the rights of root, if the tests run as root. */
export const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

/** Returns the command of a server; Debian keeps many outside the path of ordinary users. */
export function installed(name: string, versionFlag: string): string | undefined {
  return [name, `/usr/sbin/${name}`].find((command) => spawnSync(command, [versionFlag]).status === 0);
}

/** Returns why the tests of a missing server are skipped. */
export function missing(server: string, gap = 'its rules are not tested against it'): string {
  return `${server} is not installed, so ${gap}.`;
}

export function reportMissing(server: string, gap?: string): void {
  skipAll(`${server} and its rules`, missing(server, gap));
}

export interface ServerCommand {
  command: string;
  args: readonly string[];
  port: number;
  env?: Readonly<Record<string, string>>;
  cwd?: string;
  /** Whether to run it as {@link NOBODY}. */
  unprivileged?: boolean;
}

/**
 * Starts a server and waits until it accepts connections.
 * @param complaint - returns a problem in the output, if any; called when the server is ready, and when it ends early
 */
export async function startServer(
  { command, args, port, env = {}, cwd, unprivileged = false }: ServerCommand,
  complaint: (output: string) => string | undefined | Promise<string | undefined> = () => undefined,
): Promise<Host> {
  const server = spawn(command, args, {
    ...(cwd === undefined ? {} : { cwd }),
    ...(unprivileged ? NOBODY : {}),
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [server.stdout, server.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const exited = once(server, 'exit');
  const stop = async () => {
    server.kill('SIGTERM');
    await exited;
  };
  const ended = exited.then(async () => {
    throw new Error((await complaint(output)) ?? `${command} ended: ${output}`);
  });
  // After the race below, the end of the server is expected.
  ended.catch(() => undefined);
  try {
    await Promise.race([answering(command, port), ended]);
    const problem = await complaint(output);
    if (problem !== undefined) throw new Error(problem);
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, stop };
}

/** Ports below the ephemeral ones, which outgoing connections of other tests use (Linux: ip_local_port_range from 32768). */
const PORTS = { first: 10_000, perWorker: 2000 };
/** Each worker uses a separate range, so that no two workers choose the same port. */
const worker = Number(process.env['VITEST_POOL_ID'] ?? 0) % 10;
let offset = Math.floor(Math.random() * PORTS.perWorker);

/** Returns a port on which nothing listens, on any address. */
export async function freePort(): Promise<number> {
  offset = (offset + 1) % PORTS.perWorker;
  const port = PORTS.first + worker * PORTS.perWorker + offset;
  const server = createServer().listen(port);
  try {
    await once(server, 'listening');
  } catch {
    return freePort();
  }
  server.close();
  await once(server, 'close');
  return port;
}

async function answering(command: string, port: number): Promise<void> {
  const end = Date.now() + START_LIMIT_MS;
  while (!(await accepts(port))) {
    if (Date.now() > end) throw new Error(`${command} did not answer on port ${port} within ${START_LIMIT_MS} ms.`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
