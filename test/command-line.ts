import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { vi } from 'vitest';
import type { acquireDecoders } from '../src/decoder/shared.ts';
import type { main as commandLine } from '../src/command-line/main.ts';
import { openBin } from './package-copy.ts';
import { shareDecoders } from './shared-decoders.ts';

/** The compiled bin; `npm test` compiles it first. */
export const BIN = path.join(import.meta.dirname, '..', 'lib', 'cli.js');
/** The same without its process. */
const LIB = path.dirname(BIN);

export interface Run {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  cwd?: string;
  /** Added to the environment of the test; `undefined` removes a variable. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Flags for node itself. */
  nodeFlags?: readonly string[];
  /** Standard input; empty by default. */
  input?: string | Buffer;
  /** Runs as this user (as root only), from a copy of the package that other users can read. */
  uid?: number;
}

/** The bin as in a global installation: a symbolic link in a folder of PATH. */
const LINK = path.join(import.meta.dirname, 'bin', 'themecast');

/** The environment of a command: that of the test, without what would change the output. */
function environment(bin: string, env: RunOptions['env'] = {}): Record<string, string> {
  const merged = {
    ...process.env,
    PATH: [path.dirname(bin), process.env['PATH']].join(path.delimiter),
    npm_command: undefined,
    NO_COLOR: undefined,
    FORCE_COLOR: undefined,
    THEMECAST_BASE_URL: undefined,
    THEMECAST_KEY_SECRET: undefined,
    THEMECAST_CACHE_SECRET: undefined,
    DEBUG: undefined,
    ...env,
  };
  return Object.fromEntries(
    Object.entries(merged).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** Starts the bin in its own process, as in a global installation. */
export function start(
  args: readonly string[],
  { cwd, env, nodeFlags = [], input, uid }: RunOptions = {},
): ChildProcess {
  const bin = uid === undefined ? LINK : openBin();
  const child = spawn(process.execPath, [...nodeFlags, bin, ...args], {
    ...(cwd === undefined ? {} : { cwd }),
    ...(uid === undefined ? {} : { uid }),
    env: environment(bin, env),
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  // The process may stop reading early.
  child.stdin?.on('error', () => undefined).end(input);
  return child;
}

/** Runs the bin in its own process and waits for it to exit. */
export function runProcess(args: readonly string[], options?: RunOptions): Promise<Run> {
  return finished(start(args, options));
}

/** A command that serves until it is stopped: `serve`, `dev`. */
export interface ServerProcess {
  url: string;
  port: number;
  /** What it printed before it waited for requests. */
  greeting: string;
  /** Stops it; returns all that it has printed and its exit status. */
  stop: (signal?: NodeJS.Signals) => Promise<Run>;
}

/** Starts a server, on a free port unless the arguments name one, and waits until it serves. */
export async function startServer(args: readonly string[], options?: RunOptions): Promise<ServerProcess> {
  const child = start(args.includes('--port') ? args : [...args, '--port', '0'], options);
  const end = finished(child);
  const greeting = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk: string) => {
      text += chunk;
      if (text.includes('Ctrl+C')) resolve(text);
    });
    end.then(({ stdout, stderr }) => reject(new Error(`${args[0]} ended: ${stdout}${stderr}`)), reject);
  });
  const [url = '', port] = /http:\/\/127\.0\.0\.1:(\d+)/.exec(greeting) ?? [];
  return {
    url,
    port: Number(port),
    greeting,
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return end;
    },
  };
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command in the process of the test if it can, which is ten times faster: the compiled modules are loaded once. Calls wait for
 * each other, since the folder, the environment and the output of the process are those of the command.
 */
export function run(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const { nodeFlags, input, uid } = options;
  const readsInput = input !== undefined || args.includes('-');
  if (readsInput || nodeFlags !== undefined || uid !== undefined) return runProcess(args, options);
  const called = last.then(() => call(args, options));
  last = called.catch(() => undefined);
  return called;
}

/** In place: `os.homedir()` and child processes read what the process has. */
function setEnvironment(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
}

async function call(args: readonly string[], { cwd = process.cwd(), env }: RunOptions): Promise<Run> {
  const { main } = (await import(`${LIB}/command-line/main.js`)) as { main: typeof commandLine };
  const { COMMANDS } = (await import(`${LIB}/commands.js`)) as { COMMANDS: Parameters<typeof commandLine>[0] };
  shareDecoders(
    ((await import(`${LIB}/decoder/shared.js`)) as { acquireDecoders: typeof acquireDecoders }).acquireDecoders,
  );
  const before = { cwd: process.cwd(), env: { ...process.env }, argv: process.argv, exitCode: process.exitCode };
  const output = { stdout: '', stderr: '' };
  const writers = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((chunk, ...rest) => {
      output[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
      for (const callback of rest) if (typeof callback === 'function') callback();
      return true;
    }),
  );
  process.chdir(cwd);
  setEnvironment(environment(LINK, env));
  process.argv = [process.execPath, LINK, ...args];
  try {
    return { code: await main(COMMANDS, args), ...output };
  } finally {
    setEnvironment(before.env);
    process.argv = before.argv;
    process.exitCode = before.exitCode;
    process.chdir(before.cwd);
    for (const writer of writers) writer.mockRestore();
  }
}

/** The output of a process, once it has exited. */
export function finished(child: ChildProcess): Promise<Run> {
  return new Promise((resolve, reject) => {
    let [stdout, stderr] = ['', ''];
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}
