// `npm run stress [-- NAME … [--OPTION …]]`: runs the long tests one after the other, with the given options. Each ends with a line of
// figures.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';

/** The tests, in the order in which they run. */
const NAMES = 'faults planted journeys'.split(' ');

const folder = import.meta.dirname;
const isOption = (/** @type {string} */ argument) => argument.startsWith('--');
const options = process.argv.slice(2).filter(isOption);
const requested = process.argv.slice(2).filter((argument) => !isOption(argument));
const unknown = requested.filter((name) => !NAMES.includes(name));
if (unknown.length > 0) throw new Error(`There is no long test ${unknown.join(', ')}; there are ${NAMES.join(', ')}.`);
const names = NAMES.filter((name) => requested.length === 0 || requested.includes(name));

// Installs the packages that only these tests need; `npm ci` at the root does not.
if (!existsSync(path.join(folder, 'node_modules')))
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' });

/** A temporary home, so that nothing is written to the real one. */
const home = mkdtempSync(path.join(tmpdir(), 'themecast-home-'));
const env = { ...process.env, XDG_CACHE_HOME: path.join(home, 'cache'), XDG_STATE_HOME: path.join(home, 'state') };

const summary = names.map((name) => {
  const started = performance.now();
  const { status, stdout } = spawnSync(process.execPath, [path.join(folder, `${name}.js`), ...options], {
    env,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const seconds = Math.round((performance.now() - started) / 1000);
  const last = stdout.trimEnd().split('\n').at(-1) ?? '';
  const line = `${status === 0 ? '✔' : '✘'} ${last.startsWith('stress ') ? last.slice('stress '.length) : `${name}: ended without figures`} (${seconds} s)`;
  process.stdout.write(`${line}\n`);
  return { ok: status === 0, line };
});

rmSync(home, { recursive: true, force: true });
const failed = summary.filter(({ ok }) => !ok).length;
process.stdout.write(`\nstress: ${summary.length - failed} of ${summary.length} passed\n`);
process.exitCode = failed === 0 && summary.length > 0 ? 0 : 1;
