// Writes a set of themes that `npm run bench` measures, to work on one set alone: `npm run bench:themes -- SET DIR [--photos DIR]`.
import process from 'node:process';
import { parseArgs } from 'node:util';
import { SETS } from './bench/themes.js';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { photos: { type: 'string' } } });
const [name = '', target] = positionals;
const set = Object.entries(SETS).find(([setName]) => setName === name)?.[1];
if (set === undefined || target === undefined || (set.photos && values.photos === undefined)) {
  process.stderr.write(
    `Usage: npm run bench:themes -- SET DIR [--photos DIR]\nSET is ${Object.keys(SETS).join(', ')}; photos-… take the themes of --photos.\n`,
  );
  process.exit(2);
}
await set.write(target, values.photos ?? '');
