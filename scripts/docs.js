// `npm run docs`: the README and the pages of `docs/` as a static site, with a search that needs no service.
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

const root = path.resolve(import.meta.dirname, '..');
const site = path.join(root, 'scripts/docs');
const pages = path.join(site, 'pages');
/** Pages beside `docs/`, by their names on the site. */
const OTHERS = { 'README.md': 'index.md', 'CHANGELOG.md': 'changelog.md', 'SECURITY.md': 'security.md' };

rmSync(pages, { recursive: true, force: true });
cpSync(path.join(root, 'docs'), pages, { recursive: true });
for (const [from, to] of Object.entries(OTHERS)) cpSync(path.join(root, from), path.join(pages, to));
for (const name of readdirSync(pages).filter((name) => name.endsWith('.md'))) {
  const file = path.join(pages, name);
  const text = readFileSync(file, 'utf8').replaceAll(/\]\((?:\.\.\/|docs\/)?([^)]+)\)/g, (link, target) =>
    link.startsWith('](http') ? link : `](${OTHERS[/** @type {'README.md'} */ (target.split('#')[0])] ?? target})`,
  );
  writeFileSync(file, text);
}
/** @param {string[]} args */
const npm = (...args) => execFileSync('npm', args, { cwd: site, stdio: 'inherit' });
// As in the root, packages run no code when they are installed.
npm('ci', '--ignore-scripts', '--no-audit', '--no-fund');
npm('exec', '--', 'vitepress', 'build');
process.stdout.write(`${path.relative('', path.join(site, '.vitepress/dist'))}/ is the site.\n`);
