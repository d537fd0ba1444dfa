import { execFile, spawn, spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from './hosts/process.ts';
import { skip } from './skip.ts';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '..');

/** The commands of the README: every line of its `sh` blocks. */
const readme = await readFile(path.join(root, 'README.md'), 'utf8');
const commands = [...readme.matchAll(/^```sh\n([^]*?)^```/gm)].flatMap(([, block = '']) => block.trim().split('\n'));

/** Commands that go on until they are stopped. */
const SERVERS = new Set(['dev', 'serve']);

describe('README', () => {
  let copy: string;
  beforeAll(async () => {
    copy = await mkdtemp(path.join(tmpdir(), 'themecast-readme-'));
    for (const name of ['package.json', 'tsconfig.json', 'scripts', 'src', 'themes']) {
      await cp(path.join(root, name), path.join(copy, name), { recursive: true });
    }
    await symlink(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  });
  afterAll(() => rm(copy, { recursive: true, force: true }));

  it('has commands', () => {
    expect(commands.length).toBeGreaterThan(5);
  });

  it('gives commands that work, in the order in which it gives them', { timeout: 240_000 }, async (context) => {
    // In place of the port that the README names, which something else may use.
    const port = String(await freePort());
    const hasCurl = spawnSync('curl', ['--version']).status === 0;
    let server: { stop: () => Promise<void> } | undefined;
    try {
      for (const command of commands) {
        const [name = '', ...args] = command.replace('npm ci && ', '').replace(':8080/', `:${port}/`).split(' ');
        // Installing and testing is what led here.
        if (command === 'npm cit') continue;
        if (command.startsWith('npm run ') && SERVERS.has(args[1] ?? '')) {
          await server?.stop();
          server = await serve(copy, args[1] ?? '', port);
        } else if (name !== 'curl' || hasCurl)
          await run(name, name === 'curl' ? ['-sS', '--fail', ...args] : args, { cwd: copy });
      }
    } finally {
      await server?.stop();
    }
    if (!hasCurl) skip(context, 'curl is not installed, so the requests of the README are not sent.');
  });

  it('shows pictures that are there and small enough to be looked at everywhere', async () => {
    const shown = [...readme.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, file = '']) => file);
    const sizes = await Promise.all(shown.map(async (file) => (await stat(path.join(root, file))).size));
    expect(shown.length).toBeGreaterThan(3);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(400_000);
  });

  it('has tables and schemas that are up to date', async () => {
    await run('node', ['scripts/generate.js', '--check'], { cwd: root });
  });
});

/** `npm run` of a server, up to its greeting. */
async function serve(cwd: string, script: string, port: string): Promise<{ stop: () => Promise<void> }> {
  // In a process group of its own: npm does not hand signals on to what it runs.
  const child = spawn('npm', ['run', script, '--', '--port', port], {
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      if (chunk.includes('Ctrl+C')) resolve();
    });
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}: ${complaint}`)));
  });
  return {
    stop: async () => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
      await ended;
    },
  };
}
