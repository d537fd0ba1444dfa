import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { openBin } from './package-copy.ts';

/** The compiled bin; `npm test` compiles it first. */
export const BIN = path.join(import.meta.dirname, '..', 'lib', 'cli.js');

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

/** Starts the bin in its own process, as in a global installation. */
export function start(
  args: readonly string[],
  { cwd, env = {}, nodeFlags = [], input, uid }: RunOptions = {},
): ChildProcess {
  const bin = uid === undefined ? LINK : openBin();
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
  const child = spawn(process.execPath, [...nodeFlags, bin, ...args], {
    ...(cwd === undefined ? {} : { cwd }),
    ...(uid === undefined ? {} : { uid }),
    env: Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined)),
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  // The process may stop reading early.
  child.stdin?.on('error', () => undefined).end(input);
  return child;
}

/** Runs the bin and waits for it to exit. */
export function run(args: readonly string[], options?: RunOptions): Promise<Run> {
  return finished(start(args, options));
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
