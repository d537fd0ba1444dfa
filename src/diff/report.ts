import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Breaking, Moves } from './breaking.ts';
import type { Differences } from '../changes/differences.ts';
import type { SiteState } from '../changes/site-state.ts';

/** All that `diff` found, for every form of its report. */
export interface DiffReport extends Differences {
  base: { label: string; commit: string | undefined };
  head: { label: string; commit: string | undefined };
  before: SiteState;
  after: SiteState;
  breaking: readonly Breaking[];
  /** Whether breaking changes are accepted: reported, but no failure. */
  isAccepted: boolean;
  /** Nothing where no users are in the files. */
  moves: Moves | undefined;
  /** Warnings that the base did not have. */
  warnings: readonly Diagnostic[];
  /** How many warnings were there before. */
  oldWarnings: number;
  /** What could not be compared. */
  notes: readonly string[];
}

/** The label on a pull request with which breaking changes pass, as the workflow that `init` writes reads it. */
export const ACCEPTING_LABEL = 'theme-break-accepted';

/** Whether anything changes that anyone sees. */
export function hasChanges({ themes, site, moves }: DiffReport): boolean {
  return themes.length > 0 || site.length > 0 || (moves?.moved ?? 0) + (moves?.added ?? 0) > 0;
}

/** `3 of 12 themes change` */
export function headline(report: DiffReport): string {
  const { changed, after, before, themes } = report;
  const all = Math.max(after.themes.length, before.themes.length);
  if (before.themes.length === 0 && after.themes.length > 0)
    return `${after.themes.length === 1 ? 'The only theme is' : `All ${after.themes.length} themes are`} new`;
  if (themes.length > 0)
    return `${changed.size} of ${all} ${all === 1 ? 'theme' : 'themes'} ${changed.size === 1 ? 'changes' : 'change'}`;
  return hasChanges(report) ? 'No theme changes, but who gets them or how they are served' : 'No theme changes';
}
