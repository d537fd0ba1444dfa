import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { vi } from 'vitest';
import type { acquireDecoders } from '../src/system/decoder/shared.ts';
import type { main as commandLine } from '../src/system/command-line/main.ts';
import { openBin } from './package-copy.ts';
import { shareDecoders } from './shared-decoders.ts';

/** The bin, as it is packed. `npm test` compiles it first. */
export const BIN = path.join(import.meta.dirname, '..', 'lib/bundle/cli.js');
/** The compiled modules, for calls within the process of the test. */
const LIB = path.join(import.meta.dirname, '..', 'lib');

export interface Run {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  cwd?: string;
  /** Variables added to the environment of the test; `undefined` removes a variable. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Flags of Node.js. */
  nodeFlags?: readonly string[];
  /** The standard input; empty by default. */
  input?: string | Buffer;
  /** Runs the command as this user, from a copy of the package that other users can read. Only root can. */
  uid?: number;
}

/** The bin as installed globally: a symbolic link in a folder of PATH. */
const GLOBAL_BIN = path.join(import.meta.dirname, 'bin', 'themecast');

/** Returns the environment of the test, without variables that would change the output. */
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

/** Starts the bin in a separate process, as a global installation does. */
export function start(
  args: readonly string[],
  { cwd, env, nodeFlags = [], input, uid }: RunOptions = {},
): ChildProcess {
  const bin = uid === undefined ? GLOBAL_BIN : openBin();
  const child = spawn(process.execPath, [...nodeFlags, bin, ...args], {
    ...(cwd === undefined ? {} : { cwd }),
    ...(uid === undefined ? {} : { uid }),
    env: environment(bin, env),
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  // The process may stop reading early, which is no error.
  child.stdin?.on('error', () => undefined).end(input);
  return child;
}

/** Runs the bin in a separate process and waits for it to exit. */
export function runProcess(args: readonly string[], options?: RunOptions): Promise<Run> {
  return waitForExit(start(args, options));
}

/** A running server: `serve` or `dev`. */
export interface ServerProcess {
  url: string;
  port: number;
  /** The output before the server waited for requests. */
  greeting: string;
  /** Stops the server; returns its complete output and its exit status. */
  stop: (signal?: NodeJS.Signals) => Promise<Run>;
}

/** Starts a server, on a free port unless the arguments set one, and waits until it is ready. */
export async function startServer(args: readonly string[], options?: RunOptions): Promise<ServerProcess> {
  const child = start(args.includes('--port') ? args : [...args, '--port', '0'], options);
  const end = waitForExit(child);
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

let lastCall: Promise<unknown> = Promise.resolve();

/**
 * Runs a command, in the process of the test if possible: this is ten times faster, as modules are loaded only once. Calls wait for each
 * other, since a command changes the working directory, the environment and the output of the process.
 */
export function run(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const { nodeFlags, input, uid } = options;
  const readsInput = input !== undefined || args.includes('-');
  if (readsInput || nodeFlags !== undefined || uid !== undefined) return runProcess(args, options);
  const currentCall = lastCall.then(() => call(args, options));
  lastCall = currentCall.catch(() => undefined);
  return currentCall;
}

/** Changes the environment in place, because `os.homedir()` and child processes read it. */
function setEnvironment(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
}

async function call(args: readonly string[], { cwd = process.cwd(), env }: RunOptions): Promise<Run> {
  const { main } = (await import(`${LIB}/system/command-line/main.js`)) as { main: typeof commandLine };
  const { COMMANDS } = (await import(`${LIB}/commands.js`)) as { COMMANDS: Parameters<typeof commandLine>[0] };
  shareDecoders(
    ((await import(`${LIB}/system/decoder/shared.js`)) as { acquireDecoders: typeof acquireDecoders }).acquireDecoders,
  );
  const original = { cwd: process.cwd(), env: { ...process.env }, argv: process.argv, exitCode: process.exitCode };
  const output = { stdout: '', stderr: '' };
  const writers = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((chunk, ...rest) => {
      output[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
      for (const callback of rest) if (typeof callback === 'function') callback();
      return true;
    }),
  );
  process.chdir(cwd);
  setEnvironment(environment(GLOBAL_BIN, env));
  process.argv = [process.execPath, GLOBAL_BIN, ...args];
  try {
    return { code: await main(COMMANDS, args), ...output };
  } finally {
    setEnvironment(original.env);
    process.argv = original.argv;
    process.exitCode = original.exitCode;
    process.chdir(original.cwd);
    for (const writer of writers) writer.mockRestore();
  }
}

/** Returns the output of a process after it has exited. */
export function waitForExit(child: ChildProcess): Promise<Run> {
  return new Promise((resolve, reject) => {
    let [stdout, stderr] = ['', ''];
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}
