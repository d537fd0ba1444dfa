// The last step of `npm run compile`: `lib/digest.txt`, by which the incremental cache knows whether another program filled it.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const lib = new URL('../lib/', import.meta.url);
const hash = createHash('sha256');
for (const name of readdirSync(lib, { recursive: true, encoding: 'utf8' }).toSorted())
  if (name.endsWith('.js')) hash.update(`${name}\n`).update(readFileSync(new URL(name, lib)));
writeFileSync(new URL('digest.txt', lib), hash.digest('hex'));
