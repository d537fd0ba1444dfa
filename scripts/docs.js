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
const { repository } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const blob = `${repository.url.replace(/^git\+|\.git$/g, '')}/blob/main/`;
/** Path of each page in the repository. */
const sources = new Map(
  readdirSync(pages, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => [path.join('docs', name), name]),
);
for (const [from, to] of Object.entries(OTHERS)) {
  sources.delete(path.join('docs', to));
  sources.set(from, to);
}
for (const [source, page] of sources) {
  const file = path.join(pages, page);
  const text = readFileSync(file, 'utf8').replaceAll(
    /\]\((?!https?:|#)([^)#\s]+)(#[^)]*)?\)/g,
    (_, target, hash = '') => {
      const named = path.join(path.dirname(source), target);
      const linked = sources.get(named);
      const isImage = /\.(?:webp|png|svg)$/.test(named);
      // Repository files that are no pages.
      if (linked === undefined && !isImage) return `](${blob}${named}${hash})`;
      const to = linked ?? path.relative('docs', named);
      return `](${path.relative(path.dirname(page), to)}${hash})`;
    },
  );
  writeFileSync(file, text);
}
/** @param {string[]} args */
const npm = (...args) => execFileSync('npm', args, { cwd: site, stdio: 'inherit' });
// As at the root, packages run no code when they are installed.
npm('ci', '--ignore-scripts', '--no-audit', '--no-fund');
npm('exec', '--', 'vitepress', 'build');
process.stdout.write(`${path.relative('', path.join(site, '.vitepress/dist'))}/ is the site.\n`);
