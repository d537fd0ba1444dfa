import { spawn } from 'node:child_process';

/** The exit code of `deploy.sh` if the live record has changed since it was compared. */
export const EXIT_LIVE_CHANGED = 75;
/** The exit code of `deploy.sh` if the server or the store is not prepared for this build. */
export const EXIT_UNPREPARED = 78;

/** Signals that stop a deployment, with the exit codes of shells. */
export const STOP_SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

interface Ending {
  code: number;
  /** The signal that this process received meanwhile. */
  signal?: keyof typeof STOP_SIGNALS | undefined;
}

/**
 * Runs a script with further variables, and prints its output. Passes signals to the script and its tools, so that it ends at once or
 * completes the last step.
 */
export function runScript(script: string, variables: Readonly<Record<string, string>>): Promise<Ending> {
  const env = { ...process.env, ...variables };
  // A process group gets signals as a whole. In a terminal, ssh may ask for a passphrase, and Ctrl+C reaches all processes anyway.
  const detached = !process.stdin.isTTY;
  const child = spawn('sh', [script], { env, stdio: ['ignore', 'pipe', 'pipe'], detached });
  child.stdout.on('data', (chunk: Buffer) => process.stdout.write(chunk));
  child.stderr.on('data', (chunk: Buffer) => process.stderr.write(chunk));
  let signal: Ending['signal'];
  const stop = (received: keyof typeof STOP_SIGNALS): void => {
    signal = received;
    const isRunning = child.exitCode === null && child.signalCode === null;
    if (child.pid !== undefined && isRunning) process.kill(detached ? -child.pid : child.pid, 'SIGTERM');
  };
  const names = Object.keys(STOP_SIGNALS) as (keyof typeof STOP_SIGNALS)[];
  for (const name of names) process.on(name, stop);
  return new Promise<Ending>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, signal }));
  }).finally(() => {
    for (const name of names) process.off(name, stop);
  });
}
