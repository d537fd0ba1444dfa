import { SVG_NAMESPACE, XLINK_NAMESPACE } from './allowed.ts';
import type { Declaration } from '../css/css.ts';
import { type Element, group, readDrawing, written } from './drawing.ts';
import { attributeOf, IDENTITY, type Matrix, type Point, readTransform, rounded, times } from './matrix.ts';
import { isUndrawn, rewritePaints, targetsOf } from './renderer-paint.ts';
import { cssTransform, INITIAL, isInvalid, rendererPath, rendererValue, WIDE_KEYWORD } from './renderer-value.ts';
import { backgroundOf, type RootBox, rootBox } from './root-box.ts';

/**
 * Rewrites an accepted SVG so that librsvg draws it as browsers do: each element has all its style, in units and colours that librsvg knows, and the
 * effects of browsers on the outermost element become elements, which no rule can reach.
 * @param size - width and height in pixels that it is drawn into
 * @returns the same text if it is not well-formed
 */
export function forRenderer(text: string, size: Point): string {
  const nodes = readDrawing(text);
  const [root] = nodes ?? [];
  if (nodes === undefined || root === undefined) return text;
  const matrices: Matrix[] = [];
  for (const node of nodes) {
    rewriteValues(node);
    matrices.push(rewriteTransform(node, matrices[node.parent ?? -1]));
  }
  const { attributes, style } = root;
  const box = rootBox(attributes, lastOf(style, 'font-size') ?? attributes['font-size'] ?? '');
  const scale = Math.min(size[0] / box.width, size[1] / box.height) * Math.min(...box.scale);
  const targets = targetsOf(nodes);
  for (const node of nodes)
    node.content = node.content.filter((part) => typeof part === 'string' || !isUndrawn(part, targets));
  rewritePaints(nodes, targets, matrices, scale);
  rewriteRoot(root, matrices[0] ?? IDENTITY, box);
  return written(root, ` xmlns="${SVG_NAMESPACE}" xmlns:xlink="${XLINK_NAMESPACE}"`);
}

function lastOf(style: readonly Declaration[], name: string): string | undefined {
  return style.findLast(({ property }) => property === name)?.value;
}

const UNITS = /^(?:userSpaceOnUse|objectBoundingBox)$/;
/** Attributes with keywords: browsers read any other value as the default, librsvg draws nothing. */
const KEYWORDS: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(
    'gradient pattern patternContent clipPath mask maskContent filter primitive'
      .split(' ')
      .map((name) => [`${name}Units`, UNITS]),
  ),
  markerUnits: /^(?:strokeWidth|userSpaceOnUse)$/,
  spreadMethod: /^(?:pad|reflect|repeat)$/,
  edgeMode: /^(?:duplicate|wrap|none)$/,
  preserveAspectRatio: /^\s*(?:none|x(?:Min|Mid|Max)Y(?:Min|Mid|Max))(?:\s+(?:meet|slice))?\s*$/,
};

/** Attributes without lengths and colours. */
const UNCHANGED = /^(?:id|in2?|result|href|type|mode|operator|.*transform|values|viewBox|(?:data|aria)-.*|space)$/i;

/** Rewrites the values of an element, and resolves keywords that librsvg does not know. */
function rewriteValues(node: Element): void {
  const { attributes } = node;
  const isRoot = node.parent === undefined;
  for (const [name, value] of Object.entries(attributes)) {
    // A last number without a partner is ignored by browsers.
    if (name === 'points' && (value.match(/[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?/gi)?.length ?? 0) % 2 === 1)
      attributes[name] = value.replace(/[\s,]*[^\s,]+[\s,]*$/, '');
    else if (name === 'd') attributes[name] = rendererPath(value);
    else if (/^r[xy]$/.test(name) && value.trim() === 'auto') attributes[name] = '0';
    else if (KEYWORDS[name]?.test(value) === false || (name !== 'transform' && isInvalid(name, value, false)))
      delete attributes[name];
    else if (!UNCHANGED.test(name) && !(isRoot && /^(?:width|height)$/.test(name)))
      attributes[name] = rendererValue(value);
  }
  let style: Declaration[] = [];
  for (const declaration of node.style) {
    const { property, value } = declaration;
    const keyword = WIDE_KEYWORD.test(value) && !/^inherit$/i.test(value) ? value.toLowerCase() : undefined;
    const initial = keyword === 'initial' ? INITIAL.get(property) : INITIAL.has(property) ? 'inherit' : undefined;
    if (keyword === undefined) style.push({ ...declaration, value: rendererValue(value) });
    else if (initial !== undefined) style.push({ ...declaration, value: initial });
    else if (property !== 'transform') {
      // Not inherited: as if nothing had set it.
      style = style.filter((other) => other.property !== property);
      delete attributes[property];
    } else style.push({ ...declaration, value: 'none' });
  }
  node.style = style;
  if (lastOf(style, 'd') === 'none') attributes['d'] = '';
}

/** Writes the transformation of an element as its attribute, which librsvg does not combine with the property. @returns the transformation */
function rewriteTransform(node: Element, parent: Matrix = IDENTITY): Matrix {
  const value = lastOf(node.style, 'transform');
  if (value === undefined || /gradient|pattern/i.test(node.name))
    return readTransform(node.attributes['transform'] ?? '') ?? IDENTITY;
  const matrix = /^inherit$/i.test(value) ? parent : (cssTransform(value) ?? IDENTITY);
  node.style = node.style.filter(({ property }) => property !== 'transform');
  if (matrix === IDENTITY) delete node.attributes['transform'];
  else node.attributes['transform'] = attributeOf(matrix);
  return matrix;
}

/** Writes what browsers do with the outermost element as attributes and elements. */
function rewriteRoot(root: Element, transform: Matrix, box: RootBox): void {
  const { attributes, style } = root;
  const { width, height, scale, offset, sides } = box;
  const background = backgroundOf(style);
  const opacity = lastOf(style, 'opacity') ?? attributes['opacity'] ?? '1';
  const origin = lastOf(style, 'transform-origin') ?? attributes['transform-origin'] ?? '';
  root.style = style.filter(({ property }) => !/^(?:width|height|opacity|d)$/.test(property));
  delete attributes['transform'];
  delete attributes['opacity'];
  // The default of browsers; that of librsvg is different.
  attributes['font-size'] ??= '16';
  const isPixels = (side: string): boolean => /^\s*[+\d.e]+(?:px)?\s*$/.test(attributes[side] ?? '');
  const converted = (['width', 'height'] as const).filter((side) => sides[side] !== undefined && !isPixels(side));
  // Without a `viewBox`, browsers round a size in other units, and stretch the drawing.
  if (attributes['viewBox'] === undefined && converted.length > 0) Object.assign(attributes, stretched(width, height));
  else for (const side of converted) attributes[side] = `${rounded(sides[side] ?? 0)}`;
  if (transform !== IDENTITY || opacity !== '1') {
    // The origin is the middle of the image in its pixels, or its corner.
    const isCorner = /^(?:0(?:px|%)?|left|top)(?:\s+|$)/.test(origin);
    const [x, y] = isCorner ? [-offset[0], -offset[1]] : [width / 2 - offset[0], height / 2 - offset[1]];
    const steps: Matrix[] = [
      [1 / scale[0], 0, 0, 1 / scale[1], 0, 0],
      [1, 0, 0, 1, x, y],
      transform,
      [1, 0, 0, 1, -x, -y],
    ];
    const matrix = times(steps.reduce(times), [scale[0], 0, 0, scale[1], 0, 0]);
    root.content = [group(root.content, { transform: attributeOf(matrix), opacity })];
  }
  if (background === undefined) return;
  const [left, top] = [-offset[0] / scale[0], -offset[1] / scale[1]].map(rounded);
  const d = `M${left} ${top}h${rounded(width / scale[0])}v${rounded(height / scale[1])}h-${rounded(width / scale[0])}z`;
  const fill = { fill: rendererValue(background), 'fill-opacity': '1', stroke: 'none', 'marker-mid': 'none' };
  root.content.unshift({ ...group([], { d, ...fill, 'marker-start': 'none', 'marker-end': 'none' }), name: 'path' });
}

function stretched(width: number, height: number): Record<string, string> {
  const viewBox = `0 0 ${rounded(width)} ${rounded(height)}`;
  return { width: `${Math.round(width)}`, height: `${Math.round(height)}`, viewBox, preserveAspectRatio: 'none' };
}
