// Starts a repository of themes with the package of this clone: `npm run init-site -- ../my-themes --name 'Our community'`. The second
// argument and later ones go to `themecast init`.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

const [folder = '--help', ...options] = process.argv.slice(2);
const target = path.resolve(folder);
/** @type {{ version: string }} */
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** @param {string[]} command @param {string} cwd */
function run([name = '', ...args], cwd = target) {
  execFileSync(name, args, { cwd, stdio: 'inherit' });
}

if (folder.startsWith('-')) {
  process.stderr.write('Usage: npm run init-site -- FOLDER [OPTIONS OF themecast init]\n');
  process.exit(2);
}
mkdirSync(target, { recursive: true });
try {
  if (spawnSync('git', ['rev-parse', '--is-inside-work-tree'], { cwd: target }).status !== 0)
    run(['git', 'init', '--quiet']);
  run(['npm', 'pack', '--silent', '--ignore-scripts', '--pack-destination', target], process.cwd());
  // Without the prefix, npm installs in a parent folder that has a package.json.
  run(['npm', 'install', '--prefix', target, '--save-dev', `./themecast-${version}.tgz`]);
  run(['npx', 'themecast', 'init', ...options]);
} catch (error) {
  // The program that failed has said why.
  process.exitCode = /** @type {{ status?: number | null }} */ (error).status ?? 1;
}
