// Published logos of companies and designers, from an npm package.
import { createRequire } from 'node:module';

/**
 * Returns the icons of a package in Iconify's format, each as a complete file.
 * @param {string} name - of the package
 * @returns {Generator<{ name: string, bytes: Buffer }>}
 */
export function* svgSet(name) {
  /** @typedef {{ left?: number, top?: number, width?: number, height?: number }} Box */
  /** @type {Box & { icons: Record<string, Box & { body: string }> }} */
  const { icons, ...defaults } = createRequire(import.meta.url)(`${name}/icons.json`);
  for (const [icon, { body, ...size }] of Object.entries(icons)) {
    const { left, top, width, height } = { left: 0, top: 0, width: 16, height: 16, ...defaults, ...size };
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}" height="${height}" viewBox="${left} ${top} ${width} ${height}">${body}</svg>`;
    yield { name: `${icon}.svg`, bytes: Buffer.from(svg) };
  }
}
