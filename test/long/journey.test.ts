import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../hosts/process.ts';
import { installPackage, unpackedPackage } from '../docs/package.ts';

/** Without what `npm test` sets, and without a network. */
const ENV = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'))),
  npm_config_offline: 'true',
  NO_COLOR: '1',
};

let repository = '';
let unpacked = '';

beforeAll(async () => {
  repository = await mkdtemp(path.join(tmpdir(), 'themecast-journey-'));
  unpacked = unpackedPackage();
  installPackage(unpacked, repository);
  execFileSync('git', ['init', '--quiet', '--initial-branch=main'], { cwd: repository });
  execFileSync('git', ['remote', 'add', 'origin', 'git@github.com:example/themes.git'], { cwd: repository });
}, 60_000);
afterAll(async () => {
  await rm(repository, { recursive: true, force: true });
  await rm(unpacked, { recursive: true, force: true });
});

/** Types a line into a shell in the repository. */
function type(line: string, expectedCode = 0): string {
  try {
    const output = execFileSync('sh', ['-c', line], { cwd: repository, env: ENV, encoding: 'utf8', stdio: 'pipe' });
    expect([line, 0]).toEqual([line, expectedCode]);
    return output;
  } catch (error) {
    const { status, stdout = '', stderr = '' } = error as { status?: number; stdout?: string; stderr?: string };
    // npm may print warnings of its own on stderr.
    expect([line, status, status === expectedCode ? '' : stderr]).toEqual([line, expectedCode, '']);
    return stdout;
  }
}

/** The commands that an output says to type next. */
function nextOf(output: string): string {
  expect(output).toContain('Next:');
  return output.slice(output.indexOf('Next:'));
}

/** A step that an earlier output names. */
function step(command: string, announced: string): string {
  expect(announced).toContain(command);
  return command;
}

it(
  'leads from an empty repository to a served theme, each step as the one before it says',
  { timeout: 180_000 },
  async () => {
    const logo =
      '<svg xmlns="http://www.w3.org/2000/svg" width="240" height="60"><rect width="240" height="60" rx="9" fill="#0b3954"/></svg>';
    await writeFile(path.join(repository, 'drawing.svg'), logo);

    const port = await freePort();
    const made = nextOf(type(`npx themecast init --name Club --base-url http://127.0.0.1:${port}`));
    const started = nextOf(
      type(step('npx themecast new NAME', made).replace('NAME', 'Aurora --logo drawing.svg --colour "#c9573b"')),
    );
    await rm(path.join(repository, 'drawing.svg'));
    const checked = nextOf(type(step('npx themecast check', started)));
    const built = nextOf(type(step('npx themecast build', checked)));
    const list = JSON.parse(await readFile(path.join(repository, 'dist/api/v2/theme/index.json'), 'utf8')) as unknown;
    expect(list).toMatchObject([
      { id: 1, name: 'Club', is_default: true },
      { id: 2, name: 'Aurora', is_default: false },
    ]);

    const serve = step('npx themecast serve', built);
    const server = spawn('sh', ['-c', `exec ${serve} --port ${port}`], {
      cwd: repository,
      env: ENV,
      stdio: ['ignore', 'pipe', 'inherit'],
      // A process group of its own: npx does not pass signals on to what it runs.
      detached: true,
    });
    try {
      let printed = '';
      for await (const chunk of server.stdout) {
        printed += String(chunk);
        if (printed.includes('Ctrl+C')) break;
      }
      const verify = /`(npx themecast verify [^`]+)`/.exec(printed)?.[1] ?? '';
      expect(verify).not.toBe('');
      expect(printed).toContain('Next, in another terminal:');
      expect(type(verify)).toMatch(/✔ .*verified|✔/);
    } finally {
      const ended = once(server, 'close');
      if (server.pid !== undefined) process.kill(-server.pid, 'SIGTERM');
      await ended;
    }

    // Three mistakes, as people make them.
    const theme = path.join(repository, 'themes/aurora/theme.yaml');
    const right = await readFile(theme, 'utf8');
    const wrong = right
      .replace('favicon: favicon.png', 'favicon: Favicon.png')
      .replace('compact_logo:', 'compact_lgo:')
      .replace(/ {2}- "(#[0-9a-f]{6})"/, '  - $1');
    await writeFile(theme, wrong);
    const found = type('npx themecast check', 1);
    expect(found).toContain('npx themecast fix');
    expect(type('npx themecast fix', 1)).toContain('+compact_logo: logo.svg');
    // A fix may bring the next one to light; in the end there is none left.
    const write = 'npx themecast fix --write';
    type(`${write}; ${write}; ${write}`);
    expect(await readFile(theme, 'utf8')).toBe(right);
    type('npx themecast check --quiet');
  },
);
