// Sets of SVGs as designers and companies publish them, from packages of npm.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** Folders with the packages of these tests, and of all tests. */
const MODULES = ['node_modules', '../../node_modules'].map((folder) => path.join(import.meta.dirname, folder));

/** The sets that are installed. */
export const OWN_SETS = ['@iconify-json/logos', 'simple-icons'];

/**
 * Returns the files of a set.
 * @param {string} name - of its package
 * @returns {Generator<{ name: string, bytes: Buffer }>}
 */
export function* svgSet(name) {
  const folder = MODULES.map((modules) => path.join(modules, name)).find((each) => existsSync(each)) ?? name;
  if (existsSync(path.join(folder, 'icons.json'))) yield* collection(path.join(folder, 'icons.json'));
  else yield* svgsIn(folder);
}

/**
 * Returns every SVG in a folder.
 * @param {string} folder
 * @returns {Generator<{ name: string, bytes: Buffer }>}
 */
export function* svgsIn(folder) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted())
    if (/\.svg$/i.test(name)) yield { name, bytes: readFileSync(path.join(folder, name)) };
}

/**
 * Returns the icons of Iconify's format, each as a complete file.
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
