import { LIMITS } from './limits.ts';
import { followReferences, type Reference, type SvgNode } from './references.ts';
import type { Effects } from './css.ts';
import type { StyleRules } from './style-sheet.ts';
import type { ReportAt } from './report-at.ts';

/** Checks everything that needs the whole file: references without target, cycles, and the cost of drawing the image. */
export function checkReferences(nodes: readonly SvgNode[], rules: StyleRules, report: ReportAt): void {
  const targets = new Map<string, number>();
  for (const [index, { id }] of nodes.entries()) {
    // Of duplicate ids, browsers and librsvg both use the first.
    if (id !== undefined && !targets.has(id)) targets.set(id, index);
  }
  const reported = new Set<string>();
  let references = 0;
  for (const node of nodes) {
    const ruleReferences = new Map<string, Reference>();
    references += node.references.length;
    for (const effects of styleEffects(node, rules)) {
      node.filterSteps += effects.filterSteps;
      for (const { property, value } of effects.notable) node.css[property] = value;
      for (const { property, id } of effects.references) {
        ruleReferences.set(`${property} ${id}`, { name: property, id, range: node.range });
        if (++references > LIMITS.references) break;
      }
      if (references > LIMITS.references || node.filterSteps > LIMITS.filterSteps) break;
    }
    if (references > LIMITS.references) {
      report('svg/limit', node.range, { what: 'references', found: references, limit: LIMITS.references });
      return;
    }
    for (const reference of ruleReferences.values()) node.references.push(reference);
    Object.assign(node.css, node.style);
    Object.assign(node.values, node.css);
    for (const { name, id, range } of node.references) {
      if (reported.has(id)) continue;
      reported.add(id);
      if (!targets.has(id)) report('svg/missing-target', range, { where: name, id });
    }
  }
  const problem = followReferences(nodes, targets);
  if (problem === undefined) return;
  if (problem.problem === 'cycle')
    report('svg/reference', problem.range, { where: 'id', why: 'cycle', value: problem.id });
  else {
    const { problem: limitName, found, range } = problem;
    report('svg/limit', range, { what: limitName, found, limit: LIMITS[limitName] });
  }
}

/** Yields the effects of the style sheets on an element. */
function* styleEffects({ name, id, classes, parent }: SvgNode, rules: StyleRules): Generator<Effects> {
  const selectors = ['*', name, ...classes.map((name) => `.${name}`), `#${id ?? ''}`];
  if (parent === undefined) selectors.push(':root');
  for (const selector of selectors) yield* rules.get(selector) ?? [];
}
