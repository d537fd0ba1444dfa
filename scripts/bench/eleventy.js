// Makes the thumbnails of a list of images with @11ty/eleventy-img from the node_modules of the current folder: `eleventy.js LIST OUT`.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

const [list = '', outputDir = ''] = process.argv.slice(2);
const { resolve } = createRequire(path.join(process.cwd(), 'index.js'));
/** @type {{ default: (file: string, options: object) => Promise<unknown> }} */
const { default: image } = await import(pathToFileURL(resolve('@11ty/eleventy-img')).href);

const lines = readFileSync(list, 'utf8').trim().split('\n');
await Promise.all(
  lines.map((line) =>
    image(line.slice(2), {
      outputDir,
      ...(line.startsWith('j')
        ? { formats: ['jpeg'], widths: [2200], sharpJpegOptions: { quality: 80 } }
        : { formats: ['png'], widths: [250], sharpPngOptions: { compressionLevel: 9 } }),
    }),
  ),
);
