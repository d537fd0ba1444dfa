import { isViewBox, viewBoxOf } from './dimensions.ts';
import { IDENTITY, type Point, pointIn, readTransform } from './matrix.ts';
import type { SvgNode } from './references.ts';

/** Two corners of the blurred region of a filter. */
type Region = readonly [Point, Point];

/** How far a blurred drawing may extend beyond the border of the image, as a share of its side. */
const MAX_OVERHANG_SHARE = 0.02;

/** Returns the blurred regions of filters by their `id`, if they are stated in units of the drawing, as Figma does. */
export function blurredRegions(nodes: readonly SvgNode[]): ReadonlyMap<string, Region> {
  const regions = new Map<string, Region>();
  for (const { parent, values: blur } of nodes) {
    const filter = nodes[parent ?? 0];
    if (blur['stdDeviation'] === undefined || filter?.values['filterUnits'] !== 'userSpaceOnUse') continue;
    const { id = '', values } = filter;
    const number = (name: string): number => Number.parseFloat(values[name] ?? '');
    const margin = 2 * Number.parseFloat(blur['stdDeviation']);
    const [left, top] = [number('x') + margin, number('y') + margin];
    regions.set(id, [
      [left, top],
      [left + number('width') - 2 * margin, top + number('height') - 2 * margin],
    ]);
  }
  return regions;
}

/**
 * Whether a filter blurs content outside the image, which librsvg does not have.
 * @param around - the element with the filter and its ancestors, the outermost last
 */
export function reachesOut(around: readonly SvgNode[], regions: ReadonlyMap<string, Region>): boolean {
  const region = regions.get(/#([^"')\s]+)/.exec(around[0]?.values['filter'] ?? '')?.[1] ?? '');
  const viewBox = around.at(-1)?.values['viewBox'] ?? '';
  if (region === undefined || !isViewBox(viewBox)) return false;
  const [start, end] = region.map((point) =>
    around.reduce((inside, { values }) => pointIn(readTransform(values['transform'] ?? '') ?? IDENTITY, inside), point),
  ) as [Point, Point];
  const { x, y, width, height } = viewBoxOf(viewBox);
  const [across, down] = [width * MAX_OVERHANG_SHARE, height * MAX_OVERHANG_SHARE];
  const isBefore = start[0] < x - across || start[1] < y - down;
  return isBefore || end[0] > x + width + across || end[1] > y + height + down;
}
