import { type Element, group } from './drawing.ts';
import { attributeOf, IDENTITY, type Matrix, readTransform, times, translation } from './matrix.ts';

/** The elements by their `id`; of duplicates, the first. */
type Targets = ReadonlyMap<string, Element>;

export function targetsOf(nodes: readonly Element[]): Targets {
  return new Map(nodes.toReversed().flatMap((node) => (node.id === undefined ? [] : [[node.id, node]])));
}

/** Rewrites gradients and patterns that librsvg draws otherwise than browsers. @param scale - pixels per unit of the outermost element */
export function rewritePaints(
  nodes: readonly Element[],
  targets: Targets,
  matrices: readonly Matrix[],
  scale: number,
): void {
  const scales = new Map<string, number>();
  const inRoot: Matrix[] = [];
  for (const [at, node] of nodes.entries()) {
    const around = inRoot[node.parent ?? -1];
    inRoot.push(around === undefined ? IDENTITY : times(around, matrices[at] ?? IDENTITY));
    const [a, b, c, d] = inRoot[at] ?? IDENTITY;
    const drawn = scale * Math.sqrt(Math.abs(a * d - b * c));
    for (const name of ['fill', 'stroke']) {
      const id = referenceOf(node, name);
      if (id !== undefined) scales.set(id, Math.min(scales.get(id) ?? Infinity, drawn));
    }
  }
  for (const node of nodes) {
    if (node.name.endsWith('Gradient')) rewriteGradient(node, targets);
    // librsvg ignores the opacity of a mask itself.
    const opacity = node.style.findLast(({ property }) => property === 'opacity')?.value ?? node.attributes['opacity'];
    if (node.name === 'mask' && opacity !== undefined) node.content = [group(node.content, { opacity })];
    if (node.name === 'pattern') rewritePattern(node, targets, scales.get(node.id ?? '') ?? scale);
  }
}

/** Returns the `id` that a property of an element refers to. */
function referenceOf({ style, attributes }: Element, name: string): string | undefined {
  const value = style.findLast(({ property }) => property === name)?.value ?? attributes[name] ?? '';
  return /url\(\s*["']?#([^"')\s]+)/.exec(value)?.[1];
}

/** Returns an element and those that it refers to for what it does not state itself. */
function templates(node: Element, targets: Targets): Element[] {
  const all = [node];
  for (let next: Element | undefined = node; next !== undefined;) {
    next = targets.get((next.attributes['href'] ?? '').trim().slice(1));
    if (next === undefined || all.includes(next)) break;
    all.push(next);
  }
  return all;
}

const isElement = (part: Element | string): part is Element => typeof part !== 'string';

/** Browsers draw a gradient without extent in the colour of its last stop. */
function rewriteGradient(node: Element, targets: Targets): void {
  const chain = templates(node, targets);
  const valueOf = (name: string, initial: string): string =>
    chain.find(({ attributes }) => name in attributes)?.attributes[name]?.trim() ?? initial;
  const isUserSpace = valueOf('gradientUnits', '') === 'userSpaceOnUse';
  const numberOf = (name: string, initial: string): number => {
    const value = valueOf(name, initial);
    return Number.parseFloat(value) * (value.endsWith('%') ? (isUserSpace ? Math.PI : 0.01) : 1);
  };
  const isLinear = node.name === 'linearGradient';
  const isPoint = isLinear
    ? numberOf('x1', '0%') === numberOf('x2', '100%') && numberOf('y1', '0%') === numberOf('y2', '0%')
    : numberOf('r', '50%') === 0;
  const stop = chain
    .map(({ content }) => content.filter(isElement).findLast(({ name }) => name === 'stop'))
    .find((last) => last !== undefined);
  if (!isPoint || stop === undefined) return;
  const { id } = node.attributes;
  const extent = isLinear ? { x1: '0', y1: '0', x2: '1', y2: '0' } : { cx: '0', cy: '0', fx: '0', fy: '0', r: '1' };
  node.attributes = { ...(id !== undefined && { id }), gradientUnits: 'userSpaceOnUse', ...extent };
  node.content = [{ ...stop, attributes: { ...stop.attributes, offset: '0' } }];
}

/** Sides in pixels below which a tile of a pattern is drawn larger, and above which cairo may not draw it. */
const [MIN_TILE_PX, MAX_TILE_PX] = [2, 8000];
/** No thumbnail is larger. */
const MAX_THUMBNAIL_PX = 2500;

/** Moves a pattern by whole tiles near its origin, since cairo draws nothing beyond 32,767 pixels, and makes tiles at least a pixel large. */
function rewritePattern(node: Element, targets: Targets, scale: number): void {
  const chain = templates(node, targets);
  const valueOf = (name: string): string | undefined =>
    chain.find(({ attributes }) => name in attributes)?.attributes[name];
  const [x = 0, y = 0, width = 0, height = 0] = ['x', 'y', 'width', 'height'].map((name) =>
    Number(/^\s*([+-]?[\d.]+(?:e[+-]?\d+)?)(?:px)?\s*$/i.exec(valueOf(name) ?? '0')?.[1]),
  );
  const [a, b, c, d, e, f] = times(readTransform(valueOf('patternTransform') ?? '') ?? IDENTITY, translation(x, y));
  const determinant = a * d - b * c;
  if (valueOf('patternUnits') !== 'userSpaceOnUse' || !(width * height > 0) || !(Math.abs(determinant) > 0)) return;
  const sides = { width: Math.hypot(a, b) * width * scale, height: Math.hypot(c, d) * height * scale };
  const larger = Object.values(sides).map((side) => (side < 1 ? Math.ceil(MIN_TILE_PX / side) : 1));
  const [across = 1, down = 1] = larger;
  const [right, below] = [(e * d - c * f) / determinant, (a * f - b * e) / determinant];
  const [u, v] = [right - Math.floor(right / width) * width, below - Math.floor(below / height) * height];
  const moved: Matrix = [a * across, b * across, c * down, d * down, a * u + c * v, b * u + d * v];
  Object.assign(node.attributes, { patternTransform: attributeOf(moved), x: '0', y: '0' });
  // Of a tile around the whole drawing, only its beginning is visible.
  for (const [name, side] of Object.entries(sides))
    if (valueOf('viewBox') === undefined && u === 0 && v === 0 && side > MAX_TILE_PX)
      node.attributes[name] = `${((name === 'width' ? width : height) * MAX_THUMBNAIL_PX) / side}`;
}

/** Whether browsers do not draw an element: its mask, clip or filter refers to the box of a shape without width or height, or is empty. */
export function isUndrawn(node: Element, targets: Targets): boolean {
  return ['mask', 'clip-path', 'filter'].some((property) => {
    const target = targets.get(referenceOf(node, property) ?? '');
    if (target === undefined) return false;
    const { attributes, name } = target;
    if (name === 'filter' && ['width', 'height'].some((side) => Number.parseFloat(attributes[side] ?? '1') <= 0))
      return true;
    const isBox = (units: string, initial: string): boolean => (attributes[units] ?? initial) === 'objectBoundingBox';
    const usesBox =
      name === 'clipPath'
        ? isBox('clipPathUnits', '')
        : isBox(`${name}Units`, 'objectBoundingBox') || isBox('maskContentUnits', '');
    return usesBox && isStraight(node);
  });
}

/** Whether an element is, or contains only, one horizontal or vertical line. */
function isStraight({ name, attributes, content }: Element): boolean {
  if (name === 'line')
    return ['x', 'y'].some((axis) => Number(attributes[`${axis}1`] ?? 0) === Number(attributes[`${axis}2`] ?? 0));
  const [only, ...others] = content.filter(isElement);
  if (name === 'g' || name === 'svg') return only !== undefined && others.length === 0 && isStraight(only);
  if (name !== 'path' && name !== 'polyline') return false;
  const data = (name === 'path' ? (attributes['d'] ?? '') : `M${attributes['points'] ?? ''}`).trim();
  if (/^m[^a-z]*(?:h[^a-z]*z?|v[^a-z]*z?)$/i.test(data)) return (data.match(/[\d.]+/g)?.length ?? 0) === 3;
  const [, points = ''] = /^M([^a-z]*(?:L[^a-z]*)?)z?$/.exec(data) ?? [];
  const numbers = points.match(/[+-]?(?:\d*\.)?\d+(?:e[+-]?\d+)?/gi)?.map(Number) ?? [];
  const isSame = (axis: number): boolean => new Set(numbers.filter((_, at) => at % 2 === axis)).size === 1;
  return numbers.length >= 4 && (isSame(0) || isSame(1));
}
