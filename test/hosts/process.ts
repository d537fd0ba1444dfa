import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { skipAll } from '../skip.ts';
import type { Host } from './contract.ts';

/** The maximum time until a server accepts connections, in milliseconds. */
const START_LIMIT_MS = 120_000;

/** The user `nobody`, for servers that would keep the rights of root. Undefined unless the tests run as root. */
export const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

/** Returns the command of an installed server. Debian installs many outside the PATH of ordinary users. */
export function installed(name: string, versionFlag: string): string | undefined {
  return [name, `/usr/sbin/${name}`].find((command) => spawnSync(command, [versionFlag]).status === 0);
}

/** Returns the reason to skip the tests of a missing server. */
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
 * @param findProblem - returns a problem in the output; called when the server is ready, or if it ends early
 */
export async function startServer(
  { command, args, port, env = {}, cwd, unprivileged = false }: ServerCommand,
  findProblem: (output: string) => string | undefined | Promise<string | undefined> = () => undefined,
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
    throw new Error((await findProblem(output)) ?? `${command} ended: ${output}`);
  });
  // `stop` ends the server too, so this rejection is not an error once the race below is over.
  ended.catch(() => undefined);
  try {
    await Promise.race([waitUntilReady(command, port), ended]);
    const problem = await findProblem(output);
    if (problem !== undefined) throw new Error(problem);
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, stop };
}

/** Ports below the ephemeral range of Linux (from 32768), which outgoing connections of other tests use. */
const PORTS = { first: 10_000, perWorker: 2000 };
/** The number of this worker. Each worker has a separate range, so no two choose the same port. */
const worker = Number(process.env['VITEST_POOL_ID'] ?? 0) % 10;
let offset = Math.floor(Math.random() * PORTS.perWorker);

/** Returns a port that is free on all addresses. */
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

async function waitUntilReady(command: string, port: number): Promise<void> {
  const end = Date.now() + START_LIMIT_MS;
  while (!(await acceptsConnections(port))) {
    if (Date.now() > end) throw new Error(`${command} did not answer on port ${port} within ${START_LIMIT_MS} ms.`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

function acceptsConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
