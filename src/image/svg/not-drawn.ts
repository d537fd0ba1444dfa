import { clippedHex, UNFIXED_KEYWORDS } from '../../theme/colour.ts';
import { SYSTEM_UNIT } from './dimensions.ts';
import type { SvgNode } from './references.ts';
import { COLOUR_FUNCTION } from './renderer-value.ts';

/** Something that browsers draw and librsvg, which makes the thumbnails, does not; and what to do about it. */
export interface Construct {
  /** Named as authors see it. */
  construct: string;
  remedy: Remedy;
}

/** What to do in the author's tool; the catalogue has the sentences. */
export type Remedy =
  | 'colour'
  | 'unit'
  | 'value'
  | 'transform'
  | 'effect'
  | 'stroke'
  | 'text'
  | 'nested'
  | 'box'
  | 'media';

/** The attributes and properties that may be such a construct, or part of one. */
const NOTABLE =
  /^(?:all|border.*|box-.*|color-interpolation|display|filter|height|in2?|margin.*|mask|mix-blend-mode|mode|offset.*|operator|outline.*|padding.*|pathLength|position|left|top|right|bottom|result|rotate|scale|stroke|stroke-dasharray|systemLanguage|flood-.*|stop-color|text.*|transform.*|translate|vector-effect|width|writing-mode|inline-size|shape-inside|white-space|gradientTransform|patternTransform|background.*|zoom|[xy]|d[xy])$/;

const COLOURS = /^(?:fill|stroke|color|stop-color|flood-color|background|background-color)$/;

/** Whether a value must be noted, as it may be drawn otherwise, alone or with others. */
export function isNotable(name: string, value: string): boolean {
  return NOTABLE.test(name) || valueConstruct(name, value) !== undefined;
}

/** A value that librsvg does not read, whatever the element. */
function valueConstruct(name: string, value: string): Construct | undefined {
  const colour = value.match(COLOUR_FUNCTION)?.find((call) => clippedHex(call) === undefined);
  if (colour !== undefined) return { construct: colour, remedy: 'colour' };
  const lower = value.trim().toLowerCase();
  if (COLOURS.test(name) && lower !== 'currentcolor' && UNFIXED_KEYWORDS.has(lower))
    return { construct: value.trim(), remedy: 'colour' };
  const [unit] = SYSTEM_UNIT.exec(value) ?? [];
  if (unit !== undefined && !/^(?:d|points|id|class)$/.test(name)) return { construct: unit, remedy: 'unit' };
  if (/^(?:initial|unset|revert|revert-layer)$/.test(lower)) return { construct: `${name}: ${lower}`, remedy: 'value' };
  return undefined;
}

/** An element with what is inherited, for {@link CONSTRUCTS}. */
interface Drawn {
  node: SvgNode;
  /** Attributes and properties of the element itself. */
  own: (name: string) => string;
  /** The nearest value, of the element or of one around it. */
  inherited: (name: string) => string;
  isRoot: boolean;
  /** Whether any primitive in the file has this result. */
  hasResult: (name: string) => boolean;
  /** Whether no element beside it follows. */
  isLast: () => boolean;
  /** Whether a transformation of it, or around it, turns or skews it. */
  isTurned: () => boolean;
}

const isSet = (value: string): boolean => !/^\s*(?:none|normal|auto|initial|0(?:px|%)?)?\s*$/.test(value);
/** Lengths that are not 0. */
const isLong = (value: string): boolean => /[1-9]/.test(value);
const hasTransform = ({ own }: Drawn): boolean =>
  ['transform', 'gradientTransform', 'patternTransform'].some((name) => isSet(own(name)));

type Row = readonly [construct: string, remedy: Remedy, applies: (drawn: Drawn) => boolean];

/** The constructs by what elements have; each was compared with Chromium 156, and librsvg 2.63. */
const CONSTRUCTS: readonly Row[] = [
  [
    'transform-origin',
    'transform',
    (drawn) => hasTransform(drawn) && /[1-9a-z]{2}|[1-9]/.test(drawn.own('transform-origin')),
  ],
  [
    'transform-box',
    'transform',
    (drawn) => hasTransform(drawn) && /fill|stroke|content|border/.test(drawn.own('transform-box')),
  ],
  ['transform', 'transform', ({ own }) => /[\d.](?:%|r?e[mx])/.test(own('transform'))],
  ['transform', 'transform', ({ node, own }) => /gradient|pattern/i.test(node.name) && isSet(own('transform'))],
  ...['rotate', 'scale', 'translate', 'offset-path', 'zoom'].map((name): Row => [
    name,
    'transform',
    ({ node, own }) => isSet(own(name)) && !/^t(?:ext|span)/.test(node.name) && name in node.css,
  ]),
  ['systemLanguage', 'value', ({ own }) => own('systemLanguage') !== ''],
  ['all', 'value', ({ own }) => isSet(own('all'))],
  ['display: contents', 'value', ({ own }) => /contents/.test(own('display'))],
  ['outline', 'stroke', ({ own }) => isSet(own('outline')) && !/none|^0/.test(own('outline'))],
  ['mix-blend-mode: plus-lighter', 'effect', ({ own }) => /plus-lighter/.test(own('mix-blend-mode'))],
  [
    'filter',
    'effect',
    ({ own }) => /(?:brightness|contrast|grayscale|hue-rotate|invert|saturate|sepia)\(/i.test(own('filter')),
  ],
  ['filter', 'effect', ({ own, isRoot }) => isRoot && isSet(own('filter'))],
  ['filter', 'effect', (drawn) => isSet(drawn.own('filter')) && drawn.isTurned()],
  [
    'feComposite operator="lighter"',
    'effect',
    ({ node, own }) => node.name === 'feComposite' && own('operator') === 'lighter',
  ],
  ...['BackgroundImage', 'BackgroundAlpha', 'FillPaint', 'StrokePaint'].map((input): Row => [
    `in="${input}"`,
    'effect',
    ({ node, own, hasResult }) =>
      (own('in') === input || own('in2') === input) && !hasResult(input) && !isPlainBackground(node.name, own),
  ]),
  [
    'color-interpolation: linearRGB',
    'effect',
    ({ node, inherited }) => /Gradient$|^mask$/.test(node.name) && /linearRGB/i.test(inherited('color-interpolation')),
  ],
  ['stop-color', 'colour', ({ node, own }) => node.name === 'stop' && /(?:lab|lch|color)\(/i.test(own('stop-color'))],
  [
    'feFlood',
    'effect',
    ({ node, own, isLast }) => node.name === 'feFlood' && isLast() && isSet(own('flood-opacity') || '1'),
  ],
  ['mask', 'effect', ({ own }) => /\)\s*[a-z]/i.test(own('mask'))],
  [
    'vector-effect: non-scaling-stroke',
    'stroke',
    ({ own, inherited }) =>
      /non-scaling-stroke/.test(own('vector-effect')) &&
      (/url\(/.test(inherited('stroke')) || isSet(inherited('stroke-dasharray'))),
  ],
  ['pathLength', 'stroke', ({ own, inherited }) => isSet(own('pathLength')) && isSet(inherited('stroke-dasharray'))],
  ['<textPath>', 'text', ({ node }) => node.name === 'textPath'],
  ...['rotate', 'textLength', 'inline-size', 'shape-inside', 'text-transform', 'text-shadow'].map((name): Row => [
    name,
    'text',
    ({ node, own }) => /^t(?:ext|span)/.test(node.name) && isSet(own(name)),
  ]),
  ...['x', 'y', 'dx', 'dy'].map((name): Row => [
    name,
    'text',
    ({ node, own }) => /^t(?:ext|span)/.test(node.name) && /\d[\s,]+[\d.-]/.test(own(name).trim()),
  ]),
  [
    'width',
    'nested',
    ({ node, isRoot }) =>
      node.name === 'svg' && !isRoot && ['x', 'y', 'width', 'height'].some((side) => side in node.css),
  ],
  [
    '<symbol width>',
    'nested',
    ({ node, own }) => node.name === 'symbol' && ['x', 'y', 'width', 'height'].some((side) => isSet(own(side))),
  ],
  ['display: none', 'box', ({ isRoot, own }) => isRoot && /none/.test(own('display'))],
  [
    'transform',
    'box',
    ({ isRoot, own }) =>
      isRoot && /translate\w*\([^)]*[1-9]|matrix\((?:[^,\s)]+[,\s]+){4}[^)]*[1-9]|,\s*[1-9]/.test(own('transform')),
  ],
  [
    'position',
    'box',
    ({ isRoot, own }) =>
      isRoot && isSet(own('position')) && ['top', 'left', 'right', 'bottom'].some((side) => isLong(own(side))),
  ],
  ['border-radius', 'box', ({ isRoot, own }) => isRoot && isLong(own('border-radius'))],
  [
    'border',
    'box',
    ({ isRoot, node: { css } }) =>
      isRoot &&
      Object.entries(css).some(
        ([name, value]) => /^(?:border(?!-radius|-collapse|-spacing)|margin|padding)/.test(name) && isLong(value),
      ),
  ],
];

/** Whether it lies on the background, which browsers do not have either. */
function isPlainBackground(name: string, own: Drawn['own']): boolean {
  const isOver =
    name === 'feMergeNode' ||
    (name === 'feBlend' && /^(?:normal)?$/.test(own('mode'))) ||
    (name === 'feComposite' && /^(?:over)?$/.test(own('operator')));
  return isOver && own('in') !== 'BackgroundImage' ? own('in2') === 'BackgroundImage' : name === 'feMergeNode';
}

/** A transformation that neither flips nor scales alone, nor turns by quarters. */
function isTurning(transform: string): boolean {
  for (const [, name = '', list = ''] of transform.matchAll(/(\w+)\(([^()]*)\)/g)) {
    const [first = 0, second = 0, third = 0, fourth = 0] = list
      .trim()
      .split(/[\s,]+/)
      .map(Number.parseFloat);
    if (/^skew/.test(name) && first !== 0) return true;
    if (name === 'rotate' && first % 90 !== 0) return true;
    if (
      name === 'matrix' &&
      Math.max(Math.abs(first), Math.abs(fourth)) > 1e-3 &&
      Math.max(Math.abs(second), Math.abs(third)) > 1e-3
    )
      return true;
  }
  return false;
}

/** What browsers draw of an SVG and thumbnails do not, with the element that has it. */
export function* notDrawn(nodes: readonly SvgNode[]): Generator<Construct & { node: SvgNode }> {
  const results = new Set(nodes.map(({ values }) => values['result']));
  for (const node of nodes) {
    if (Object.keys(node.values).length === 0 && node.name !== 'textPath') continue;
    const around = function* (): Generator<SvgNode> {
      for (
        let at: SvgNode | undefined = node;
        at !== undefined;
        at = at.parent === undefined ? undefined : nodes[at.parent]
      )
        yield at;
    };
    const drawn: Drawn = {
      node,
      own: (name) => node.values[name] ?? '',
      inherited: (name) => [...around()].find(({ values }) => name in values)?.values[name] ?? '',
      isRoot: node.parent === undefined,
      hasResult: (name) => results.has(name),
      isLast: () => nodes.findLast(({ parent }) => parent === node.parent) === node,
      isTurned: () => [...around()].some(({ values }) => isTurning(values['transform'] ?? '')),
    };
    for (const [name, value] of Object.entries(node.values)) {
      const construct = valueConstruct(name, value);
      if (construct !== undefined) yield { ...construct, node };
    }
    for (const [construct, remedy, applies] of CONSTRUCTS) if (applies(drawn)) yield { construct, remedy, node };
  }
}
