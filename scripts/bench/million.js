// Runs the tests in test/scale/, with a million users on real servers and in the handler, and reads the figures that they print.
import { spawnSync } from 'node:child_process';
import path from 'node:path';

/** @typedef {{ name: string, value: string }} MillionRow */

/** @returns {MillionRow[]} */
export function measureMillion() {
  const command = ['vitest', 'run', '--config', 'test/scale/vitest.config.ts'];
  const cwd = path.resolve(import.meta.dirname, '../..');
  const run = spawnSync('npx', command, { cwd, encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`The tests in test/scale/ failed:\n${run.stdout}${run.stderr}`);
  return parseRows(run.stdout);
}

/**
 * @param {string} output
 * @returns {MillionRow[]}
 */
export function parseRows(output) {
  return [...output.matchAll(/^\| (.+) \| (.+) \|$/gm)].map(([, name = '', value = '']) => ({ name, value }));
}
