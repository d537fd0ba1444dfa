// Measures builds from a CSV file of users to keyed shards.
import { closeSync, mkdirSync, openSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { moveAside } from './aside.js';
import { measure } from './measure.js';
import { themecast } from './scenarios.js';
import { writeSmallThemes } from './small-themes.js';

/** @typedef {import('./rounds.js').Contestant} Contestant */

const SECRET = 'bench-secret-0123456789-abcdefghijklmn';
const THEMES = ['meadow', 'nightfall'];
const CHUNK = 100_000;

/**
 * Returns builds of three small themes with different numbers of users; images come from the cache.
 * @param {string} work
 * @param {readonly number[]} millions
 * @returns {Promise<Contestant[]>}
 */
export async function usersContestants(work, millions) {
  const folder = path.join(work, 'users');
  mkdirSync(folder);
  await writeSmallThemes(path.join(folder, 'themes'), 3);
  for (const [index, slug] of THEMES.entries())
    renameSync(path.join(folder, `themes/theme-0000${index + 2}`), path.join(folder, 'themes', slug));
  const site = 'base_url: https://community.example.org\nedge: []\nmapping: { keyed: true }\n';
  writeFileSync(path.join(folder, 'themes/site.yaml'), site);
  const environment = { cwd: folder, env: { THEMECAST_KEY_SECRET: SECRET } };
  await measure({ command: themecast('build', '--quiet'), ...environment });
  return millions.map((count) => ({
    name: `${count} million users`,
    program: { command: themecast('build', '--quiet', '--allow-shrink', '--users', 'users.csv'), ...environment },
    before: () => {
      // Each build starts without the output of the build before.
      moveAside(path.join(folder, 'edge'));
      moveAside(path.join(folder, 'dist'));
      writeUsers(path.join(folder, 'users.csv'), count * 1e6);
    },
  }));
}

/**
 * Writes a CSV file of users in pseudorandom order, with keys of up to nine characters.
 * @param {string} file
 * @param {number} count
 */
function writeUsers(file, count) {
  const output = openSync(file, 'w');
  writeSync(output, 'user,theme\n');
  for (let start = 0; start < count; start += CHUNK) {
    let rows = '';
    for (let index = start; index < Math.min(count, start + CHUNK); index++) rows += row(index);
    writeSync(output, rows);
  }
  closeSync(output);
}

/** @param {number} index - below 2³² */
export function row(index) {
  // Multiplication by an odd number modulo 2³² keeps keys unique and makes neighbours dissimilar.
  const id = Math.imul(index, 2_654_435_761) >>> 0;
  return `u-${id.toString(36)},${THEMES[index % 2]}\n`;
}
