import { compact } from '../../core/diagnostics/compact.ts';
import { type Diagnostic, place } from '../../core/diagnostics/diagnostic.ts';
import { count } from '../../core/diagnostics/quote.ts';
import type { Breaking } from './breaking.ts';
import { type Change, type Differences, type Moves, type ThemeChange } from '../changes/differences.ts';
import { audienceText, defaultOf, type SiteState } from '../changes/site-state.ts';
import type { Theme } from '../../core/theme/resolve.ts';

/** The results of `diff`, for every format of its report. */
export interface DiffReport extends Differences {
  /** The names of both sides, such as `main@9f3c1a2` and `the working tree`. */
  base: string;
  head: string;
  before: SiteState;
  after: SiteState;
  breaking: readonly Breaking[];
  /** Whether breaking changes are accepted: reported, but no failure. */
  isAccepted: boolean;
  /** Undefined without users files. */
  moves: Moves | undefined;
  /** Warnings that the base did not have. */
  warnings: readonly Diagnostic[];
  /** Reasons for incomplete comparisons. */
  notes: readonly string[];
}

/** A section of the report: a changed theme, titled by its name, or a list. Other authored text is in `code`, `values` or backticks. */
export interface Section {
  code: string;
  title: string;
  about: string;
  rows: readonly ReportLine[];
  /** Its colour on the page. */
  tone?: 'bad' | 'warn';
  theme?: ThemeChange;
}

export interface ReportLine {
  code: string;
  /** Before and after. */
  values?: readonly [before: string, after: string];
  images?: Change['images'];
  text: string;
}

/** The label of a pull request that accepts breaking changes; the workflow of `init` reads it. */
export const ACCEPTING_LABEL = 'theme-break-accepted';

/** Whether any theme, setting or assignment changes. */
export function hasChanges({ themes, site, moves }: DiffReport): boolean {
  return themes.length > 0 || site.length > 0 || (moves?.moved ?? 0) + (moves?.added ?? 0) > 0;
}

/** Returns errors that prevent publishing but not comparing: users and hostnames of a removed theme. */
export function errorsOf({ after }: Pick<DiffReport, 'after'>): Diagnostic[] {
  return after.diagnostics.filter(({ severity }) => severity === 'error');
}

/** Returns the new theme of most users of a removed theme. */
export function successorOf({ moves, after }: DiffReport, { kind, before, audience }: ThemeChange): Theme | undefined {
  if (kind !== 'removed' || audienceText(audience) === '') return undefined;
  const slug = moves?.flows.find(({ from }) => from === before?.slug)?.to;
  return after.themes.find((theme) => theme.slug === slug) ?? defaultOf(after);
}

export function isEmpty(report: DiffReport): boolean {
  const { breaking, warnings } = report;
  return !hasChanges(report) && breaking.length + warnings.length + errorsOf(report).length === 0;
}

/** Returns `1 new, 1 removed, 1 renamed, 3 changed; 187 users see another theme`. */
export function headline({ themes, moves, site, before }: DiffReport): string {
  if (before.themes.length === 0 && themes.length > 0) return count(themes.length, 'new theme');
  const heirs = new Set(themes.flatMap(({ changes }) => changes.flatMap((change) => change.heirs)));
  for (const { after } of themes) heirs.delete(after?.slug ?? '');
  const parts = (['new', 'removed', 'renamed', 'changed'] as const).flatMap((kind) => {
    const number = themes.filter((theme) => theme.kind === kind).length + (kind === 'changed' ? heirs.size : 0);
    return number === 0 ? [] : [`${number} ${kind}`];
  });
  const sum = (of: 'users' | 'groups'): number => (moves?.flows ?? []).reduce((all, flow) => all + flow[of], 0);
  const moved = audienceText({ users: sum('users'), groups: sum('groups') });
  return joinParts([
    parts.length === 0 ? 'No theme changes' : parts.join(', '),
    moved !== '' && `${moved} ${moves?.moved === 1 ? 'sees' : 'see'} another theme`,
    parts.length === 0 &&
      site.length > 0 &&
      `${count(site.length, 'setting')} of the site ${site.length === 1 ? 'does' : 'do'}`,
  ]);
}

/** Warnings about a logo that is hardly or not visible in any mode. */
const INVISIBLE: ReadonlySet<string> = new Set(['image/faint', 'image/blank']);

/** Returns the parts of the report, the most important first. */
export function sectionsOf(report: DiffReport): Section[] {
  const { breaking, isAccepted, warnings, themes, site, moves } = report;
  const invisible = warnings.filter(({ code }) => INVISIBLE.has(code));
  const otherWarnings = warnings.filter(({ code }) => !INVISIBLE.has(code));
  const broken = breaking.map(({ what, reason, remedy }) => ({ code: what, text: `${reason} ${remedy}` }));
  const settings = site.map(({ what, before, after }) => ({ code: what, values: [before, after] as const, text: '' }));
  const flows = (moves?.flows ?? []).map((flow): ReportLine => {
    return { code: audienceText(flow), values: [flow.from, flow.to], text: '' };
  });
  const changes = count(breaking.length, 'breaking change');
  const [verdict, about] = isAccepted
    ? [`✔ ${changes}`, 'accepted']
    : [
        `✘ ${changes}`,
        `if intended, give the pull request the label \`${ACCEPTING_LABEL}\`, or pass \`--fail-on never\``,
      ];
  const lists: Section[] = [
    section('⚠ Invisible now', diagnosticRows(invisible), 'warn'),
    section('✘ The themes cannot be published', diagnosticRows(errorsOf(report)), 'bad'),
    { ...section(verdict, broken, isAccepted ? 'warn' : 'bad'), about },
    section('Who sees another theme', flows),
    section('New warnings', diagnosticRows(otherWarnings)),
    ...themes.map((theme) => ({
      code: (theme.after ?? theme.before)?.slug ?? '',
      title: (theme.after ?? theme.before)?.name ?? '',
      about: aboutTheme(theme),
      rows: rowsOf(theme),
      theme,
    })),
    section('Settings of the site', settings),
  ];
  return lists.filter(({ theme, rows }) => theme !== undefined || rows.length > 0);
}

function section(title: string, rows: readonly ReportLine[], tone?: Section['tone']): Section {
  return { code: '', title, about: '', rows, ...(tone && { tone }) };
}

function diagnosticRows(diagnostics: readonly Diagnostic[]): ReportLine[] {
  return diagnostics.map(({ location, message, hint, severity }) => {
    return { code: place(location), text: severity === 'error' ? `${message} ${hint ?? ''}` : message };
  });
}

/** Joins the present parts: `the default; 192 users`. */
export function joinParts(parts: readonly (string | false | undefined)[], by = '; '): string {
  return compact(parts)
    .filter((part) => part !== '')
    .join(by);
}

/** Returns `new, id 9; the default; 192 users`. */
function aboutTheme({ kind, before, after, audience }: ThemeChange): string {
  return joinParts([
    kind === 'renamed' && `renamed from ${before?.slug}`,
    (kind === 'new' || kind === 'removed') && `${kind}, id ${(after ?? before)?.id}`,
    audience.isDefault && 'the default',
    audienceText(audience),
  ]);
}

function rowsOf({ changes }: ThemeChange): ReportLine[] {
  return changes.map(({ what, before, after, images, remark, heirs }) => ({
    code: what,
    values: [before, after],
    images,
    text: joinParts([
      remark,
      heirs.length > 0 && `also in ${count(heirs.length, 'theme that extends it', 'themes that extend it')}`,
    ]),
  }));
}

/** Summarises how many users get another theme, and lists the notes. */
export function usersAndNotes({ moves, notes }: DiffReport): string[] {
  if (moves === undefined) return ['Users were not compared: the base has no users files.', ...notes];
  const all = count(moves.users, 'user or group', 'users and groups');
  const none = moves.users === 0 ? 'No user or group' : `None of ${all}`;
  const moved = moves.moved === 0 ? `${none} gets` : `${moves.moved} of ${all} get`;
  const added = moves.added === 0 ? 'none is' : moves.added === 1 ? '1 is' : `${moves.added} are`;
  return [`${moved} a different theme; ${added} assigned one for the first time.`, ...notes];
}
