// Writes themes with photographs: each theme of a folder is repeated with different pixels.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';

/** JPEG quality at which a copy of a photograph is about as large as the photograph. */
const JPEG_QUALITY = 95;

/**
 * Writes `copies` copies of each theme of a folder, with unique ids and slugs; the pixels of all copies differ.
 * @param {string} photos - a themes folder
 * @param {string} target
 * @param {number} copies
 */
export async function writePhotoThemes(photos, target, copies) {
  mkdirSync(target, { recursive: true });
  const entries = readdirSync(photos, { withFileTypes: true });
  const slugs = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  for (const file of entries.filter((entry) => entry.isFile()).map(({ name }) => name))
    writeFileSync(path.join(target, file), readFileSync(path.join(photos, file)));
  let id = 0;
  for (let copy = 0; copy < copies; copy++) {
    for (const slug of slugs.toSorted()) {
      id++;
      await copyTheme(path.join(photos, slug), path.join(target, copy === 0 ? slug : `${slug}-${copy}`), copy, id);
    }
  }
}

/**
 * @param {string} source
 * @param {string} target
 * @param {number} copy
 * @param {number} id
 */
async function copyTheme(source, target, copy, id) {
  mkdirSync(target);
  for (const file of readdirSync(source).toSorted()) {
    const bytes = readFileSync(path.join(source, file));
    const result =
      file === 'theme.yaml'
        ? renumber(bytes.toString(), id, copy)
        : copy === 0
          ? bytes
          : await variant(bytes, path.extname(file), copy);
    writeFileSync(path.join(target, file), result);
  }
}

/**
 * Returns a theme.yaml with its own id and name; only the first theme is the default one.
 * @param {string} yaml
 * @param {number} id
 * @param {number} copy
 */
export function renumber(yaml, id, copy) {
  const lines = yaml.split('\n').filter((line) => !/^(?:id|is_default):/.test(line));
  const renamed = lines.map((line) => (copy === 0 ? line : line.replace(/^name: ["']?/, `$&${copy} `)));
  return [`id: ${id}`, `is_default: ${id === 1}`, ...renamed].join('\n');
}

/**
 * Returns the same image with other pixels: photographs without their first rows, graphics in other colours.
 * @param {Buffer} bytes
 * @param {string} extension
 * @param {number} copy
 */
async function variant(bytes, extension, copy) {
  if (extension === '.svg')
    return bytes.toString().replace(/<\/svg>\s*$/, `<path d="M0 0h${copy}" fill="none"/></svg>\n`);
  const upright = sharp(await sharp(bytes).autoOrient().toColourspace('srgb').png({ compressionLevel: 0 }).toBuffer());
  const { width, height } = await upright.metadata();
  const variantImage =
    height > 600
      ? upright.extract({ left: 0, top: copy, width, height: height - copy })
      : upright.modulate({ hue: 40 * copy, lightness: copy });
  if (extension === '.png') return variantImage.png({ compressionLevel: 7 }).toBuffer();
  return extension === '.webp'
    ? variantImage.webp({ quality: 92, effort: 2 }).toBuffer()
    : variantImage.jpeg({ quality: JPEG_QUALITY }).toBuffer();
}
