import type { Element } from './drawing.ts';
import { attributeOf, IDENTITY, readTransform, times, translation } from './matrix.ts';

/** The elements by their `id`; of duplicates, the first. */
export type Targets = ReadonlyMap<string, Element>;

export function targetsOf(nodes: readonly Element[]): Targets {
  return new Map(nodes.toReversed().flatMap((node) => (node.id === undefined ? [] : [[node.id, node]])));
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

/** Moves a pattern by whole tiles near its origin, since cairo draws nothing beyond 32,767 pixels. */
export function rewritePattern(node: Element, targets: Targets): void {
  const chain = templates(node, targets);
  const valueOf = (name: string): string | undefined =>
    chain.find(({ attributes }) => name in attributes)?.attributes[name];
  const [x = 0, y = 0, width = 0, height = 0] = ['x', 'y', 'width', 'height'].map((name) =>
    Number(/^\s*([+-]?[\d.]+(?:e[+-]?\d+)?)(?:px)?\s*$/i.exec(valueOf(name) ?? '0')?.[1]),
  );
  const [a, b, c, d, e, f] = times(readTransform(valueOf('patternTransform') ?? '') ?? IDENTITY, translation(x, y));
  const determinant = a * d - b * c;
  if (valueOf('patternUnits') !== 'userSpaceOnUse' || !(width * height > 0) || !(Math.abs(determinant) > 0)) return;
  const [right, below] = [(e * d - c * f) / determinant, (a * f - b * e) / determinant];
  const [u, v] = [right - Math.floor(right / width) * width, below - Math.floor(below / height) * height];
  const patternTransform = attributeOf([a, b, c, d, a * u + c * v, b * u + d * v]);
  Object.assign(node.attributes, { patternTransform, x: '0', y: '0' });
}
