// The invariants of the output of a publication.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** @typedef {Record<string, string>} Hashes of the files below a folder, by path */

/** Returns the folders of a site, as options of `build`. @param {string} root */
export function foldersOf(root) {
  const at = (/** @type {string} */ name) => path.join(root, name);
  return { themesDir: at('themes'), outDir: at('dist'), edgeOutDir: at('edge'), cacheDir: at('.cache') };
}

/** @param {string} folder @returns {Hashes} */
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
 * Returns violated invariants of the output during a publication: a file that belongs to neither build, a document that refers to a
 * missing image, a folder without a file that both builds have.
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
      if (!(image in actual.dist)) problems.push(`missing: dist/${image}, named by ${file}`);
  }
  return problems;
}

/**
 * Differences from a build after recovery, and leftovers beside the folders.
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
