import { SVG_NAMESPACE, XLINK_NAMESPACE } from './allowed.ts';
import type { Declaration } from '../css/css.ts';
import { lengthOf } from './dimensions.ts';
import { type Element, readDrawing, written } from './drawing.ts';
import { attributeOf, IDENTITY, type Matrix, readTransform, rounded } from './matrix.ts';
import { rewritePattern, targetsOf } from './renderer-paint.ts';
import { cssTransform, INITIAL, isInvalid, rendererValue, WIDE_KEYWORD } from './renderer-value.ts';

/**
 * Rewrites an accepted SVG so that librsvg draws it as browsers do: each element has all its style, in units and colours that librsvg knows.
 * @returns the same text if it is not well-formed
 */
export function forRenderer(text: string): string {
  const nodes = readDrawing(text);
  const [root] = nodes ?? [];
  if (nodes === undefined || root === undefined) return text;
  const targets = targetsOf(nodes);
  const matrices: Matrix[] = [];
  for (const node of nodes) {
    rewriteValues(node);
    matrices.push(rewriteTransform(node, matrices[node.parent ?? -1]));
  }
  for (const node of nodes) if (node.name === 'pattern') rewritePattern(node, targets);
  rewriteRoot(root);
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

/** Writes the size of the outermost element in pixels. For an image, browsers use its attributes alone (measured with Chromium 156). */
function rewriteRoot(root: Element): void {
  const { attributes, style } = root;
  root.style = style.filter(({ property }) => property !== 'width' && property !== 'height');
  const font = sideOf(lastOf(style, 'font-size') ?? attributes['font-size'] ?? '', 16) ?? 16;
  const [width, height] = [attributes['width'] ?? '', attributes['height'] ?? ''].map((side) => sideOf(side, font));
  // The default of browsers; that of librsvg is different.
  attributes['font-size'] ??= '16';
  const sides = Object.entries({ width, height }).filter(
    ([name, side]) => side !== undefined && !/^\s*[+\d.e]+(?:px)?\s*$/.test(attributes[name] ?? ''),
  );
  // Without a `viewBox`, browsers round a size in other units, and stretch the drawing.
  if (attributes['viewBox'] === undefined && sides.length > 0)
    Object.assign(attributes, stretched(width ?? 300, height ?? 150));
  else for (const [name, side = 0] of sides) attributes[name] = `${rounded(side)}`;
}

/** Returns a side in pixels; nothing for `auto` and percentages. */
function sideOf(value: string, font: number): number | undefined {
  const [, number, unit = ''] = /^\s*([+-]?[\d.]+(?:e[+-]?\d+)?)(em|ex)\s*$/i.exec(value) ?? [];
  return number === undefined ? lengthOf(value) : (Number(number) * font) / (/ex/i.test(unit) ? 2 : 1);
}

function stretched(width: number, height: number): Record<string, string> {
  const viewBox = `0 0 ${rounded(width)} ${rounded(height)}`;
  return { width: `${Math.round(width)}`, height: `${Math.round(height)}`, viewBox, preserveAspectRatio: 'none' };
}
