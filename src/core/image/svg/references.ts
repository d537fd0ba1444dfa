import { DEFINITIONS, FILTER_STEPS } from './allowed.ts';
import type { Declaration } from '../css/css.ts';
import { LIMITS } from './limits.ts';

/** A part of the text: offsets, in UTF-16 units. */
export type Range = readonly [start: number, end: number];

/** An element, as far as references are concerned. */
export interface SvgNode {
  name: string;
  id: string | undefined;
  classes: readonly string[];
  parent: number | undefined;
  references: Reference[];
  /** Attributes and properties that thumbnails may lack; `css` contains the properties alone. */
  values: Record<string, string>;
  css: Record<string, string>;
  /** The declarations of its attribute `style`. */
  style: readonly Declaration[];
  /** Number of filter functions that it is drawn with. */
  filterSteps: number;
  /** Its attribute `d` or `points`: markers are drawn at each of its vertices. */
  points: string;
  range: Range;
}

/** `href="#id"` or `url(#id)`. */
export interface Reference {
  name: string;
  id: string;
  range: Range;
}

/** A problem with the references of a file, and its place. */
export type ReferenceProblem = { range: Range } & (
  | { problem: 'cycle'; id: string }
  | { problem: 'depth' | 'drawn' | 'filterSteps' | 'references'; found: number }
);

/** The cost of drawing an element when every reference in it is followed. */
interface Cost {
  drawn: number;
  filterSteps: number;
  depth: number;
  /** Places where a marker would be drawn; 0 if the file has none. */
  vertices: number;
}

interface Edge {
  to: number;
  /** Undefined for a child element. */
  reference: Reference | undefined;
  /** Whether the reference belongs to an element around a definition. */
  isInherited?: boolean;
}

/** The patterns and markers that an element is drawn with, and the inherited ones. */
interface Paints {
  own: readonly Edge[];
  outer: Paints | undefined;
}

/**
 * Follows all references without recursion. The cost of every element is computed once, from the innermost outwards, however many paths lead to it.
 * A few elements that use each other twice would draw more than 10¹² elements.
 * @param nodes - in document order
 * @param targets - index by `id`
 * @returns the first problem; after a cycle, no cost is known
 */
export function followReferences(
  nodes: readonly SvgNode[],
  targets: ReadonlyMap<string, number>,
): ReferenceProblem | undefined {
  const edges = edgesOf(nodes, targets);
  if ('problem' in edges) return edges;
  const costs: (Cost | undefined)[] = nodes.map(() => undefined);
  const hasMarkers = nodes.some(({ name }) => name === 'marker');
  const entered = new Set<number>();
  for (const start of nodes.keys()) {
    const path = costs[start] === undefined ? [{ at: start, next: 0 }] : [];
    entered.add(start);
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const { at } = step;
      const edge = edges[at]?.[step.next++];
      if (edge === undefined) {
        const cost = costOf(nodes, edges, costs, at, hasMarkers);
        const range = nodes[at]?.range ?? [0, 0];
        for (const problem of ['depth', 'filterSteps', 'drawn'] as const)
          if (cost[problem] > LIMITS[problem]) return { problem, found: cost[problem], range };
        costs[at] = cost;
        path.pop();
      } else if (costs[edge.to] === undefined) {
        const { to, reference } = edge;
        // The content of a pattern is not painted with the same pattern again.
        if (entered.has(to) && edge.isInherited === true) continue;
        // A path back to an element in progress always contains a reference. Any of them can be reported; this is the last.
        if (entered.has(to)) return { problem: 'cycle', ...cycleEnd(path, edges, reference) };
        entered.add(to);
        path.push({ at: to, next: 0 });
      }
    }
  }
  return undefined;
}

/** Returns what each element leads to: its children, its references, and the paints that a definition inherits. */
function edgesOf(nodes: readonly SvgNode[], targets: ReadonlyMap<string, number>): Edge[][] | ReferenceProblem {
  const edges = nodes.map((): Edge[] => []);
  const paints: (Paints | undefined)[] = [];
  let inherited = 0;
  for (const [index, { name, parent, references, range }] of nodes.entries()) {
    const list = edges[index] ?? [];
    if (parent !== undefined) edges[parent]?.push({ to: index, reference: undefined });
    for (const reference of references) {
      const to = targets.get(reference.id);
      if (to !== undefined) list.push({ to, reference });
    }
    const outer = parent === undefined ? undefined : paints[parent];
    const ownPaints = list.filter(({ to }) => /^(?:pattern|marker)$/.test(nodes[to]?.name ?? ''));
    paints.push(ownPaints.length > 0 ? { own: ownPaints, outer } : outer);
    // The paints of other elements are counted once, together with their contents. A definition is drawn elsewhere, so its
    // inherited paints are added.
    for (let around = DEFINITIONS.has(name) ? outer : undefined; around !== undefined; around = around.outer) {
      inherited += around.own.length;
      if (inherited > LIMITS.references) return { problem: 'references', found: inherited, range };
      for (const edge of around.own) list.push({ ...edge, isInherited: true });
    }
  }
  return edges;
}

function cycleEnd(
  path: readonly { at: number; next: number }[],
  edges: readonly (readonly Edge[])[],
  last: Reference | undefined,
): { id: string; range: Range } {
  const reference =
    last ??
    path.map(({ at, next }) => edges[at]?.[next - 1]?.reference).findLast((reference) => reference !== undefined);
  return { id: reference?.id ?? '', range: reference?.range ?? [0, 0] };
}

function costOf(
  nodes: readonly SvgNode[],
  edges: readonly (readonly Edge[])[],
  costs: readonly (Cost | undefined)[],
  at: number,
  hasMarkers: boolean,
): Cost {
  const { name: named = '', filterSteps: functions = 0, points = '' } = nodes[at] ?? {};
  const ownCost = { drawn: 1, filterSteps: (FILTER_STEPS.get(named) ?? 0) + functions, depth: 0, vertices: 0 };
  if (hasMarkers) ownCost.vertices = verticesOf(named, points);
  const paint = { drawn: 0, filterSteps: 0, vertices: 0 };
  const marks = { drawn: 0, filterSteps: 0, vertices: 0 };
  for (const { to, reference } of edges[at] ?? []) {
    const cost = costs[to];
    if (cost === undefined) continue;
    ownCost.depth = Math.max(ownCost.depth, cost.depth);
    const name = nodes[to]?.name ?? '';
    if (reference === undefined && DEFINITIONS.has(name)) continue;
    const sum = reference === undefined ? ownCost : name === 'pattern' ? paint : name === 'marker' ? marks : ownCost;
    sum.drawn += cost.drawn;
    sum.filterSteps += cost.filterSteps;
    sum.vertices += cost.vertices;
  }
  // Markers, fill and stroke are inherited: they may be drawn again for every vertex and every element inside. The content of a
  // marker may be filled like its line.
  const drawn = ownCost.drawn + ownCost.vertices * marks.drawn;
  return {
    drawn: drawn * (1 + paint.drawn),
    filterSteps: ownCost.filterSteps + ownCost.vertices * marks.filterSteps + drawn * paint.filterSteps,
    depth: ownCost.depth + 1,
    vertices: ownCost.vertices * (1 + marks.vertices) + drawn * paint.vertices,
  };
}

/** Returns an upper limit of the number of vertices: every command and every number may make one. */
function verticesOf(name: string, points: string): number {
  if (name === 'line') return 2;
  return points.match(/[a-z]|\.?\d+/gi)?.length ?? 0;
}
