// A bare sharp script, the lower bound of a cold build: it decodes every image, as a build must, and makes the thumbnails of a
// list. Two pipelines with one thread each. Usage: node bare-sharp.js THEMES OUT <LIST
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import sharp from 'sharp';

const [, , themes = '', out = ''] = process.argv;
sharp.cache(false);
sharp.concurrency(1);

const thumbnails = new Map(
  readFileSync(0, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => [line.slice(2), line[0]]),
);
const images = readdirSync(themes, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(?:png|jpe?g|webp|gif|avif|svg)$/.test(file))
  .map((file) => path.join(themes, file));

/** @param {string} file @param {number} index */
async function render(file, index) {
  const kind = thumbnails.get(file);
  const image = sharp(file, { limitInputPixels: false }).autoOrient();
  const [box, withoutEnlargement] = [kind === 'j' ? 2200 : 250, !file.endsWith('.svg')];
  const resized = image.resize({ width: box, height: box, fit: 'inside', withoutEnlargement });
  if (kind === undefined) await resized.raw().toBuffer();
  else if (kind === 'j') await resized.jpeg({ quality: 80 }).toFile(`${out}/${index}.jpg`);
  else await resized.png({ compressionLevel: 9 }).toFile(`${out}/${index}.png`);
}

const queue = images.entries();
await Promise.all(
  [1, 2].map(async () => {
    for (const [index, file] of queue) await render(file, index);
  }),
);
