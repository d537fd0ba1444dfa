import type { SvgNode } from './references.ts';
import { isViewBox, viewBoxOf } from './dimensions.ts';

type Point = readonly [x: number, y: number];

/** How far over the border of the image a blurred drawing may reach, as a share of its side. */
const SLACK = 0.02;

/**
 * Whether a filter blurs what lies outside of the image: librsvg has only what is inside. That shows where the region of the filter is
 * stated in units of the drawing, as Figma does; programs make it larger than the drawing by some deviations.
 * @param around - the element with the filter and those around it, the outermost last
 */
export function reachesOut(around: readonly SvgNode[], nodes: readonly SvgNode[]): boolean {
  const [element, root] = [around[0], around.at(-1)];
  const id = /#([^"')\s]+)/.exec(element?.values['filter'] ?? '')?.[1];
  const filter = nodes.find((node) => node.id === id && node.values['filterUnits'] === 'userSpaceOnUse');
  const viewBox = root?.values['viewBox'] ?? '';
  if (filter === undefined || !isViewBox(viewBox)) return false;
  const blurs = nodes.filter(
    ({ parent, values }) => parent !== undefined && nodes[parent] === filter && 'stdDeviation' in values,
  );
  if (blurs.length === 0) return false;
  const margin = 2 * Math.max(...blurs.map(({ values }) => Number.parseFloat(values['stdDeviation'] ?? '')));
  const [x = 0, y = 0, width = 0, height = 0] = ['x', 'y', 'width', 'height'].map((side) =>
    Number.parseFloat(filter.values[side] ?? ''),
  );
  const corners: Point[] = [
    [x + margin, y + margin],
    [x + width - margin, y + height - margin],
  ];
  const [[left, top], [right, bottom]] = corners.map((point) => around.reduce(inParent, point)) as [Point, Point];
  const view = viewBoxOf(viewBox);
  const [across, down] = [view.width * SLACK, view.height * SLACK];
  const isOutside = left < view.x - across || top < view.y - down;
  return isOutside || right > view.x + view.width + across || bottom > view.y + view.height + down;
}

/** A point of an element in the coordinates around it; what turns is left out. */
function inParent(point: Point, { values }: SvgNode): Point {
  const calls = [...(values['transform'] ?? '').matchAll(/(\w+)\(([^()]*)\)/g)];
  return calls.reduceRight(([x, y], [, name = '', list = '']): Point => {
    const [a = 0, b, c, d = 0, e = 0, f = 0] = list
      .trim()
      .split(/[\s,]+/)
      .map(Number.parseFloat);
    if (name === 'translate') return [x + a, y + (b ?? 0)];
    if (name === 'scale') return [x * a, y * (b ?? a)];
    return name === 'matrix' ? [x * a + y * (c ?? 0) + e, x * (b ?? 0) + y * d + f] : [x, y];
  }, point);
}
