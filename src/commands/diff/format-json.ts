import { printedJson } from '../../core/diagnostics/format-json.ts';
import { type DiffReport, errorsOf, hasChanges } from './report.ts';

export function formatJson(report: DiffReport): string {
  const { base, head, breaking, isAccepted, after, changed, themes, site, moves, warnings, notes } = report;
  return printedJson({
    version: 1,
    base: base.label,
    base_commit: base.commit,
    head_commit: head.commit,
    changes: hasChanges(report),
    themes: after.themes.length,
    themes_changed: changed.size,
    breaking,
    breaking_accepted: isAccepted && breaking.length > 0,
    changed: themes.map(({ kind, before, after: now, changes, audience: { isDefault, ...audience } }) => ({
      theme: (now ?? before)?.slug,
      id: (now ?? before)?.id,
      kind,
      renamed_from: kind === 'renamed' ? before?.slug : undefined,
      is_default: isDefault,
      ...audience,
      changes: changes.map(({ what, before: old, after: value, remark, heirs }) => {
        return { what, before: old, after: value, remark, also_in: heirs };
      }),
    })),
    site,
    users: moves ?? null,
    new_warnings: warnings,
    errors: errorsOf(report),
    notes,
  });
}
