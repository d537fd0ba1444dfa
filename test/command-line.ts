import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { openBin } from './open-copy.ts';

/** The compiled bin: `npm test` compiles it first. */
export const BIN = path.join(import.meta.dirname, '..', 'lib', 'cli.js');

export interface Run {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  cwd?: string;
  /** Added to the environment of the test; `undefined` takes a variable away. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Flags of node itself. */
  nodeFlags?: readonly string[];
  /** What it reads from standard input; nothing without it. */
  input?: string | Buffer;
  /** Runs as this user, which only root may ask for, from a copy of the package that others may read. */
  uid?: number;
}

/** The same as a global installation has it: a link in a folder of the path. */
const LINK = path.join(import.meta.dirname, 'bin', 'themecast');

/** Starts the bin in a process of its own, as it starts where it is installed globally. */
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
    DEBUG: undefined,
    ...env,
  };
  const child = spawn(process.execPath, [...nodeFlags, bin, ...args], {
    ...(cwd === undefined ? {} : { cwd }),
    ...(uid === undefined ? {} : { uid }),
    env: Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined)),
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  // It need not read all of it.
  child.stdin?.on('error', () => undefined).end(input);
  return child;
}

/** Runs the bin to its end. */
export function run(args: readonly string[], options?: RunOptions): Promise<Run> {
  return finished(start(args, options));
}

/** What a process printed, once it has ended. */
export function finished(child: ChildProcess): Promise<Run> {
  return new Promise((resolve, reject) => {
    let [stdout, stderr] = ['', ''];
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}
