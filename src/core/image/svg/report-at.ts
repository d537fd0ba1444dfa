import type { Arguments } from '../../diagnostics/catalogue.ts';
import type { Code } from '../../diagnostics/diagnostic.ts';
import type { Problem } from '../css/css.ts';
import type { Range } from './references.ts';

/** Reports a diagnostic at offsets of the text. */
export type ReportAt = <C extends Code>(code: C, range: Range, args: Arguments<C>) => void;

/** Reports the problem of a value; `where` is the attribute or element with the value. */
export function reportProblem({ problem, source }: Problem, where: string, range: Range, report: ReportAt): void {
  if (problem === 'media') report('svg/not-drawn', range, { construct: source, remedy: 'media' });
  else if (problem === 'reference') report('svg/reference', range, { where, why: 'outside', value: source });
  else report('svg/style', range, { where, source });
}
