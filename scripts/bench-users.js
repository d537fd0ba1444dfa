// `npm run bench:users`: from a CSV file of users to sorted keyed shards, from one to ten million; then what real servers and the
// handler make of a million. Linux only: memory is read from /proc. TMPDIR should be on a disk with 2 GB free.
import { spawn, spawnSync } from 'node:child_process';
import { createWriteStream, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

const MILLIONS = [1, 2, 5, 10];
/** Between two looks at the memory, in milliseconds. */
const INTERVAL = 20;

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

/** Resident memory of a process and all below it, in bytes. @param {number} pid @returns {number} */
function residentBytes(pid) {
  try {
    const [, pages = '0'] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ');
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean),
    );
    return Number(pages) * 4096 + children.reduce((sum, child) => sum + residentBytes(Number(child)), 0);
  } catch {
    return 0; // it has ended
  }
}

/** @param {string[]} args */
async function measure(args) {
  const started = performance.now();
  const child = spawn(process.execPath, [cli, ...args], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, THEMECAST_KEY_SECRET: 'bench-secret-0123456789-abcdefghijklmn' },
  });
  const exited = once(child, 'exit');
  let peak = 0;
  while (child.exitCode === null && child.signalCode === null) {
    peak = Math.max(peak, residentBytes(child.pid ?? 0));
    await Promise.race([delay(INTERVAL), exited]);
  }
  await exited;
  if (child.exitCode !== 0) throw new Error(`themecast ${args[0]} ended with ${child.exitCode}.`);
  return { seconds: (performance.now() - started) / 1000, peak };
}

try {
  layOut();
  await measure(['build', '--quiet']); // pictures come from the cache after this
  const rows = [];
  for (const millions of MILLIONS) {
    await writeUsers(millions);
    const { seconds, peak } = await measure(['build', '--quiet', '--users', at('users.csv')]);
    const rate = Math.round((millions * 1000) / seconds);
    rows.push(`| ${millions} million | ${seconds.toFixed(1)} | ${rate},000 | ${(peak / 2 ** 20).toFixed(0)} |`);
  }
  process.stdout.write(
    `\n| users | wall s | users/s | peak MiB, all processes |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n\n`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
spawnSync('npx', ['vitest', 'run', '--config', 'test/scale/vitest.config.ts'], { stdio: 'inherit' });
