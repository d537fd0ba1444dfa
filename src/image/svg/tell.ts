import type { Arguments } from '../../diagnostics/catalogue.ts';
import type { Code } from '../../diagnostics/diagnostic.ts';
import type { Problem } from './css.ts';
import type { Range } from './references.ts';

/** Reports a finding at offsets of the text. */
export type Tell = <C extends Code>(code: C, range: Range, args: Arguments<C>) => void;

/** Reports what is wrong in a value; `where` is the attribute or element that holds it. */
export function tellProblem({ problem, source }: Problem, where: string, range: Range, tell: Tell): void {
  if (problem === 'reference') tell('svg/reference', range, { where, why: 'outside', value: source });
  else if (problem === 'property') tell('svg/property', range, { property: source.replace(/\s*:[^]*$/, '') });
  else tell('svg/style', range, { where, source });
}
