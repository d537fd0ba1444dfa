import { printedJson } from '../diagnostics/format-json.ts';
import { type DiffReport, hasChanges, slugOf } from './report.ts';

/** The report for programs. */
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
    changed: themes.map((theme) => ({
      theme: slugOf(theme),
      id: (theme.after ?? theme.before)?.id,
      kind: theme.kind,
      renamed_from: theme.kind === 'renamed' ? theme.before?.slug : undefined,
      is_default: theme.audience.isDefault,
      users: theme.audience.users,
      groups: theme.audience.groups,
      hostnames: theme.audience.hostnames,
      changes: theme.changes.map(({ what, before, after: now, remark, isReencoded, heirs }) => ({
        what,
        before,
        after: now,
        remark,
        reencoded_only: isReencoded,
        also_in: heirs,
      })),
    })),
    site,
    users: moves ?? null,
    new_warnings: warnings,
    notes,
  });
}
