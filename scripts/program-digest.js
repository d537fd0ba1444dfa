// The last step of `npm run compile`. Removes compiled modules without a source, which would still be packed. Writes
// `lib/digest.txt`, by which the incremental cache detects another version of the program.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

const src = new URL('../src/', import.meta.url);
const lib = new URL('../lib/', import.meta.url);
const hash = createHash('sha256');
for (const name of readdirSync(lib, { recursive: true, encoding: 'utf8' }).toSorted())
  if (name.endsWith('.js') && !existsSync(new URL(name.replace(/\.js$/, '.ts'), src))) rmSync(new URL(name, lib));
  else if (name.endsWith('.js')) hash.update(`${name}\n`).update(readFileSync(new URL(name, lib)));
// Templates and style sheets are read unchanged.
for (const name of readdirSync(src, { recursive: true, encoding: 'utf8' }).toSorted())
  if (/\/.*\.(?:md|sh|mustache|css)$/.test(name)) hash.update(`${name}\n`).update(readFileSync(new URL(name, src)));
writeFileSync(new URL('digest.txt', lib), hash.digest('hex'));
