import type { Report } from '../diagnostics/diagnostic.ts';
import type { OutputFile } from '../document/output-file.ts';
import type { Assignment } from '../mapping/assignments.ts';
import type { EdgeRules } from '../mapping/edge-rules.ts';

/** Writes the files with which one kind of host answers as the contract says. */
export interface EdgeAdapter {
  /** Name of the host, as messages write it. */
  title: string;
  /**
   * The files below `edge/<host>/`. What this host cannot hold or express is reported, never left out silently.
   * @param assignments - users of other than the default theme, sorted by key; keys keep to the canonical alphabet
   */
  files(rules: EdgeRules, assignments: readonly Assignment[], report: Report): OutputFile[];
}
