// A small site in two states for the long tests of publishing, and the invariants of its output.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { themeFields, yamlOf } from '../theme-yaml.js';

/** @typedef {'a' | 'b'} State */
/** @typedef {Record<string, string>} Hashes of the files below a folder, by path */

/** Creates a temporary folder. @param {string} name */
export function scratch(name) {
  return mkdtempSync(path.join(tmpdir(), `themecast-stress-${name}-`));
}

/** Returns the folders of a site, as options of `build`. @param {string} root */
export function foldersOf(root) {
  const at = (/** @type {string} */ name) => path.join(root, name);
  return { themesDir: at('themes'), outDir: at('dist'), edgeOutDir: at('edge'), cacheDir: at('.cache') };
}

/** Writes the themes; the states differ in documents, images, users, and in one theme each. @param {string} root @param {State} state */
export function writeThemes(root, state) {
  const { themesDir } = foldersOf(root);
  rmSync(themesDir, { recursive: true, force: true });
  const slugs = ['harbor', state === 'a' ? 'meadow' : 'nightfall'];
  for (const [index, slug] of slugs.entries()) {
    mkdirSync(path.join(themesDir, slug), { recursive: true });
    writeFileSync(path.join(themesDir, slug, 'logo.svg'), svg(index + 10 + (state === 'a' ? 0 : 5)));
    writeFileSync(path.join(themesDir, slug, 'same.svg'), svg(20));
    writeFileSync(path.join(themesDir, slug, 'theme.yaml'), theme(slug, index, state));
  }
  writeFileSync(path.join(themesDir, 'site.yaml'), 'base_url: https://community.example.org\nedge: [nginx]\n');
  writeFileSync(path.join(themesDir, 'users.csv'), `user,theme\nann-${state},${slugs[1]}\n`);
}

/** @param {number} size */
export function svg(size) {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${size} ${size}"><rect width="${size}" height="${size}" fill="#123456"/></svg>`;
}

/** @param {string} slug @param {number} index @param {State} state */
function theme(slug, index, state) {
  const banners = ['default_group_banner', 'default_event_banner', 'default_user_profile_banner'];
  const images = { favicon: 'logo.svg', ...Object.fromEntries(banners.map((field) => [field, 'same.svg'])) };
  return yamlOf(themeFields(slug, index, { name: `${slug}-${state}`, ...images }));
}

/** Returns the hashes of all files in a folder. @param {string} folder @returns {Hashes} */
export function hashesOf(folder) {
  if (!existsSync(folder)) return {};
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  return Object.fromEntries(files.map((file) => [path.relative(folder, file), sha256(readFileSync(file))]));
}

/** @param {string | Uint8Array} bytes */
export function sha256(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}

/** @param {string} root @returns {{ dist: Hashes, edge: Hashes }} */
export function outputOf(root) {
  const { outDir, edgeOutDir } = foldersOf(root);
  return { dist: hashesOf(outDir), edge: hashesOf(edgeOutDir) };
}

/**
 * Returns the violated invariants of the output during a publication: files of neither build, missing images of a document, or missing
 * files that both builds have.
 * @param {string} root
 * @param {readonly { dist: Hashes, edge: Hashes }[]} builds
 * @returns {string[]}
 */
export function violationsIn(root, builds) {
  const { outDir } = foldersOf(root);
  const actual = outputOf(root);
  const problems = [];
  for (const tree of /** @type {const} */ (['dist', 'edge'])) {
    const published = Object.entries(actual[tree]).filter(([file]) => !file.startsWith('.themecast-'));
    for (const [file, hash] of published)
      if (!builds.some((build) => build[tree][file] === hash)) problems.push(`torn: ${tree}/${file}`);
    const [first, ...others] = builds;
    for (const file of Object.keys(first?.[tree] ?? {}))
      if (others.every((build) => file in build[tree]) && !(file in actual[tree]))
        problems.push(`missing: ${tree}/${file}`);
  }
  const documents = Object.keys(actual.dist).filter((file) => file.startsWith('api/'));
  for (const file of documents) {
    const text = readFileSync(path.join(outDir, file), 'utf8');
    if (file.endsWith('.json')) JSON.parse(text);
    for (const [, image = ''] of text.matchAll(/https:\/\/community\.example\.org\/(media\/[^"&<]+)/g))
      if (!(image in actual.dist)) problems.push(`missing: dist/${image}, referenced by ${file}`);
  }
  return problems;
}

/**
 * Returns the differences from a build after recovery, and leftovers next to the folders.
 * @param {string} root
 * @param {{ dist: Hashes, edge: Hashes }} build
 */
export function differenceFrom(root, build) {
  const actual = outputOf(root);
  const problems = [];
  for (const tree of /** @type {const} */ (['dist', 'edge'])) {
    for (const [file, hash] of Object.entries(build[tree]))
      if (actual[tree][file] !== hash) problems.push(`not repaired: ${tree}/${file}`);
    for (const file of Object.keys(actual[tree]))
      if (!(file in build[tree])) problems.push(`left over: ${tree}/${file}`);
  }
  const beside = readdirSync(root).filter((name) => !/^(?:\.cache|dist|edge|themes)$/.test(name));
  return [...problems, ...beside.map((name) => `left over: ${name}`)];
}
