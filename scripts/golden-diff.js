// Shows a diff of the files behind the hashes in the golden files, as REV (HEAD) and the working tree publish them, with the output of
// their commands: `npm run golden:diff [-- REV]`. REV must have test/golden.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';

const root = path.resolve(import.meta.dirname, '..');
const [revision = 'HEAD'] = process.argv.slice(2);
const folder = mkdtempSync(path.join(tmpdir(), 'themecast-golden-diff-'));
const sourceCheckout = path.join(folder, 'source');

/**
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnSyncOptions} [options]
 */
function run(command, args, options) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'], ...options });
  if (error !== undefined) throw error;
  return status ?? 1;
}

/**
 * Runs the golden tests of a checkout, which may fail, and writes their files.
 * @param {string} checkout
 * @param {string} name
 */
function writeFiles(checkout, name) {
  const out = path.join(folder, name);
  const bin = path.join(root, 'node_modules/.bin');
  if (run('npm', ['run', 'compile', '--silent'], { cwd: checkout }) !== 0) throw new Error(`${name} does not compile.`);
  const args = ['run', 'test/golden.test.ts', 'test/golden-cli.test.ts', 'test/public-api.test.ts'];
  run(path.join(bin, 'vitest'), args, {
    cwd: checkout,
    env: { ...process.env, THEMECAST_GOLDEN_OUT: out },
    stdio: 'ignore',
  });
  if (!existsSync(out)) throw new Error(`The golden tests of ${name} wrote no files.`);
}

try {
  if (run('git', ['worktree', 'add', '--quiet', '--detach', sourceCheckout, revision]) !== 0)
    throw new Error(`Git has no revision ${revision}.`);
  symlinkSync(path.join(root, 'node_modules'), path.join(sourceCheckout, 'node_modules'));
  writeFiles(sourceCheckout, 'before');
  writeFiles(root, 'after');
  process.exitCode = run('git', ['diff', '--no-index', '--stat', '--patch', 'before', 'after'], {
    cwd: folder,
    stdio: 'inherit',
  });
} finally {
  run('git', ['worktree', 'remove', '--force', sourceCheckout]);
  rmSync(folder, { recursive: true, force: true });
}
