import { appliedDeclarations, matchedRules } from './cascade.ts';
import { LIMITS } from '../svg/limits.ts';
import { isNotable } from '../svg/not-drawn.ts';
import { followReferences, type Reference, type SvgNode } from '../svg/references.ts';
import type { Rule } from './style-sheet.ts';
import type { ReportAt } from '../svg/report-at.ts';

/** Checks everything that needs the whole file: references without target, cycles, and the cost of drawing the image. */
export function checkReferences(nodes: readonly SvgNode[], rules: readonly Rule[], report: ReportAt): void {
  const matched = matchedRules(nodes, rules);
  if (matched === undefined) {
    report('svg/limit', [0, 0], { what: 'rules', limit: LIMITS.rules });
    return;
  }
  const targets = new Map<string, number>();
  for (const [index, { id }] of nodes.entries()) {
    // Of duplicate ids, browsers and librsvg both use the first.
    if (id !== undefined && !targets.has(id)) targets.set(id, index);
  }
  const reported = new Set<string>();
  let references = 0;
  for (const [index, node] of nodes.entries()) {
    const ruleReferences = new Map<string, Reference>();
    references += node.references.length;
    for (const { effects } of matched[index] ?? []) {
      node.filterSteps += effects.filterSteps;
      for (const { property, id } of effects.references) {
        ruleReferences.set(`${property} ${id}`, { name: property, id, range: node.range });
        if (++references > LIMITS.references) break;
      }
      if (references > LIMITS.references || node.filterSteps > LIMITS.filterSteps) break;
    }
    if (references > LIMITS.references) {
      report('svg/limit', node.range, { what: 'references', limit: LIMITS.references });
      return;
    }
    for (const reference of ruleReferences.values()) node.references.push(reference);
    for (const { property, value } of appliedDeclarations(matched[index] ?? [], node.style))
      if (isNotable(property, value)) node.css[property] = value;
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
    const { problem: limitName, range } = problem;
    report('svg/limit', range, { what: limitName, limit: LIMITS[limitName] });
  }
}
