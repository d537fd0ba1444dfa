import { type ChildProcess, spawn, type SpawnOptions, spawnSync } from 'node:child_process';
import { BIN } from './command-line.ts';

/** Whether `script` of util-linux, which runs a command on a pseudo-terminal, is installed. */
export const HAS_TERMINAL = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0;
export const NO_TERMINAL = 'script (util-linux) is not installed, so nothing is tested on a terminal.';

/** Starts the bin on a pseudo-terminal. */
export function startOnTerminal(args: readonly string[], options: Pick<SpawnOptions, 'cwd' | 'env'>): ChildProcess {
  const command = [process.execPath, BIN, ...args].map((word) => `'${word}'`).join(' ');
  return spawn('script', ['-qec', command, '/dev/null'], { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
}
