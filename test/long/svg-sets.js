// Sets of SVGs as designers and companies publish them, from packages of npm.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

const MODULES = path.join(import.meta.dirname, 'node_modules');

/** The sets that are installed for the long tests. */
export const OWN_SETS = ['@iconify-json/logos', 'simple-icons'];

/** The sets that are installed on demand. */
const OTHER_SETS = {
  '@iconify-json/devicon': '1.2.68',
  '@iconify-json/fxemoji': '1.2.2',
  '@iconify-json/material-icon-theme': '1.2.70',
  '@iconify-json/skill-icons': '1.2.4',
  '@iconify-json/vscode-icons': '1.2.97',
  '@lobehub/icons-static-svg': '1.95.1',
  'circle-flags': '2.8.3',
  'country-flag-icons': '1.6.20',
  'cryptocurrency-icons': '0.18.1',
  devicon: '2.17.0',
  'flag-icons': '7.5.0',
  'payment-icons': '1.2.1',
  'super-tiny-icons': '0.6.0',
};

/**
 * Installs the other sets without running their scripts.
 * @returns {{ folder: string, names: string[] }} a temporary folder, which the caller removes, and the sets in its `node_modules`
 */
export function installSets() {
  const folder = mkdtempSync(path.join(tmpdir(), 'themecast-svg-sets-'));
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: OTHER_SETS }));
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return { folder, names: Object.keys(OTHER_SETS) };
}

/**
 * The files of a set.
 * @param {string} name - of its package
 * @param {string} [modules] - the folder `node_modules` that it is in
 * @returns {Generator<{ name: string, bytes: Buffer }>}
 */
export function* svgSet(name, modules = MODULES) {
  const folder = path.join(modules, name);
  if (existsSync(path.join(folder, 'icons.json'))) yield* collection(path.join(folder, 'icons.json'));
  else yield* svgsIn(folder);
}

/**
 * Every SVG in a folder.
 * @param {string} folder
 * @returns {Generator<{ name: string, bytes: Buffer }>}
 */
export function* svgsIn(folder) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted())
    if (/\.svg$/i.test(name)) yield { name, bytes: readFileSync(path.join(folder, name)) };
}

/**
 * The icons of Iconify's format, each as a complete file.
 * @param {string} file
 * @returns {Generator<{ name: string, bytes: Buffer }>}
 */
function* collection(file) {
  /** @typedef {{ left?: number, top?: number, width?: number, height?: number }} Box */
  /** @type {Box & { icons: Record<string, Box & { body: string }> }} */
  const { icons, ...all } = createRequire(import.meta.url)(file);
  for (const [name, { body, ...own }] of Object.entries(icons)) {
    const { left, top, width, height } = { left: 0, top: 0, width: 16, height: 16, ...all, ...own };
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}" height="${height}" viewBox="${left} ${top} ${width} ${height}">${body}</svg>`;
    yield { name: `${name}.svg`, bytes: Buffer.from(svg) };
  }
}
