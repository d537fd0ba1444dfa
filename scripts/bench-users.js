// `npm run bench:users`: the time from a CSV file of users to sorted keyed shards, from one to ten million users; then a million
// on real servers and in the handler. TMPDIR should be on a disk with 2 GB free.
import { spawnSync } from 'node:child_process';
import { createWriteStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { once } from 'node:events';
import { measure } from './measure.js';

const MILLIONS = [1, 2, 5, 10];
const folder = mkdtempSync(path.join(tmpdir(), 'themecast-bench-'));
const cli = path.resolve(import.meta.dirname, '../lib/cli.js');
const themes = path.join(folder, 'themes');
const at = (/** @type {string} */ name) => path.join(folder, name);

/** The themes of this repository, for a host that reads shards. */
function layOut() {
  mkdirSync(themes, { recursive: true });
  spawnSync('cp', ['-r', ...['harbor', 'meadow', 'nightfall'].map((slug) => `themes/${slug}`), themes]);
  writeFileSync(
    path.join(themes, 'site.yaml'),
    'base_url: https://community.example.org\nedge: []\nmapping: { keyed: true }\n',
  );
}

/** @param {number} millions */
async function writeUsers(millions) {
  const file = createWriteStream(at('users.csv'));
  file.write('user,theme\n');
  for (let start = 0; start < millions * 1e6; start += 1e5) {
    const rows = Array.from({ length: 1e5 }, (_, index) => {
      // Multiplied by a prime, so that neighbours have nothing in common.
      const id = ((start + index + 1) * 2_654_435_761) % 4_294_967_296;
      return `u-${id.toString(36)}-${start + index},${index % 2 === 0 ? 'meadow' : 'nightfall'}\n`;
    });
    if (!file.write(rows.join(''))) await once(file, 'drain');
  }
  file.end();
  await once(file, 'close');
}

/** @param {string[]} args */
const build = (...args) =>
  measure([process.execPath, cli, 'build', '--quiet', ...args], {
    cwd: folder,
    env: { ...process.env, THEMECAST_KEY_SECRET: 'bench-secret-0123456789-abcdefghijklmn' },
  });

try {
  layOut();
  await build(); // images come from the cache after this
  const rows = [];
  for (const millions of MILLIONS) {
    await writeUsers(millions);
    const { wall, cpu, megabytes } = await build('--users', at('users.csv'));
    const rate = Math.round((millions * 1000) / wall);
    rows.push(
      `| ${millions} million | ${wall.toFixed(1)} | ${cpu.toFixed(1)} | ${rate},000 | ${megabytes.toFixed(0)} |`,
    );
  }
  process.stdout.write(
    `\n| users | wall s | CPU s | users/s | peak MiB |\n| --- | --- | --- | --- | --- |\n${rows.join('\n')}\n\n`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
spawnSync('npx', ['vitest', 'run', '--config', 'test/scale/vitest.config.ts'], { stdio: 'inherit' });
