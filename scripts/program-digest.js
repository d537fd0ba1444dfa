// The last step of `npm run compile`. Removes files of `lib/` that no longer have a source, because they would be packed. Copies the
// templates and style sheets that modules read. Writes `lib/digest.txt`, by which the cache detects another version of the program.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

const src = new URL('../src/', import.meta.url);
const lib = new URL('../lib/', import.meta.url);
const ASSET = /\/.*\.(?:css|md|mustache|sh)$/;
/** @param {URL} folder */
const namesIn = (folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
for (const name of namesIn(lib)) {
  const source = name.endsWith('.js') ? name.replace(/\.js$/, '.ts') : name;
  if ((name.endsWith('.js') || ASSET.test(name)) && !existsSync(new URL(source, src))) rmSync(new URL(name, lib));
}
for (const name of namesIn(src)) if (ASSET.test(name)) cpSync(new URL(name, src), new URL(name, lib));
const hash = createHash('sha256');
for (const name of namesIn(lib))
  if (name.endsWith('.js') || ASSET.test(name)) hash.update(`${name}\n`).update(readFileSync(new URL(name, lib)));
writeFileSync(new URL('digest.txt', lib), hash.digest('hex'));
