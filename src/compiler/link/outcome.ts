import type { CheckOptions, CheckResult } from '../api.ts';
import { byPlace, diagnosticOf, type Diagnostics } from '../../core/diagnostics/diagnostic.ts';
import { withoutAccepted } from '../../core/theme/without-accepted.ts';
import { keyCount } from '../../core/users/mapping.ts';
import type { Linked } from './link.ts';
import type { LinkedThemes } from '../model.ts';

/** Returns the result of the stages so far, without accepted warnings; once all have run, with entries of `accept` that have no warning. */
export function outcome(
  linked: LinkedThemes & Partial<Pick<Linked, 'users'>>,
  diagnostics: Diagnostics,
  { strict = false }: Pick<CheckOptions, 'strict'> = {},
): CheckResult {
  const { remaining, unused } = withoutAccepted(diagnostics.sorted, linked.sources);
  const reported =
    linked.users !== undefined && !diagnostics.hasErrors
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
