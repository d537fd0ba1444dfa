import type { Declaration } from './css.ts';
import { LIMITS } from '../svg/limits.ts';
import { matching, type Matchable } from './selectors.ts';
import type { Rule } from './style-sheet.ts';

/**
 * Returns the rules that match each element, by their order in the cascade (CSS Cascade 4, §6).
 * @param nodes - in document order
 * @returns nothing if it would take too many steps
 */
export function matchedRules(
  nodes: readonly Omit<Matchable, 'previous'>[],
  rules: readonly Rule[],
): Rule[][] | undefined {
  const matched = nodes.map((): Rule[] => []);
  const last = new Map<number | undefined, number>();
  const siblings = nodes.map((node, index) => {
    const { name, id, classes, parent } = node;
    const previous = last.get(parent);
    last.set(parent, index);
    return { name, id, classes, parent, previous };
  });
  let steps = 0;
  for (const rule of rules.toSorted((a, b) => a.selector.specificity - b.selector.specificity)) {
    if (rule.declarations.length === 0) continue;
    steps += nodes.length * rule.selector.steps.length;
    const indices = steps > LIMITS.rules ? [] : matching(rule.selector, siblings);
    steps += indices.length * rule.declarations.length;
    if (steps > LIMITS.rules) return undefined;
    for (const index of indices) matched[index]?.push(rule);
  }
  return matched;
}

/** Returns the declarations that apply to an element in a still image in light mode; the last of a property wins. */
export function appliedDeclarations(rules: readonly Rule[], style: readonly Declaration[]): Declaration[] {
  const all = [...rules.filter(({ isDrawn }) => isDrawn).flatMap(({ declarations }) => declarations), ...style];
  return all.toSorted((a, b) => Number(a.isImportant) - Number(b.isImportant));
}
