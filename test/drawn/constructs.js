// Small SVGs of everything that editors write and renderers read differently: colours, units, transformations, CSS, effects.

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

const COLOURS = [
  'hwb(200 20% 30%)',
  'hwb(200 20% 30% / 50%)',
  'lab(50% 40 20)',
  'lch(60% 60 -90)',
  'oklab(60% .1 .1)',
  'oklch(60% .2 250)',
  'OKLCH(.6 50% 250deg / .5)',
  'oklch( 60%\n.2   none )',
  'oklch(70% .4 150)',
  'color(display-p3 1 0 0)',
  'color(srgb .2 .5 1)',
  'color(srgb-linear .2 .5 1)',
  'color(a98-rgb .2 .8 .3)',
  'color(prophoto-rgb .2 .8 .3)',
  'color(rec2020 .2 .8 .3)',
  'color(xyz .2 .3 .1)',
  'color(xyz-d50 .2 .3 .1)',

  'rgb(from red r g b)',
  'oklch(from #0b5fff l c h)',
  'rgb(11 95 255 / 50%)',
  'rgb(10% 50% 90%)',
  'rgb(none 95 255)',

  'hsl(200 50 50)',
  'hsl(3rad 50% 50%)',
  'hsl(.5turn 50% 50%)',
  'hsl(-90, 50%, 50%)',
  '#0b5f',
  '#0B5FFF80',
  'RebeccaPurple',

  'currentColor',
  'CanvasText',
  'LinkText',
  'AccentColor',
  'windowtext',
  'transparent',
  'color-mix(in srgb, red, blue)',
  'light-dark(red, blue)',
  'rgb(300 -20 10)',
  'device-cmyk(0 1 1 0)',
];

/** Where a colour may be. */
const COLOUR_PLACES = {
  attribute: (/** @type {string} */ colour) => `<rect width="60" height="40" fill="${colour}"/>`,
  style: (/** @type {string} */ colour) =>
    `<rect width="60" height="40" style="stroke-width:9;STROKE:${colour};fill:red;fill:${colour}"/>`,
  sheet: (/** @type {string} */ colour) => `<style>.a{fill:${colour}}</style><rect width="60" height="40" class="a"/>`,
  inherited: (/** @type {string} */ colour) =>
    `<g color="${colour}"><rect width="60" height="40" fill="currentColor"/></g>`,
  stops: (/** @type {string} */ colour) =>
    `<linearGradient id="g"><stop stop-color="${colour}"/><stop offset="1" stop-color="#fc0"/></linearGradient><rect width="60" height="40" fill="url(#g)"/>`,
};

const LENGTHS = '60mm 6cm 2in 150pt 12pc 200px 12em 24ex 200 60MM 240Q 12rem 6e1mm +60mm .6in 50% 20ch 50vw'.split(' ');

/** Where a length may be. */
const LENGTH_PLACES = {
  rect: (/** @type {string} */ length) => `<rect x="5" y="5" width="${length}" height="20"/>`,
  stroke: (/** @type {string} */ length) => `<path d="M0 99H300" stroke="red" stroke-width="${length}"/>`,
  dashes: (/** @type {string} */ length) =>
    `<path d="M0 99H300" stroke="red" stroke-width="20" stroke-dasharray="${length} 10"/>`,
  style: (/** @type {string} */ length) => `<circle cx="150" cy="150" style="r:${length};opacity:.5"/>`,
  sheet: (/** @type {string} */ length) => `<style>rect{width:${length};height:20px}</style><rect x="5" y="5"/>`,
  font: (/** @type {string} */ length) => `<g style="font-size:${length}"><rect style="width:1em;height:.5em"/></g>`,
};

const ROOTS = [
  'transform="rotate(20)"',
  'transform="scale(1,-1)"',
  'transform="scale(-1 1) translate(-100 0)"',
  'transform="matrix(1 0 0 1 10 10)"',

  'style="transform:rotate(20deg)"',
  'style="transform:scale(.5)"',
  'style="transform:translate(10px,20px)"',
  'style="rotate:20deg"',

  'style="transform:rotate(20deg);transform-origin:0 0"',
  'style="background:#fc0"',
  'style="background-color:rgb(0 128 255 / 50%)"',

  'style="background:oklch(60% .2 250)"',
  'style="background:none"',
  'style="enable-background:new 0 0 9 9"',
  'opacity=".5"',

  'filter="blur(3px)"',
  'style="width:50px"',
  'style="width:100%;height:100%"',
  'style="width:auto"',
  'style="margin:auto"',

  'style="margin:10px"',
  'style="padding:10px"',
  'style="border:5px solid blue"',
  'style="position:absolute;top:9px"',
  'display="none"',

  'style="background:#fc0;border-radius:20px"',
  'style="color-scheme:dark"',
  'preserveAspectRatio="none"',
  'overflow="visible"',
  'x="20"',
];

const SHAPES = [
  'transform="rotate(20deg)"',
  'transform="rotate(20)" transform-origin="50 40"',
  'style="transform:rotate(20deg);transform-box:fill-box"',

  'style="transform-box:fill-box;transform-origin:50% 50%"',
  'style="transform:translate(50%,10%)"',
  'style="transform:translate(10,20)"',

  'style="transform:translate(5mm)"',
  'style="transform:translate(1em)"',
  'style="rotate:20deg"',
  'style="scale:.5"',
  'style="translate:9px"',

  'stroke="url(#g)" stroke-width="8" vector-effect="non-scaling-stroke"',
  'stroke="red" vector-effect="non-scaling-stroke"',

  'style="mix-blend-mode:multiply"',
  'style="mix-blend-mode:plus-lighter"',
  'style="filter:blur(3px)"',
  'filter="blur(3)"',

  'style="filter:invert(1)"',
  'style="filter:brightness(1.5)"',
  'style="filter:sepia(1)"',
  'style="filter:opacity(.5)"',

  'style="filter:drop-shadow(4px 4px 2px rgba(0,0,0,.5))"',
  'style="filter:blur(1mm)"',
  'stroke="red" stroke-width="-5"',
  'rx="auto" ry="5"',

  'fill="none" stroke="red" stroke-width="4" stroke-dasharray="10" pathLength="100"',
  'style="fill:initial"',
  'style="fill:unset"',

  'style="all:initial"',
  'style="display:contents"',
  'style="outline:3px solid red"',
  'mask="url(#m)"',
  'style="mask:url(#m) alpha"',

  'style="FILL:red"',
  'style="fill:red!important" fill="green"',
  'opacity="50%"',
  'style="paint-order:stroke" stroke="red" stroke-width="8"',
];

const SELECTORS = [
  '*{fill:red}',
  'g .a{fill:red}',
  'g > .a{fill:red}',
  'rect.a{fill:red}',
  'rect#i{fill:red}',
  '.a:hover{fill:red}',
  '.b,.a:hover{fill:red}',

  ':root{fill:red}',
  'svg rect{fill:red}',
  '.a.c{fill:red}',
  '*.a{fill:red}',
  'rect + rect{fill:red}',
  'rect ~ rect{fill:red}',
  '@media screen{.a{fill:red}}',
  '@media print{.a{fill:red}}',
  '@media (prefers-color-scheme:light){.a{fill:red}}',

  '@media screen and (prefers-color-scheme:dark){.a{fill:red}.c{fill:blue}}',
  '@media screen and (min-width:10px){.a{fill:red}}',
  '@charset "utf-8";.a{fill:red}',
  '/* x */ .a /* y */{/* z */fill:red}',
  '.a{fill:red!important}#i{fill:green}',
];

const STRUCTURES = [
  '<switch><rect systemLanguage="de" width="50" height="50" fill="red"/><rect width="50" height="50" fill="green"/></switch>',
  '<linearGradient id="g" color-interpolation="linearRGB"><stop stop-color="red"/><stop offset="1" stop-color="lime"/></linearGradient><rect width="80" height="80" fill="url(#g)"/>',
  '<linearGradient id="g" style="transform:rotate(45deg)"><stop stop-color="red"/><stop offset="1"/></linearGradient><rect width="80" height="80" fill="url(#g)"/>',
  '<linearGradient id="g" gradientTransform="rotate(45)" transform-origin=".5 .5"><stop stop-color="red"/><stop offset="1"/></linearGradient><rect width="80" height="80" fill="url(#g)"/>',
  '<polygon points="10,10 90,10 90,90 10" fill="red"/>',
  '<polyline points="10 10 90 10 90 90 10 90 5" fill="none" stroke="red" stroke-width="5"/>',
  '<path d="M10 10H90V90L10 Z" fill="red"/>',
  '<svg style="width:30px;height:30px"><rect width="100%" height="100%" fill="red"/></svg>',
  '<style>.n{width:30px}</style><svg class="n"><rect width="100%" height="100%" fill="red"/></svg>',
  '<symbol id="s" width="30" height="30" viewBox="0 0 10 10"><rect width="10" height="10" fill="red"/></symbol><use href="#s"/>',
  '<text font-size="20"><textPath href="#p">Hello</textPath></text><path id="p" d="M10 50Q50 0 90 50" fill="none"/>',
  '<text x="10" y="50" font-size="20" rotate="10 20 30">Hello</text>',
  '<text x="10" y="50">Hello</text>',
  '<filter id="f"><feBlend in="SourceGraphic" in2="BackgroundImage" mode="multiply"/></filter><rect width="60" height="60" fill="#0b5fff" filter="url(#f)"/>',
  '<filter id="f"><feBlend in="SourceGraphic" in2="BackgroundImage"/></filter><rect width="60" height="60" fill="#0b5fff" filter="url(#f)"/>',
  '<filter id="f"><feOffset in="FillPaint"/></filter><rect width="60" height="60" fill="#0b5fff" filter="url(#f)"/>',
  '<filter id="f"><feFlood flood-color="red"/></filter><rect x="30" y="30" width="40" height="30" filter="url(#f)"/>',
  '<filter id="f"><feFlood flood-color="red"/><feComposite in2="SourceGraphic" operator="lighter"/></filter><rect width="60" height="60" fill="#0b5fff" filter="url(#f)"/>',
  '<filter id="f"><feOffset dx="10"/></filter><g transform="rotate(30)"><rect x="30" y="30" width="40" height="30" filter="url(#f)"/></g>',
  '<filter id="f"><feOffset dx="10"/></filter><g transform="scale(-1 1) translate(-100 0)"><rect x="30" y="30" width="40" height="30" filter="url(#f)"/></g>',
];

/** @returns {Generator<import('./drawn.js').File>} */
export function* constructs() {
  for (const [place, draw] of Object.entries(COLOUR_PLACES))
    for (const [at, colour] of COLOURS.entries())
      yield svg(`colour-${place}-${at}`, `<g fill="green">${draw(colour)}</g>`);
  for (const [place, draw] of Object.entries(LENGTH_PLACES))
    for (const length of LENGTHS)
      yield svg(`length-${place}-${length}`, draw(length), 'viewBox="0 0 300 300" width="300" height="300"');
  const disc = '<circle cx="50" cy="50" r="40" fill="red"/><path d="M0 0h30v30z"/>';
  for (const [at, root] of ROOTS.entries()) {
    yield svg(`root-${at}`, disc, `${SQUARE} ${root}`);
    yield svg(`root-wide-${at}`, disc, `viewBox="0 0 100 100" width="200" height="100" ${root}`);
    yield svg(`root-without-view-box-${at}`, disc, `width="100" height="100" ${root}`);
    const [, style] = /^style="(.*)"$/.exec(root) ?? [];
    if (style !== undefined) yield svg(`root-rule-${at}`, `<style>svg{${style}}</style>${disc}`);
  }
  const definitions =
    '<linearGradient id="g"><stop stop-color="red"/><stop offset="1" stop-color="blue"/></linearGradient><mask id="m"><circle cx="50" cy="40" r="15" fill="white"/></mask><rect width="45" height="100" fill="#fc0"/>';
  for (const [at, shape] of SHAPES.entries()) {
    yield svg(`shape-${at}`, `${definitions}<rect x="30" y="30" width="40" height="20" fill="#0b5fff" ${shape}/>`);
    yield svg(`group-${at}`, `${definitions}<g ${shape}><path d="M30 60h30l5 30" stroke="red" stroke-width="5"/></g>`);
  }
  for (const [at, rule] of SELECTORS.entries())
    yield svg(
      `selector-${at}`,
      `<style>${rule}</style><g><rect width="30" height="30"/><rect id="i" class="a c" x="50" width="30" height="30" fill="blue"/></g>`,
    );
  for (const [at, structure] of STRUCTURES.entries()) yield svg(`structure-${at}`, structure);
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
      // Of sizes in pixels only whole ones: the thumbnail of another is drawn as if they were rounded.
      if (!/^(?:px)?$/.test(unit) || Number.isInteger(width * scale))
        yield svg(`size-${width}x${height}${unit}`, drawing, size);
      yield svg(`size-${width}x${height}${unit}-view-box`, drawing, `${size} viewBox="0 0 ${width * 3} ${height * 3}"`);
    }
}
