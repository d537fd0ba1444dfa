// The brand logos of two collections, each as a whole SVG file.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * @returns {Generator<{ name: string, svg: string }>}
 */
export function* logos() {
  /** @type {{ icons: Record<string, { body: string, width?: number, height?: number }>, width?: number, height?: number }} */
  const collection = require('@iconify-json/logos/icons.json');
  for (const [name, icon] of Object.entries(collection.icons)) {
    const [width, height] = [icon.width ?? collection.width, icon.height ?? collection.height];
    yield {
      name: `logos/${name}`,
      svg: `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${icon.body}</svg>`,
    };
  }
  /** @type {Record<string, { slug: string, svg: string }>} */
  const icons = require('simple-icons');
  for (const { slug, svg } of Object.values(icons)) {
    // Icons come without a size of their own: that of the `viewBox` counts.
    yield { name: `simple-icons/${slug}`, svg };
  }
}
