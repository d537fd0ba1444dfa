import { LIMITS } from './limits.ts';
import { followReferences, type Reference, type SvgNode } from './references.ts';
import type { Effects } from './css.ts';
import type { StyleRules } from './style-sheet.ts';
import type { ReportAt } from './report-at.ts';

/** Checks what only shows when the whole file is known: references without target, cycles, and what the image costs to draw. */
export function checkReferences(nodes: readonly SvgNode[], rules: StyleRules, report: ReportAt): void {
  const targets = new Map<string, number>();
  for (const [index, { id }] of nodes.entries()) {
    // Of several, browsers and librsvg both take the first.
    if (id !== undefined && !targets.has(id)) targets.set(id, index);
  }
  const reported = new Set<string>();
  let references = 0;
  for (const node of nodes) {
    const ruled = new Map<string, Reference>();
    references += node.references.length;
    for (const effects of styleEffects(node, rules)) {
      node.filterSteps += effects.filterSteps;
      for (const { property, value } of effects.notable) node.css[property] = value;
      for (const { property, id } of effects.references) {
        ruled.set(`${property} ${id}`, { name: property, id, range: node.range });
        if (++references > LIMITS.references) break;
      }
      if (references > LIMITS.references || node.filterSteps > LIMITS.filterSteps) break;
    }
    if (references > LIMITS.references) {
      report('svg/limit', node.range, { what: 'references', found: references, limit: LIMITS.references });
      return;
    }
    for (const reference of ruled.values()) node.references.push(reference);
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
    const { problem: what, found, range } = problem;
    report('svg/limit', range, { what, found, limit: LIMITS[what] });
  }
}

/** What the style sheets mean for an element. */
function* styleEffects({ name, id, classes, parent }: SvgNode, rules: StyleRules): Generator<Effects> {
  const selectors = ['*', name, ...classes.map((one) => `.${one}`), `#${id ?? ''}`];
  if (parent === undefined) selectors.push(':root');
  for (const selector of selectors) yield* rules.get(selector) ?? [];
}
