// Reads the published files in a loop: the list, and a config and an image from it. Started by a test.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { sha256 } from './site.js';
import { SLUGS } from './tiny-site.js';

const [root = ''] = process.argv.slice(2);
let isPublishing = true;
let reads = 0;
/** @type {string[]} */
const problems = [];

/** @param {string} file */
function read(file) {
  reads++;
  try {
    return readFileSync(path.join(root, file), 'utf8');
  } catch (error) {
    problems.push(`missing: ${file}: ${String(error)}`);
    return undefined;
  }
}

function readAll() {
  for (const file of ['index.json', ...SLUGS.map((slug) => `config/${slug}.json`)]) {
    const text = read(`api/v2/theme/${file}`);
    try {
      const themes = JSON.parse(text ?? '[]');
      const records = Array.isArray(themes) ? themes : [themes];
      const images = records.flatMap((record) => record.images);
      for (const image of images.slice(reads % 2)) {
        const name = image.replace('https://community.example.org/', '');
        const bytes = read(name);
        if (bytes !== undefined && !name.includes(sha256(bytes).slice(0, 16))) problems.push(`torn: ${name}`);
      }
    } catch {
      problems.push(`torn: ${file}: ${text}`);
    }
  }
  if (isPublishing) setImmediate(readAll);
  else process.send?.({ reads, problems: problems.slice(0, 20) }, () => process.disconnect());
}

process.on('message', () => (isPublishing = false));
process.send?.('reading');
readAll();
