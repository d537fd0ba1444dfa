import { DEFINITIONS, FILTER_STEPS } from './allowed.ts';
import { LIMITS } from './limits.ts';

/** A part of the text: offsets, in UTF-16 units. */
export type Range = readonly [start: number, end: number];

/** An element as far as references go. */
export interface SvgNode {
  name: string;
  id: string | undefined;
  classes: readonly string[];
  /** Index of the element that it stands in. */
  parent: number | undefined;
  references: Reference[];
  range: Range;
}

/** `href="#id"` or `url(#id)`. */
export interface Reference {
  /** The attribute or property that holds it. */
  name: string;
  id: string;
  range: Range;
}

/** Something wrong with the references of a file, and where. */
export type ReferenceProblem = { range: Range } & (
  | { problem: 'cycle'; id: string }
  | { problem: 'depth' | 'drawn' | 'filterSteps'; found: number }
);

/** What an element comes to when every reference in it is followed. */
interface Cost {
  drawn: number;
  filterSteps: number;
  depth: number;
}

interface Edge {
  to: number;
  /** Nothing for a child. */
  reference: Reference | undefined;
}

/**
 * Follows all references, without recursion: every element is worked out once, from the innermost outwards, whatever the
 * number of ways that lead to it (a few elements that use each other twice come to more than 10¹² drawn ones).
 * @param nodes - in the order of the document
 * @param targets - index by `id`
 * @returns the first problem; after a cycle, nothing can be counted
 */
export function followReferences(
  nodes: readonly SvgNode[],
  targets: ReadonlyMap<string, number>,
): ReferenceProblem | undefined {
  const edges = nodes.map((): Edge[] => []);
  for (const [index, { parent, references }] of nodes.entries()) {
    if (parent !== undefined) edges[parent]?.push({ to: index, reference: undefined });
    for (const reference of references) {
      const to = targets.get(reference.id);
      if (to !== undefined) edges[index]?.push({ to, reference });
    }
  }
  const costs: (Cost | undefined)[] = nodes.map(() => undefined);
  const entered = new Set<number>();
  for (const start of nodes.keys()) {
    const path = costs[start] === undefined ? [{ at: start, next: 0 }] : [];
    entered.add(start);
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const { at } = step;
      const edge = edges[at]?.[step.next++];
      if (edge === undefined) {
        const cost = costOf(nodes, edges, costs, at);
        const range = nodes[at]?.range ?? [0, 0];
        for (const problem of ['depth', 'filterSteps', 'drawn'] as const)
          if (cost[problem] > LIMITS[problem]) return { problem, found: cost[problem], range };
        costs[at] = cost;
        path.pop();
      } else if (costs[edge.to] === undefined) {
        const { to, reference } = edge;
        // A way back to an element that is being worked out always goes through a reference; the last one is as good as any.
        if (entered.has(to)) return { problem: 'cycle', ...cycleEnd(path, edges, reference) };
        entered.add(to);
        path.push({ at: to, next: 0 });
      }
    }
  }
  return undefined;
}

/** The reference that closes a cycle. */
function cycleEnd(
  path: readonly { at: number; next: number }[],
  edges: readonly (readonly Edge[])[],
  last: Reference | undefined,
): { id: string; range: Range } {
  const reference =
    last ?? path.map(({ at, next }) => edges[at]?.[next - 1]?.reference).findLast((one) => one !== undefined);
  return { id: reference?.id ?? '', range: reference?.range ?? [0, 0] };
}

function costOf(
  nodes: readonly SvgNode[],
  edges: readonly (readonly Edge[])[],
  costs: readonly (Cost | undefined)[],
  at: number,
): Cost {
  const own = { drawn: 1, filterSteps: FILTER_STEPS.get(nodes[at]?.name ?? '') ?? 0, depth: 0 };
  const paint = { drawn: 0, filterSteps: 0 };
  for (const { to, reference } of edges[at] ?? []) {
    const cost = costs[to];
    if (cost === undefined) continue;
    own.depth = Math.max(own.depth, cost.depth);
    const name = nodes[to]?.name ?? '';
    if (reference === undefined && DEFINITIONS.has(name)) continue;
    const sum = reference !== undefined && name === 'pattern' ? paint : own;
    sum.drawn += cost.drawn;
    sum.filterSteps += cost.filterSteps;
  }
  // Fill and stroke are inherited: a pattern may be drawn again for everything inside.
  return {
    drawn: own.drawn * (1 + paint.drawn),
    filterSteps: own.filterSteps + own.drawn * paint.filterSteps,
    depth: own.depth + 1,
  };
}
