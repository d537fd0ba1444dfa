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

/** Properties with their values, valid or not. */
const PROPERTIES = {
  fill: [
    '#0a0',
    'red',
    'none',
    'url(#a:5mm)',
    'url(#p)',
    'url(#r)',
    'currentColor',
    'inherit',
    'unset',
    'initial',
    'revert',
    'rgb(10%,20,250)',
    'foo',
    'hsl(200 50% 50% / .5)',
  ],
  stroke: ['#00f', 'none', 'url(#a:5mm)', 'unset', 'initial', 'inherit', 'foo'],
  'stroke-width': ['2mm', '8', '10%', '-3', 'unset', 'initial', 'inherit', '1e1'],
  opacity: ['.5', '50%', 'unset', 'initial', 'inherit', '2', 'foo'],
  'fill-opacity': ['.3', '30%', 'unset', 'initial'],
  'fill-rule': ['evenodd', 'nonzero', 'EvenOdd', 'unset'],
  transform: [
    'translate(9px,5px)',
    'translate(9,5)',
    'rotate(0) scale(.5)',
    'rotate(20deg)',
    'none',
    'inherit',
    'unset',
    'scale(.5 .8)',
    'matrix(1,0,0,.5,9,9)',
    'skewX(.1turn)',
    'translateX(1mm)',
  ],
  visibility: ['hidden', 'visible', 'collapse', 'inherit', 'unset'],
  display: ['none', 'inline', 'block', 'unset', 'initial'],
  'stroke-dasharray': ['9 4', '2mm', 'none', 'unset', 'inherit'],
  'stroke-linejoin': ['round', 'bevel', 'unset', 'Round'],
  'mix-blend-mode': ['multiply', 'screen', 'unset'],
  mask: ['url(#m)', 'none', 'unset'],
  'clip-path': ['url(#c)', 'none', 'unset', 'inherit'],
  filter: ['url(#f)', 'none', 'blur(2)', 'blur(2px)', 'unset'],
  color: ['red', 'inherit', 'unset'],
  isolation: ['isolate', 'auto'],
  'paint-order': ['stroke', 'normal', 'unset'],
};
/** Places of a declaration, with weaker and stronger ones beside it. */
const PLACES = {
  attribute: '<g NAME="VALUE">SHAPE</g>',
  own: '<g><path NAME="VALUE" PATH/></g>',
  style: '<g><path fill="#c60" style="NAME:VALUE" PATH/></g>',
  group: '<g style="NAME:VALUE" fill="#c60">SHAPE</g>',
  star: '<style>*{NAME:VALUE}</style><g>SHAPE</g>',
  name: '<style>path{NAME:VALUE}</style><g fill="#c60">SHAPE</g>',
  child: '<style>svg>g{NAME:VALUE}</style><g fill="#c60">SHAPE</g>',
  sibling: '<style>rect+path,defs~g .x{NAME:VALUE}</style><g>SHAPE<path class="x" d="M5 5h40v20z"/></g>',
  important:
    '<style>.i{NAME:VALUE!important}#j{NAME:inherit}</style><g><path id="j" class="i" style="NAME:initial" PATH/></g>',
  specific:
    '<style>g path.i{NAME:VALUE}.i{NAME:unset}path{NAME:inherit}</style><g><path class="i" NAME="VALUE" PATH/></g>',
  over: '<style>.i{NAME:VALUE}</style><g><path class="i" fill="#c60" transform="translate(20 20)" stroke="#333" stroke-width="3" opacity=".8" PATH/></g>',
  dark: '<style>@media (prefers-color-scheme:dark){.i{NAME:VALUE}}@media screen{.i{NAME:VALUE}}</style><g><path class="i" PATH/></g>',
  used: '<defs><path id="u" style="NAME:VALUE" PATH/></defs><use href="#u" x="5" fill="#c60"/>',
};
const DEFINITIONS =
  '<defs><linearGradient id="a:5mm"><stop stop-color="#06c"/><stop offset="1" stop-color="#c00"/></linearGradient><radialGradient id="r" r="0"><stop stop-color="red"/><stop offset="1" stop-color="#00c"/></radialGradient><pattern id="p" width="20" height="20" patternUnits="userSpaceOnUse" patternTransform="translate(-40000 70000)"><path fill="#fc0" d="M0 0h20v20h-20z"/><path fill="#063" d="M0 0h10v10h-10z"/></pattern><mask id="m"><path fill="#fff" d="M0 0h60v100h-60z"/></mask><clipPath id="c"><path d="M0 0h100v60h-100z"/></clipPath><filter id="f"><feOffset dx="9"/></filter></defs>';
const PATH = 'd="M20 20H90V80H20zM40 35V60H70V35z"';

/** Yields every property with every value in every place. @returns {Generator<import('./drawn.js').File>} */
export function* cascades() {
  for (const [name, values] of Object.entries(PROPERTIES))
    for (const [index, value] of values.entries())
      for (const [place, markup] of Object.entries(PLACES)) {
        const shape = `<path stroke="#333" ${PATH}/>`;
        const body = markup
          .replaceAll('SHAPE', shape)
          .replaceAll('PATH', PATH)
          .replaceAll('NAME', name)
          .replaceAll('VALUE', value);
        yield svg(`cascade-${name}-${index}-${place}`, DEFINITIONS + body);
      }
}

/** Sheets whose rules reach everything that the rewriting adds. */
const SHEETS = [
  '*{opacity:.7}',
  'path{visibility:hidden}',
  'svg>*{fill:#a0a}',
  'g{transform:translate(9px,4px)}',
  ':root{opacity:.6}',
  'svg{fill:#063;stroke:#c00}',
];

/** Yields every drawing of the lists with every sheet. @returns {Generator<import('./drawn.js').File>} */
export function* sheets() {
  const shape = '<circle cx="50" cy="50" r="40" fill="red"/><path d="M0 0h30v30z"/><g><path d="M60 5h30v20z"/></g>';
  for (const [at, sheet] of SHEETS.entries()) {
    for (const [index, root] of [
      ...list('roots'),
      'style="background:#fc0"',
      'style="background:#0af;background-color:red" opacity=".5"',
    ].entries())
      yield svg(`sheet-${at}-root-${index}`, `<style>${sheet}</style>${shape}`, `${SQUARE} ${root}`);
    for (const [index, attributes] of list('shapes').entries())
      yield svg(
        `sheet-${at}-shape-${index}`,
        `<style>${sheet}</style>${DEFINITIONS}<path d="M30 30h40v20h-40z" ${attributes}/>`,
      );
    for (const [index, structure] of list('structures').entries())
      yield svg(`sheet-${at}-structure-${index}`, `<style>${sheet}</style>${structure}`);
    // Chromium 156 draws transparent red of Display P3 in teal.
    for (const [index, colour] of list('colours')
      .filter((colour) => colour !== 'color(display-p3 1 0 0)')
      .entries())
      yield svg(
        `sheet-${at}-colour-${index}`,
        `<style>${sheet}.k{fill:${colour}}</style><g>${shape}<path class="k" d="M0 90h12v10z"/></g>`,
      );
  }
}

/** Yields patterns and gradients with offsets, sizes and units. @returns {Generator<import('./drawn.js').File>} */
export function* paints() {
  const use = '<path d="M5 5h90v90h-90z" fill="url(#z)"/>';
  const tile = '<path fill="#fc0" d="M0 0h20v20h-20z"/><circle fill="#063" cx="6" cy="7" r="5"/>';
  const transforms = [
    '',
    'translate(-4500 12000)',
    'rotate(30) translate(900 -77777)',
    'scale(.5) translate(33333)',
    'matrix(1 .5 -.5 1 -16583.5 -12345)',
  ];
  for (const [index, transform] of transforms.entries())
    for (const [at, attributes] of [
      '',
      'x="7" y="-3"',
      'x="40010" y="-20"',
      'viewBox="0 0 20 20"',
      'viewBox="2 -5 20 20" x="99999"',
      'patternContentUnits="foo"',
      'overflow="visible"',
    ].entries())
      for (const unit of ['userSpaceOnUse', 'objectBoundingBox', 'foo']) {
        const size = unit === 'userSpaceOnUse' ? '20' : '.2';
        yield svg(
          `pattern-${index}-${at}-${unit}`,
          `<pattern id="z" width="${size}" height="${size}" patternUnits="${unit}" ${attributes} patternTransform="${transform}">${tile}</pattern>${use}`,
        );
      }
  for (const [index, attributes] of [
    'x2="0"',
    'x1="50" x2="50"',
    'x1="10%" x2="10%"',
    'y1="1" y2="1" x2="0"',
    'x2="1" y2="0"',
    'spreadMethod="Reflect" x2=".3"',
    'spreadMethod="repeat" x2="30"',
  ].entries())
    for (const unit of ['', 'userSpaceOnUse', 'objectBoundingBox', 'userspaceonuse'])
      for (const [at, stops] of ['', ' href="#s"'].entries())
        yield svg(
          `gradient-${index}-${unit}-${at}`,
          `<linearGradient id="s"><stop stop-color="#06c"/><stop offset="1" stop-color="#c00" stop-opacity=".7"/></linearGradient><linearGradient id="z" ${attributes}${unit && ` gradientUnits="${unit}"`}${stops}>${at === 1 ? '' : '<stop stop-color="#06c"/><stop offset="1" stop-color="#c00"/>'}</linearGradient>${use}`,
        );
  for (const [index, attributes] of [
    'r="0"',
    'r=".5" fr=".5"',
    'r=".3" fr=".4"',
    'r="0%"',
    'r=".4" fx=".2" fr=".1"',
    'cx="1" r="1"',
  ].entries())
    for (const unit of ['', 'userSpaceOnUse', 'OBJECTBOUNDINGBOX'])
      yield svg(
        `radial-${index}-${unit}`,
        `<radialGradient id="z" ${attributes}${unit && ` gradientUnits="${unit}"`}><stop stop-color="#06c"/><stop offset="1" stop-color="#c00"/></radialGradient>${use}`,
      );
  const lines = [
    '<line x1="10" y1="50" x2="90" y2="50"',
    '<path d="M10 50h80"',
    '<path d="M10 30H90V80" fill="none"',
    '<path d="M50 10V90"',
    '<polyline points="10,50 90,50"',
  ];
  const effects = ['mask="url(#e)"', 'clip-path="url(#e)"', 'filter="url(#e)"'];
  const targets = [
    '<mask id="e" UNITS><path fill="#fff" d="M0 0h100v100h-100z"/></mask>',
    '<clipPath id="e" UNITS><path d="M0 0h100v100h-100z"/></clipPath>',
    '<filter id="e" UNITS><feOffset dx="3"/></filter>',
  ];
  for (const [index, line] of lines.entries())
    for (const [at, effect] of effects.entries())
      for (const units of [
        '',
        'maskUnits="userSpaceOnUse" filterUnits="userSpaceOnUse" clipPathUnits="userSpaceOnUse"',
        'maskUnits="foo" clipPathUnits="objectBoundingBox"',
      ]) {
        const target = (targets[at] ?? '').replace('UNITS', units);
        yield svg(
          `line-${index}-${at}-${units.length}`,
          `${target}${line} stroke="#06c" stroke-width="20" ${effect}/>`,
        );
        yield svg(
          `line-group-${index}-${at}-${units.length}`,
          `${target}<g ${effect}>${line} stroke="#06c" stroke-width="20"/></g>`,
        );
      }
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
