import { execFile, spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './pages.ts';

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

/**
 * Runs `npm run init-site -- ../NAME …`, with an `npm` in front of npm that links the package instead of installing it from a network.
 * @returns the folder beside the clone
 */
export async function initSite(
  command: string,
  parent: string,
  unpacked: string,
): Promise<{ site: string; printed: string }> {
  const [, name = '', options = ''] = /^npm ci && npm run init-site -- \.\.\/(\S+) (.+)$/.exec(command) ?? [];
  const [bin, site] = [path.join(parent, 'bin'), path.join(parent, name)];
  await mkdir(bin, { recursive: true });
  const npm = (await promisify(execFile)('sh', ['-c', 'command -v npm'])).stdout.trim();
  await writeFile(
    path.join(bin, 'npm'),
    `#!/bin/sh
[ "$1" = install ] || exec '${npm}' "$@"
for file; do :; done
[ -f "$file" ] && mkdir -p node_modules/.bin && ln -s '${unpacked}' node_modules/themecast && ln -s ../themecast/lib/bundle/cli.js node_modules/.bin/themecast
`,
    { mode: 0o755 },
  );
  const script = `PATH='${bin}':"$PATH" node scripts/init-site.js '${site}' ${options}`;
  return { site, printed: (await runScript(script, ROOT)).stdout };
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
