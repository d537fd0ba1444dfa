// Builds the README and the pages of `docs/` as a static site, with a search that runs in the browser: `npm run docs`.
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

const root = path.resolve(import.meta.dirname, '..');
const site = path.join(root, 'scripts/docs');
const pages = path.join(site, 'pages');
/** Pages outside `docs/`, by their names on the site. */
const OUTSIDE_DOCS = { 'README.md': 'index.md', 'CHANGELOG.md': 'changelog.md', 'SECURITY.md': 'security.md' };

rmSync(pages, { recursive: true, force: true });
cpSync(path.join(root, 'docs'), pages, { recursive: true });
for (const [from, to] of Object.entries(OUTSIDE_DOCS)) cpSync(path.join(root, from), path.join(pages, to));
const { repository } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const blob = `${repository.url.replace(/^git\+|\.git$/g, '')}/blob/main/`;
/** Path of each page in the repository. */
const sources = new Map(
  readdirSync(pages, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => [path.join('docs', name), name]),
);
for (const [from, to] of Object.entries(OUTSIDE_DOCS)) {
  sources.delete(path.join('docs', to));
  sources.set(from, to);
}
for (const [source, page] of sources) {
  const file = path.join(pages, page);
  const text = readFileSync(file, 'utf8').replaceAll(
    /\]\((?!https?:|#)([^)#\s]+)(#[^)]*)?\)/g,
    (_, target, hash = '') => {
      const linkedPath = path.join(path.dirname(source), target);
      const linkedPage = sources.get(linkedPath);
      const isImage = /\.(?:webp|png|svg)$/.test(linkedPath);
      // Links to other files lead to the repository.
      if (linkedPage === undefined && !isImage) return `](${blob}${linkedPath}${hash})`;
      const linkedFile = linkedPage ?? path.relative('docs', linkedPath);
      return `](${path.relative(path.dirname(page), linkedFile)}${hash})`;
    },
  );
  writeFileSync(file, text);
}
/** @param {string[]} args */
const npm = (...args) => execFileSync('npm', args, { cwd: site, stdio: 'inherit' });
// Install scripts of packages are disabled, as in the root of the repository.
npm('ci', '--ignore-scripts', '--no-audit', '--no-fund');
npm('exec', '--', 'vitepress', 'build');
process.stdout.write(`The site is in ${path.relative('', path.join(site, '.vitepress/dist'))}/\n`);
