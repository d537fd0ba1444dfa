// Generates small SVGs of everything that editors write and renderers interpret differently: colours, units, transformations, CSS,
// effects.
import { readFileSync } from 'node:fs';
import path from 'node:path';

const NAMESPACES = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
const SQUARE = 'viewBox="0 0 100 100" width="100" height="100"';

/**
 * @param {string} name
 * @param {string} body
 * @param {string} [root]
 */
const svg = (name, body, root = SQUARE) => ({
  name: `${name}.svg`,
  bytes: Buffer.from(`<svg ${NAMESPACES} ${root}>${body}</svg>`),
});

const TEXT = readFileSync(path.join(import.meta.dirname, 'constructs.txt'), 'utf8');
/** The lists in the text file, by title. */
const LISTS = Object.fromEntries(
  [...TEXT.matchAll(/^# (.*)\n((?:[^\n]+\n)*)/gm)].map(([, title = '', lines = '']) => [
    title,
    lines
      .trimEnd()
      .split('\n')
      .map((line) => line.replaceAll('\\n', '\n')),
  ]),
);

/** @param {string} title */
const list = (title) => LISTS[title] ?? [];

/**
 * Yields each place for a value: its name, and its markup with the value.
 * @param {string} title
 * @param {string} value
 */
function* placesWith(title, value) {
  for (const place of list(title)) {
    const [name = '', ...markup] = place.split(': ');
    yield { name, markup: markup.join(': ').replaceAll('VALUE', value) };
  }
}

/** @returns {Generator<import('./drawn.js').File>} */
export function* constructs() {
  for (const [index, colour] of list('colours').entries())
    for (const { name, markup } of placesWith('places of colours', colour))
      yield svg(`colour-${name}-${index}`, `<g fill="green">${markup}</g>`);
  for (const length of list('lengths'))
    for (const { name, markup } of placesWith('places of lengths', length))
      yield svg(`length-${name}-${length}`, markup, 'viewBox="0 0 300 300" width="300" height="300"');
  const disc = '<circle cx="50" cy="50" r="40" fill="red"/><path d="M0 0h30v30z"/>';
  for (const [index, root] of list('roots').entries()) {
    yield svg(`root-${index}`, disc, `${SQUARE} ${root}`);
    yield svg(`root-wide-${index}`, disc, `viewBox="0 0 100 100" width="200" height="100" ${root}`);
    yield svg(`root-without-view-box-${index}`, disc, `width="100" height="100" ${root}`);
    const [, style] = /^style="(.*)"$/.exec(root) ?? [];
    if (style !== undefined) yield svg(`root-rule-${index}`, `<style>svg{${style}}</style>${disc}`);
  }
  const definitions =
    '<linearGradient id="g"><stop stop-color="red"/><stop offset="1" stop-color="blue"/></linearGradient><mask id="m"><circle cx="50" cy="40" r="15" fill="white"/></mask><rect width="45" height="100" fill="#fc0"/>';
  for (const [index, shape] of list('shapes').entries()) {
    yield svg(`shape-${index}`, `${definitions}<rect x="30" y="30" width="40" height="20" fill="#0b5fff" ${shape}/>`);
    yield svg(
      `group-${index}`,
      `${definitions}<g ${shape}><path d="M30 60h30l5 30" stroke="red" stroke-width="5"/></g>`,
    );
  }
  for (const [index, rule] of list('selectors').entries())
    yield svg(
      `selector-${index}`,
      `<style>${rule}</style><g><rect width="30" height="30"/><rect id="i" class="a c" x="50" width="30" height="30" fill="blue"/></g>`,
    );
  for (const [index, structure] of list('structures').entries()) yield svg(`structure-${index}`, structure);
}

/** @returns {Generator<import('./drawn.js').File>} */
export function* sizes() {
  const units = { mm: 1, cm: 0.1, in: 0.04, pt: 3, pc: 0.25, Q: 4, em: 0.25, rem: 0.25, px: 4, '': 4 };
  for (const [unit, scale] of Object.entries(units))
    for (const [width, height] of /** @type {const} */ ([
      [60, 40],
      [33.3, 77.7],
      [100, 21],
    ])) {
      const size = `width="${width * scale}${unit}" height="${height * scale}${unit}"`;
      const drawing =
        '<rect x="4" y="4" width="60%" height="80%" fill="none" stroke="#0b5fff" stroke-width="8"/><circle cx="70%" cy="50%" r="5mm" fill="#c22"/>';
      // Only whole sizes in pixels: for other sizes, thumbnails are drawn as if they were rounded.
      if (!/^(?:px)?$/.test(unit) || Number.isInteger(width * scale))
        yield svg(`size-${width}x${height}${unit}`, drawing, size);
      yield svg(`size-${width}x${height}${unit}-view-box`, drawing, `${size} viewBox="0 0 ${width * 3} ${height * 3}"`);
    }
}
