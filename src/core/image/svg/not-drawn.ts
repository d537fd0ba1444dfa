import { UNFIXED_KEYWORDS } from '../../theme/colour/colour.ts';
import { LOGO_THUMBNAIL } from '../../theme/fields/thumbnail-spec.ts';
import { type Dimensions, dimensionsOf, PIXELS_PER_UNIT, SYSTEM_UNIT } from './dimensions.ts';
import { blurredRegions, reachesOut } from './filter-reach.ts';
import { attributeOf, IDENTITY, readTransform } from './matrix.ts';
import type { SvgNode } from './references.ts';
import { cssTransform, unknownColours } from './renderer-value.ts';

/** A construct that browsers draw, but librsvg, which makes the thumbnails, does not. */
export interface Construct {
  /** `property: value`, as authors see it. */
  construct: string;
  /** The kind of remedy; the catalogue has the sentences. */
  remedy:
    | 'colour'
    | 'unit'
    | 'value'
    | 'transform'
    | 'effect'
    | 'stroke'
    | 'text'
    | 'nested'
    | 'box'
    | 'media'
    | 'path'
    | 'pattern';
}

interface Drawn {
  node: SvgNode;
  own: (name: string) => string;
  inherited: (name: string) => string;
  /** The value of the outermost element. */
  root: (name: string) => string;
  /** Whether a transformation of the element or its ancestors rotates or skews it. */
  isRotated: () => boolean;
  hasResult: (name: string) => boolean;
  isLast: () => boolean;
  /** Whether it is in a `switch` that shows something in every language. */
  hasFallback: () => boolean;
  /** Whether its filter needs content outside the image. */
  needsOutside: () => boolean;
  /** Returns the element that `url(#id)` refers to. */
  target: (value: string) => SvgNode | undefined;
  /** Whether it is, or contains only, a line without width or height. */
  isStraight: () => boolean;
  /** The greatest factor by which a transformation of the drawing shrinks it. */
  shrunk: number;
}

/** A row: a property or attribute of certain elements with a certain value, and a further condition. */
type ConstructRow = readonly [
  Construct['remedy'],
  element: RegExp,
  name: string,
  value: RegExp,
  also?: (drawn: Drawn) => boolean,
];

const ANY = /^/;
/** The name of the outermost element in {@link CONSTRUCTS}. */
const ROOT = /^root$/;
const PRIMITIVE = /^fe/;
const CONTAINER = /^(?:g|use|svg|text)$/;
const SET = /^\s*(?!(?:none|normal|auto|0(?:px|%)?)\s*$)\S/;
const NOT_ZERO = /[1-9]/;
const ROTATION =
  /skew|rotate\((?!\s*-?(?:90|180|270|0)(?![.\d]))|matrix\(\s*-?[\d.]{0,9}[1-9][^\s,]{0,20}[\s,]+-?[\d.]{0,9}[1-9](?![\d.]*e-)/;
const NO_SIZE = { width: 0, height: 0 };
const SIDES = ['x', 'y', 'width', 'height'];

const isCss = ({ node }: Drawn, name: string): boolean => name in node.css;
const hasTransform = ({ own }: Drawn): boolean =>
  ['transform', 'gradientTransform', 'patternTransform'].some((name) => SET.test(own(name)));
const hasDashes = ({ inherited }: Drawn): boolean => SET.test(inherited('stroke-dasharray'));
/** Whether a filter mixes in an input other than the background, which browsers lack too. */
const isMixed = ({ node, own, hasResult }: Drawn): boolean =>
  !['in', 'in2'].some((name) => hasResult(own(name))) &&
  !(
    node.name === 'feMergeNode' ||
    (/^(?:normal|over)?$/.test(own('mode') + own('operator')) && own('in2').startsWith('Back'))
  );

const canvasOf = (root: Drawn['root']): Dimensions =>
  dimensionsOf({ viewBox: root('viewBox') }) ??
  dimensionsOf({ width: root('width'), height: root('height') }) ??
  NO_SIZE;

/** Whether the tiles of a pattern are smaller than a pixel of the thumbnail of a logo, or are placed far away by the box of a shape. */
const isInexact = ({ own, root, shrunk }: Drawn): boolean => {
  const [a, b, c, d] = readTransform(own('patternTransform')) ?? IDENTITY;
  const [width, height] = [own('width'), own('height')].map(Number.parseFloat) as [number, number];
  const isUser = own('patternUnits') === 'userSpaceOnUse';
  const unit = isUser ? Math.max(...Object.values(canvasOf(root))) : 1;
  const tile = Math.min(width * Math.hypot(a, b), height * Math.hypot(c, d));
  const isFine = tile * shrunk * LOGO_THUMBNAIL.box[0] < unit;
  const isFar = /(?<![.\d])\d{4}/.test(`${own('x')} ${own('y')} ${own('patternTransform')}`);
  return isFine || (!isUser && isFar);
};

/** Returns the least of the factors by which transformations scale, at most 1. */
function smallestScale(nodes: readonly SvgNode[]): number {
  return nodes.reduce((least, { values: { transform } }) => {
    const [a, b, c, d] = (transform !== undefined && readTransform(transform)) || IDENTITY;
    return Math.min(least, Math.sqrt(Math.abs(a * d - b * c)) || 1);
  }, 1);
}

/** Whether an element is one horizontal or vertical line. */
function isLine({ name = '', points = '', values = {} }: Partial<SvgNode> = {}): boolean {
  if (name === 'line')
    return ['x', 'y'].some((axis) => Number(values[`${axis}1`] ?? 0) === Number(values[`${axis}2`] ?? 0));
  const [xs, ys] = [new Set<number>(), new Set<number>()];
  let [x, y] = [0, 0];
  for (const [, command = 'L', list = ''] of points.matchAll(/([a-df-z]|^)([^a-df-z]+)/gi)) {
    const count = COORDINATES[(command || 'l').toLowerCase()];
    if (count === undefined) return false;
    const [startX, startY] = /[a-z]/.test(command) ? [x, y] : [0, 0];
    for (const [at, number] of (list.match(/[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/gi) ?? []).entries()) {
      if (/v/i.test(command) || (count > 1 && at % 2 === 1)) ys.add((y = startY + Number(number)));
      else xs.add((x = startX + Number(number)));
    }
  }
  return (xs.size > 0 && xs.size < 2) !== (ys.size > 0 && ys.size < 2);
}

/** The numbers of the commands of a path, without arcs. Relative ones count from the start of their list, which finds straight lines. */
const COORDINATES: Readonly<Record<string, number>> = { m: 2, l: 2, h: 1, v: 1, c: 6, s: 4, q: 4, t: 2, z: 0 };

/** Whether a mask, clip or filter refers to the box of a line, by which browsers draw nothing. */
const isOfLine =
  (property: string) =>
  ({ own, target, isStraight }: Drawn): boolean => {
    if (!isStraight()) return false;
    const { name = '', values = {} } = target(own(property)) ?? {};
    const { [`${name}Units`]: units } = values;
    return name === 'clipPath' ? units === 'objectBoundingBox' : units !== 'userSpaceOnUse';
  };

/** Whether a gradient has no extent: browsers draw it in the colour of its last stop, librsvg not at all. */
const isPoint = ({ node, own }: Drawn): boolean => {
  const [x1 = '0', y1 = '0', x2 = '1', y2 = '0'] = ['x1', 'y1', 'x2', 'y2'].map((name) => node.values[name]);
  if (node.name !== 'linearGradient') return Number.parseFloat(own('r')) === 0;
  return lengthOf(x1) === lengthOf(x2) && lengthOf(y1) === lengthOf(y2);
};

function lengthOf(text: string): number {
  const [, unit = ''] = /([a-z]+|%)\s*$/i.exec(text) ?? [];
  return Number.parseFloat(text) * (unit === '%' ? 0.01 : (PIXELS_PER_UNIT[unit.toLowerCase()] ?? 1));
}

/** Whether the transformation of the outermost element changes anything. */
const isTransformed = ({ own }: Drawn): boolean =>
  attributeOf(cssTransform(own('transform')) ?? readTransform(own('transform')) ?? IDENTITY) !== attributeOf(IDENTITY);

/** Whether a colour behind the image is not reset by a later `background`. */
const isBackground = ({ node }: Drawn): boolean => {
  const [last = ''] = Object.keys(node.css)
    .filter((name) => name.startsWith('background'))
    .toReversed();
  return !/^\s*(?:none|transparent|initial|unset|0(?: 0)?)\s*$/i.test(node.css[last] ?? 'none');
};

/** Whether a wide blur is computed in linear light, for which librsvg has too few steps in dark colours. */
const isCoarse = ({ own, inherited, root }: Drawn): boolean => {
  const { width, height } = canvasOf(root);
  const isWide = Number.parseFloat(own('stdDeviation')) > Math.min(width, height) / 10;
  return isWide && width > 0 && inherited('color-interpolation-filters') !== 'sRGB';
};

/** Each row was compared between Chromium 156 and librsvg 2.63. */
const CONSTRUCTS: readonly ConstructRow[] = [
  ['transform', ANY, 'transform-origin', /[1-9a-z]/, hasTransform],
  ['transform', ANY, 'transform-box', /fill|stroke|content|border/, hasTransform],
  ['transform', ANY, 'transform', /[\d.](?:%|r?e[mx])/],
  ['transform', /gradient|pattern/i, 'transform', SET],
  ['box', ROOT, 'transform', SET, isTransformed],
  ...['background', 'background-color'].map((name): ConstructRow => ['box', ROOT, name, SET, isBackground]),
  ...['rotate', 'scale', 'translate', 'offset-path', 'zoom'].map((name): ConstructRow => {
    return ['transform', ANY, name, SET, (drawn) => isCss(drawn, name)];
  }),
  ['value', ANY, 'systemLanguage', SET, ({ hasFallback }) => !hasFallback()],
  ['value', ANY, 'all', SET],
  ['value', ANY, 'display', /contents/],
  ['stroke', ANY, 'outline', /[1-9]|solid|auto/],
  ['effect', ANY, 'mix-blend-mode', /plus-lighter/],
  ['effect', ANY, 'filter', /(?:brightness|contrast|grayscale|hue-rotate|invert|saturate|sepia)\(/i],
  // The blur of a single colour is the same in linear light and in sRGB.
  [
    'effect',
    ANY,
    'filter',
    /blur\(/i,
    ({ node, inherited }) => CONTAINER.test(node.name) || SET.test(inherited('stroke')),
  ],
  ['effect', ROOT, 'filter', SET],
  ['effect', ANY, 'filter', SET, ({ isRotated, needsOutside }) => isRotated() || needsOutside()],
  ['effect', /^feComposite$/, 'operator', /lighter/],
  ['effect', PRIMITIVE, 'in', /^(?:Background(?:Image|Alpha)|FillPaint|StrokePaint)$/, isMixed],
  ['effect', PRIMITIVE, 'in2', /^(?:Background(?:Image|Alpha)|FillPaint|StrokePaint)$/, isMixed],
  ['effect', /Gradient$|^mask$/, 'color-interpolation', /linearRGB/i],
  ['effect', /^feFlood$/, 'flood-color', SET, ({ isLast }) => isLast()],
  ['effect', /^feGaussianBlur$/, 'stdDeviation', SET, isCoarse],
  ['effect', ANY, 'mask', /\)\s*[a-z]/i],
  ...['mask', 'clip-path', 'filter'].map((name): ConstructRow => ['effect', ANY, name, /url\(/i, isOfLine(name)]),
  ['effect', /^mask$/, 'opacity', SET],
  ...['width', 'height'].map((name): ConstructRow => ['effect', /^filter$/, name, /^\s*(?:-|\+?0*\.?0*\D*$)/]),
  ['path', /^path$/, 'd', /\d/],
  ...['linearGradient', 'radialGradient'].map((name): ConstructRow => ['colour', new RegExp(name), '', ANY, isPoint]),
  ['colour', /^stop$/, 'stop-color', /(?:lab|lch|color)\(|none/i],
  [
    'stroke',
    ANY,
    'vector-effect',
    /non-scaling-stroke/,
    (drawn) => hasDashes(drawn) || /url\(/.test(drawn.inherited('stroke')),
  ],
  ['pattern', /^pattern$/, 'width', NOT_ZERO, isInexact],
  ['effect', /^radialGradient$/, 'fr', NOT_ZERO],
  ['stroke', ANY, 'pathLength', SET, hasDashes],
  ...SIDES.map((name): ConstructRow => ['nested', /^svg$/, name, ANY, (drawn) => isCss(drawn, name)]),
  ...SIDES.map((name): ConstructRow => ['nested', /^symbol$/, name, SET]),
  ['box', ROOT, 'display', /none/],
  ...['mask', 'clip-path', 'box-shadow'].map((name): ConstructRow => ['box', ROOT, name, SET]),
  ['box', ROOT, 'position', SET, ({ own }) => NOT_ZERO.test(own('top') + own('left') + own('right') + own('bottom'))],
  ...['border', 'border-radius', 'margin', 'margin-left', 'margin-top', 'padding', 'padding-left', 'padding-top'].map(
    (name): ConstructRow => ['box', ROOT, name, NOT_ZERO],
  ),
];

/** The attributes and properties that {@link CONSTRUCTS} depends on. */
const NOTABLE = new Set([
  ...CONSTRUCTS.map(([, , name]) => name),
  ...'filterUnits clipPathUnits maskUnits maskContentUnits color-interpolation-filters viewBox in2 mode operator result stroke stroke-dasharray gradientTransform patternTransform patternUnits top left right bottom x1 x2 y1 y2 r'.split(
    ' ',
  ),
]);
const COLOURS = /^(?:fill|stroke|color|stop-color|flood-color|background|background-color)$/;

/** Characters of a value; on longer ones, these patterns would take quadratic time. */
const MAX_CHARACTERS = 1000;

/** Whether a value must be recorded because it may be drawn differently, alone or together with others. */
export function isNotable(name: string, value: string): boolean {
  return value.length <= MAX_CHARACTERS && (NOTABLE.has(name) || valueConstruct(name, value) !== undefined);
}

/** Returns a construct if librsvg cannot read a value, whatever the element. */
function valueConstruct(name: string, value: string): Construct | undefined {
  const lower = value.trim().toLowerCase();
  const isSystem = COLOURS.test(name) && lower !== 'currentcolor' && UNFIXED_KEYWORDS.has(lower);
  const isColour = isSystem || unknownColours(value).length > 0;
  const remedy = isColour ? 'colour' : SYSTEM_UNIT.test(value) ? 'unit' : undefined;
  return remedy && { construct: `${name}: ${value.trim()}`, remedy };
}

/** Yields constructs that browsers draw and thumbnails lack, with their elements. */
export function* notDrawn(nodes: readonly SvgNode[]): Generator<Construct & { node: SvgNode }> {
  const results = new Set(nodes.map(({ values }) => values['result']));
  const last = new Map(nodes.map((node) => [node.parent, node]));
  const regions = blurredRegions(nodes);
  const first = new Map(nodes.toReversed().map((node) => [node.parent, node]));
  const shrunk = smallestScale(nodes);
  for (const [index, node] of nodes.entries()) {
    if (Object.keys(node.values).length === 0) continue;
    const around = [node];
    for (let { parent } = node; parent !== undefined; parent = nodes[parent]?.parent)
      around.push(nodes[parent] ?? node);
    const drawn: Drawn = {
      node,
      own: (name) => node.values[name] ?? '',
      root: (name) => around.at(-1)?.values[name] ?? '',
      inherited: (name) => around.find(({ values }) => name in values)?.values[name] ?? '',
      isRotated: () => around.some(({ values }) => ROTATION.test(values['transform'] ?? '')),
      hasResult: (name) => name !== '' && results.has(name),
      needsOutside: () => reachesOut(around, regions),
      target: (value) => nodes.find(({ id }) => id !== undefined && id === /#([^"')\s]+)/.exec(value)?.[1]),
      isStraight: () => isLine(node) || (first.get(index) === last.get(index) && isLine(first.get(index))),
      shrunk,
      isLast: () => last.get(node.parent) === node,
      hasFallback: () => around[1]?.name === 'switch' && last.get(node.parent)?.values['systemLanguage'] === undefined,
    };
    for (const [name, value] of Object.entries(node.values)) {
      const construct = valueConstruct(name, value);
      if (construct !== undefined) yield { ...construct, node };
    }
    const element = node.parent === undefined ? 'root' : node.name;
    for (const [remedy, elements, name, set, also] of CONSTRUCTS) {
      if ((name !== '' && !(name in node.values)) || !elements.test(element) || !set.test(drawn.own(name))) continue;
      if (also?.(drawn) === false) continue;
      const value = `${name}: ${drawn.own(name).trim()}`;
      yield { construct: name === '' || remedy === 'pattern' ? `<${element}>` : value, remedy, node };
    }
  }
}
