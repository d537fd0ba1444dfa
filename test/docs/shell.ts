import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';

/** Without what `npm test` sets, and without a network. */
const ENV = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'))),
  npm_config_offline: 'true',
  NO_COLOR: '1',
};

/** Runs a script in a shell, which ends at the first command that fails. */
export function type(script: string, cwd: string): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)('sh', ['-euc', script], { cwd, env: ENV });
}

/** Starts a server in a shell. @returns what it prints up to its greeting, and what stops it */
export async function typeServer(
  command: string,
  cwd: string,
): Promise<{ printed: string; stop: () => Promise<void> }> {
  // In a process group of its own: npm and npx do not pass signals on to what they run.
  const child = spawn('sh', ['-c', command], { cwd, env: ENV, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let printed = '';
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        printed += chunk.toString();
        if (/ctrl[+-]c/i.test(printed)) resolve();
      });
    child.once('exit', (code) => reject(new Error(`${command} ended with ${code}: ${printed}`)));
  });
  return {
    printed,
    stop: async () => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
      await ended;
    },
  };
}
