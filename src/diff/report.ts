import { compact } from '../diagnostics/compact.ts';
import { type Diagnostic, place } from '../diagnostics/diagnostic.ts';
import { count } from '../diagnostics/quote.ts';
import type { Breaking, Moves } from './breaking.ts';
import type { Change, Differences, ThemeChange } from '../changes/differences.ts';
import { audienceText, type SiteState } from '../changes/site-state.ts';

/** All that `diff` found, for every form of its report. */
export interface DiffReport extends Differences {
  base: Side;
  head: Side;
  before: SiteState;
  after: SiteState;
  breaking: readonly Breaking[];
  /** Whether breaking changes are accepted: reported, but no failure. */
  isAccepted: boolean;
  /** Nothing where no users are in the files. */
  moves: Moves | undefined;
  /** Warnings that the base did not have. */
  warnings: readonly Diagnostic[];
  /** What could not be compared. */
  notes: readonly string[];
}

interface Side {
  label: string;
  commit: string | undefined;
}

/** A part of the report: a theme that changes, with its name as title, or a list. Other authored text is in `code`, `values` or backticks. */
export interface Section {
  code: string;
  title: string;
  about: string;
  rows: readonly Row[];
  theme?: ThemeChange;
}

export interface Row {
  code: string;
  /** Before and after. */
  values?: readonly [before: string, after: string];
  images?: Change['images'];
  text: string;
}

/** The label on a pull request with which breaking changes pass, as the workflow that `init` writes reads it. */
export const ACCEPTING_LABEL = 'theme-break-accepted';

/** Whether anything changes that anyone sees. */
export function hasChanges({ themes, site, moves }: DiffReport): boolean {
  return themes.length > 0 || site.length > 0 || (moves?.moved ?? 0) + (moves?.added ?? 0) > 0;
}

/** Whether there is nothing to say. */
export function isEmpty(report: DiffReport): boolean {
  return !hasChanges(report) && report.breaking.length === 0 && report.warnings.length === 0;
}

/** `3 of 12 themes change` */
export function headline(report: DiffReport): string {
  const { changed, after, before, themes } = report;
  const all = Math.max(after.themes.length, before.themes.length);
  if (themes.length > 0)
    return `${changed.size} of ${all} ${all === 1 ? 'theme' : 'themes'} ${changed.size === 1 ? 'changes' : 'change'}`;
  return hasChanges(report) ? 'No theme changes, but who gets them or how they are served' : 'No theme changes';
}

/** What is reported, the most important first. */
export function sectionsOf({ breaking, isAccepted, warnings, themes, site }: DiffReport): Section[] {
  const broken = breaking.map(({ what, reason, remedy }) => ({ code: what, text: `${reason} ${remedy}` }));
  const warned = warnings.map(({ location, message }) => ({ code: place(location), text: message }));
  const settings = site.map(({ what, before, after }) => ({ code: what, values: [before, after] as const, text: '' }));
  const changes = count(breaking.length, 'breaking change');
  const [verdict, about] = isAccepted
    ? [`✔ ${changes}`, 'accepted']
    : [
        `✘ ${changes}`,
        `if wanted, give the pull request the label \`${ACCEPTING_LABEL}\`, or pass \`--fail-on never\``,
      ];
  const lists = [
    { code: '', title: verdict, about, rows: broken },
    { code: '', title: 'New warnings', about: '', rows: warned },
    ...themes.map((theme) => ({
      code: (theme.after ?? theme.before)?.slug ?? '',
      title: (theme.after ?? theme.before)?.name ?? '',
      about: aboutTheme(theme),
      rows: rowsOf(theme),
      theme,
    })),
    { code: '', title: 'Settings of the site', about: '', rows: settings },
  ];
  return lists.filter((section) => 'theme' in section || section.rows.length > 0);
}

/** The parts that there are: `the default; 192 users`. */
export function joined(parts: readonly (string | false | undefined)[], by = '; '): string {
  return compact(parts)
    .filter((part) => part !== '')
    .join(by);
}

/** `new, id 9; the default; 192 users` */
function aboutTheme({ kind, before, after, audience }: ThemeChange): string {
  return joined([
    kind === 'renamed' && `renamed from ${before?.slug}`,
    (kind === 'new' || kind === 'removed') && `${kind}, id ${(after ?? before)?.id}`,
    audience.isDefault && 'the default',
    audienceText(audience),
  ]);
}

function rowsOf({ changes }: ThemeChange): Row[] {
  return changes.map(({ what, before, after, images, remark, heirs }) => ({
    code: what,
    values: [before, after],
    images,
    text: joined([
      remark,
      heirs.length > 0 && `also in ${count(heirs.length, 'theme that extends it', 'themes that extend it')}`,
    ]),
  }));
}

/** How many users move, as far as their files are in Git; and what could not be compared. */
export function usersAndNotes({ moves, notes }: DiffReport): string[] {
  const users =
    moves === undefined
      ? 'Users are not known: no file of the base names any.'
      : `Users and groups that get another theme: ${moves.moved} of ${moves.users}; one for the first time: ${moves.added}.`;
  return [users, ...notes];
}
