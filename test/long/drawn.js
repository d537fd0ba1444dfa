// Draws every image that is accepted in Chromium: source, published original and thumbnail. No thumbnail may look different without a
// warning that says why. By hand: npm run compile && node test/long/drawn.js [FOLDER …]
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { constructs, sizes } from '../drawn/constructs.js';
import { drawnBeside } from '../drawn/drawn.js';
import { svgSet } from './svg-sets.js';

/** @param {string} folder */
function* filesIn(folder) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted())
    if (/\.(?:svg|png|jpe?g|gif|webp|avif)$/i.test(name)) yield { name, bytes: readFileSync(path.join(folder, name)) };
}

/** @type {Record<string, () => Iterable<import('../drawn/drawn.js').File>>} */
const sets = {
  cases: () => filesIn(path.join(import.meta.dirname, '../drawn/cases')),
  constructs,
  sizes,
  logos: () => svgSet('@iconify-json/logos'),
};
for (const folder of process.argv.slice(2)) sets[folder] = () => filesIn(folder);

const total = { alike: 0, explained: 0, refused: 0, silent: 0 };
for (const [set, files] of Object.entries(sets)) {
  const before = { ...total };
  for await (const result of drawnBeside(files())) {
    if (result.refused !== undefined) total.refused++;
    else if (result.isAlike) total.alike++;
    else if (result.isExplained) total.explained++;
    else {
      total.silent++;
      const { published, thumbnail } = result;
      process.stdout.write(`  ${set}/${result.name}: ${JSON.stringify({ published, thumbnail })}\n`);
    }
  }
  process.stdout.write(
    `${set}: ${total.alike - before.alike} alike, ${total.explained - before.explained} different with a warning, ${total.silent - before.silent} without, ${total.refused - before.refused} refused\n`,
  );
}
const { alike, explained, refused, silent } = total;
process.stdout.write(
  `stress drawn: ${alike + explained + silent} images drawn in Chromium: ${alike} look as their thumbnails do, ${explained} have a warning that says why not, ${silent} have none; ${refused} refused\n`,
);
process.exitCode = silent === 0 && alike > 2500 ? 0 : 1;
