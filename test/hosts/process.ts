import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { skipAll } from '../skip.ts';
import type { Host } from './contract.ts';

/** Time within which a server must answer its port, in milliseconds. */
const START_LIMIT = 20_000;

/** `nobody`: what the tests run a server as where they are root themselves and the server does not give up its rights. */
export const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

/** The command of a server on this machine; Debian keeps many outside the path of ordinary users. */
export function installed(name: string, versionFlag: string): string | undefined {
  return [name, `/usr/sbin/${name}`].find((command) => spawnSync(command, [versionFlag]).status === 0);
}

/** Why the tests of a server that is missing are skipped. */
export function missing(server: string, gap = 'its rules are not tested against it'): string {
  return `${server} is not installed, so ${gap}.`;
}

/** Replaces the tests of a server that is missing. */
export function reportMissing(server: string, gap?: string): void {
  skipAll(`${server} and its rules`, missing(server, gap));
}

/** A server in the foreground. */
export interface ServerCommand {
  command: string;
  args: readonly string[];
  /** Where it will answer, on 127.0.0.1. */
  port: number;
  env?: Readonly<Record<string, string>>;
  /** Folder to run in. */
  cwd?: string;
  /** Whether to run it as {@link NOBODY}. */
  unprivileged?: boolean;
}

/**
 * Starts a server and waits until it answers.
 * @param complaint - what its output has to say against it, if anything; asked when it answers, and when it ends too early
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
  // Unless the race below is still on, its end is no news.
  ended.catch(() => undefined);
  try {
    await Promise.race([answering(command, port), ended]);
    const found = await complaint(output);
    if (found !== undefined) throw new Error(found);
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, stop };
}

/** Below the ephemeral ports, of which an outgoing connection of another test could take one (Linux: ip_local_port_range from 32768). */
const PORTS = { first: 10_000, perWorker: 2000 };
/** Workers take from ranges of their own, so that none is given the port that another is about to listen on. */
const worker = Number(process.env['VITEST_POOL_ID'] ?? 0) % 10;
let offset = Math.floor(Math.random() * PORTS.perWorker);

/** A port on which nothing listens, on any address. */
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
  const end = Date.now() + START_LIMIT;
  while (!(await accepts(port))) {
    if (Date.now() > end) throw new Error(`${command} did not answer on port ${port} within ${START_LIMIT} ms.`);
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
