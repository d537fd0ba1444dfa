import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../../../system/command-line/command.ts';
import { MAPPING_BINDING } from '../../../hosts/cloudflare/index.ts';
import type { EdgeRules } from '../../../hosts/contract/contract.ts';
import { deployVariables, scriptOf } from '../../../hosts/adapter/deploy-scripts.ts';
import { Inexpressible } from '../../../hosts/contract/inexpressible.ts';
import type { EdgeHost } from '../../../core/theme/site/site.ts';

/** The exit code of a script if the live record has changed since it was compared. */
export const EXIT_LIVE_CHANGED = 75;
/** The exit code of a script if the server or the store is not prepared for this build. */
export const EXIT_UNPREPARED = 78;

/** Signals that stop a deployment, with the exit codes of shells. */
export const STOP_SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

export type StopSignal = keyof typeof STOP_SIGNALS;

export interface Ending {
  code: number;
  /** The signal that this process received meanwhile. */
  signal?: StopSignal | undefined;
}

/** Stops the script that runs. */
let stopScript: ((signal: StopSignal) => void) | undefined;

/** Passes signals to the script that runs, or else to a function. @returns a function that ends it */
export function onSignal(call: (signal: StopSignal) => void): () => void {
  const listeners = (Object.keys(STOP_SIGNALS) as StopSignal[]).map((name) => {
    const listener = (): void => (stopScript ?? call)(name);
    process.on(name, listener);
    return () => process.off(name, listener);
  });
  return () => listeners.forEach((stop) => stop());
}

/**
 * Runs a script with further variables, and prints its output. Signals reach the script and its tools, so that it ends at once or completes the
 * last step.
 */
export function runScript(script: string, variables: Readonly<Record<string, string>>): Promise<Ending> {
  const env = { ...process.env, ...variables };
  // A process group gets signals as a whole. In a terminal, ssh may ask for a passphrase, and Ctrl+C reaches all processes anyway.
  const detached = !process.stdin.isTTY;
  const child = spawn('sh', [script], { env, stdio: ['ignore', 'pipe', 'pipe'], detached });
  child.stdout.on('data', (chunk: Buffer) => process.stdout.write(chunk));
  child.stderr.on('data', (chunk: Buffer) => process.stderr.write(chunk));
  let signal: Ending['signal'];
  stopScript = (received) => {
    signal = received;
    const isRunning = child.exitCode === null && child.signalCode === null;
    if (child.pid !== undefined && isRunning) process.kill(detached ? -child.pid : child.pid, 'SIGTERM');
  };
  return new Promise<Ending>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, signal }));
  }).finally(() => (stopScript = undefined));
}

/** The folder of the scripts, in the package: nothing of an archive is ever run. */
const SCRIPTS = fileURLToPath(new URL('../scripts/', import.meta.url));

/** Variables that `deploy` itself sets. */
const OWN_VARIABLES = new Set(['EDGE', 'DIST', 'RECORD', 'SERVED', 'EXPECT', 'LIVE', 'DEPLOY_SERVER', 'BINDING']);

/** @throws {UsageError} if the rules have a value that no build writes */
function checkedVariables(host: EdgeHost, rules: EdgeRules): Record<string, string> {
  try {
    return deployVariables(host, rules);
  } catch (error) {
    throw error instanceof Inexpressible ? new UsageError(`rules.json: ${error.message}.`) : error;
  }
}

/** Returns the path of the script of a host, its environment, and the variables that the user has to set. */
export function scriptFor(
  host: EdgeHost,
  rules: EdgeRules,
  edgeOutDir: string,
): { script: string; variables: Readonly<Record<string, string>>; needed: string[] } {
  const script = path.join(SCRIPTS, scriptOf(host));
  const text = readFileSync(script, 'utf8');
  // The other scripts that it reads.
  const read = [...text.matchAll(/^\. "\$here\/(.+)"$/gm)].map(([, name = '']) => path.join(SCRIPTS, name));
  const texts = [text, ...read.map((name) => readFileSync(name, 'utf8'))].join('');
  const variables = {
    ...checkedVariables(host, rules),
    EDGE: path.resolve(edgeOutDir, host),
    BINDING: MAPPING_BINDING,
  };
  const needed = new Set([...texts.matchAll(/\$\{(\w+):\?\}/g)].map(([, name = '']) => name));
  return { script, variables, needed: [...needed].filter((name) => !OWN_VARIABLES.has(name) && !(name in variables)) };
}
