import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';

/** An environment without the variables of `npm test`, and without a network. */
const ENV = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'))),
  npm_config_offline: 'true',
  NO_COLOR: '1',
};

/** Runs a script in a shell that exits at the first failing command. */
export function runScript(script: string, cwd: string): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)('sh', ['-euc', script], { cwd, env: ENV });
}

/** Starts a server in a shell. @returns its output up to the greeting, and a function that stops it */
export async function startInShell(
  command: string,
  cwd: string,
): Promise<{ printed: string; stop: () => Promise<void> }> {
  // Starts a process group, because npm and npx do not forward signals to their children.
  const child = spawn('sh', ['-c', command], { cwd, env: ENV, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let shellOutput = '';
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        shellOutput += chunk.toString();
        if (/ctrl[+-]c/i.test(shellOutput)) resolve();
      });
    child.once('exit', (code) => reject(new Error(`${command} ended with ${code}: ${shellOutput}`)));
  });
  return {
    printed: shellOutput,
    stop: async () => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
      await exit;
    },
  };
}
