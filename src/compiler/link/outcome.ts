import type { CheckOptions, CheckResult } from '../api.ts';
import { byPlace, diagnosticOf, type Diagnostics } from '../../core/diagnostics/diagnostic.ts';
import { withoutAccepted } from '../../core/theme/without-accepted.ts';
import { keyCount } from '../../core/users/mapping.ts';
import type { Linked } from './link.ts';
import type { LinkedThemes } from '../model.ts';

/**
 * Returns the result of the stages so far, without accepted warnings.
 * @param isComplete - whether all stages have run, so that entries of `accept` without a warning can be reported
 */
export function outcome(
  linked: LinkedThemes & Partial<Pick<Linked, 'users'>>,
  diagnostics: Diagnostics,
  { strict = false, isWhole: isComplete = false }: Pick<CheckOptions, 'strict'> & { isWhole?: boolean },
): CheckResult {
  const { remaining, unused } = withoutAccepted(diagnostics.sorted, linked.sources);
  const reported =
    isComplete && !diagnostics.hasErrors
      ? unused.map(({ location, ...entry }) => diagnosticOf('theme/accept-unused', location, entry))
      : [];
  const sorted = [...remaining, ...reported].toSorted(byPlace);
  return {
    diagnostics: sorted,
    ok: !diagnostics.hasErrors && !(strict && sorted.length > 0),
    themes: linked.themes.length,
    users: linked.users === undefined ? 0 : keyCount(linked.users.compiled),
  };
}
