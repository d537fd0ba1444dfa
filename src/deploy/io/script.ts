import { spawn } from 'node:child_process';

/** How `deploy.sh` ends if what is live is not what was compared. */
export const CAME_FIRST = 75;
/** How it ends if a folder on the server has files that no deployment made. */
export const FOREIGN = 78;

/** Runs a script with further variables; its output is that of this process. @returns its exit code */
export function runScript(script: string, variables: Readonly<Record<string, string>>): Promise<number> {
  const child = spawn('sh', [script], { env: { ...process.env, ...variables }, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.on('data', (chunk: Buffer) => process.stdout.write(chunk));
  child.stderr.on('data', (chunk: Buffer) => process.stderr.write(chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}
