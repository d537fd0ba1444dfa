import { count, printable, visible } from '../diagnostics/quote.ts';
import { place } from '../diagnostics/diagnostic.ts';
import { compact } from '../diagnostics/compact.ts';
import { audienceText } from '../changes/site-state.ts';
import type { Change, ThemeChange } from '../changes/differences.ts';
import { ACCEPTING_LABEL, type DiffReport, hasChanges, headline } from './report.ts';

/** Changes shown of a theme, and other rows of a kind. */
const MAX_ROWS = 20;

/** The report for a terminal: the verdict first, what breaks, then only what changes. */
export function formatText(report: DiffReport): string {
  const { base, head, breaking, isAccepted, themes, site, warnings, notes } = report;
  const sides = `${visible(base.label)} → ${visible(head.label)}`;
  if (!hasChanges(report) && breaking.length === 0 && warnings.length === 0) return `No theme changes   ${sides}\n`;
  const rows: [what: string, lines: string[]][] = [
    ...breaking.map(({ what, reason, remedy }): [string, string[]] => [
      `! ${printable(what)}`,
      [reason, `= ${remedy}`],
    ]),
    ...themes.map((theme): [string, string[]] => [`  ${slugOf(theme)}`, themeLines(theme)]),
    ...site.map(({ what, before, after }): [string, string[]] => [
      '  site.yaml',
      [`${what}  ${printable(before)} → ${printable(after)}`],
    ]),
    ['  users', [usersText(report)]],
  ];
  const width = Math.min(20, Math.max(...rows.map(([what]) => what.length)));
  const body = rows.map(([what, lines]) =>
    lines.map((line, at) => `${(at === 0 ? what : '').padEnd(width)}  ${line}`.trimEnd()).join('\n'),
  );
  return [
    `${headline(report)}   ${sides}`,
    '',
    ...body,
    ...section(
      'New warnings',
      warnings.slice(0, MAX_ROWS).map((one) => `  ${place(one.location)}  ${one.message}`),
    ),
    ...section(
      'Notes',
      notes.map((note) => `  ${note}`),
    ),
    '',
    ...(breaking.length === 0 ? [] : [verdict(breaking.length, isAccepted)]),
    '',
  ]
    .join('\n')
    .replace(/\n{2,}$/, '\n');
}

export function verdict(breaking: number, isAccepted: boolean): string {
  const changes = count(breaking, 'breaking change');
  return isAccepted
    ? `✔ ${changes}, accepted.`
    : `✘ ${changes}. If ${breaking === 1 ? 'it is' : 'they are'} wanted, give the pull request the label \`${ACCEPTING_LABEL}\`, or pass \`--fail-on never\`.`;
}

export function slugOf({ after, before }: ThemeChange): string {
  return (after ?? before)?.slug ?? '';
}

function themeLines(theme: ThemeChange): string[] {
  const { changes } = theme;
  const width = Math.min(24, Math.max(0, ...changes.map(({ what }) => what.length)));
  const more = changes.length - MAX_ROWS;
  return compact([
    ...kindLine(theme),
    ...changes
      .slice(0, MAX_ROWS)
      .flatMap((change) => [
        `${change.what.padEnd(width)}  ${changeText(change)}`,
        ...change.notices.map((notice) => `! ${notice}`),
      ]),
    more > 0 && `and ${count(more, 'more change')}`,
    audienceLine(theme),
  ]);
}

export function kindLine({ kind, before, after }: ThemeChange): string[] {
  const theme = after ?? before;
  if (kind === 'changed' || theme === undefined) return [];
  if (kind === 'renamed') return [`renamed from ${before?.slug}`];
  return [`${kind}: ${printable(theme.name)}, id ${theme.id}`];
}

/** `logo.svg 245 B → logo.svg 1.1 kB, looks different; also in 3 themes that extend it` */
export function changeText({ before, after, remark, heirs }: Change): string {
  return [
    `${printable(before)} → ${printable(after)}`,
    ...(remark === undefined ? [] : [`, ${remark}`]),
    ...(heirs.length === 0
      ? []
      : [`; also in ${count(heirs.length, 'theme that extends it', 'themes that extend it')}`]),
  ].join('');
}

/** Who has the theme: `the default; 192 users`. */
export function audienceLine({ audience }: ThemeChange): string | undefined {
  const assigned = audienceText(audience);
  const parts = compact([audience.isDefault && 'the default', assigned !== '' && assigned]);
  return parts.length === 0 ? undefined : parts.join('; ');
}

/** How many users move, as far as their files are in Git. */
export function usersText({ moves, before, after }: DiffReport): string {
  if (moves === undefined)
    return before.themes.length === 0
      ? 'No user had a theme.'
      : 'Users are not known: no file of this folder names them.';
  const { users, moved, added } = moves;
  const hasGroups = [before, after].some(({ counts }) => Object.values(counts).some(({ group }) => group > 0));
  const [one, many] = hasGroups ? ['user or group', 'users and groups'] : ['user', 'users'];
  const moving =
    moved === 0
      ? `No ${one} gets another theme`
      : `${moved} of ${count(users, one, many)} ${moved === 1 ? 'gets' : 'get'} another theme`;
  return `${moving}${added === 0 ? '' : `; ${count(added, one, many)} ${added === 1 ? 'has' : 'have'} one for the first time`}.`;
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines];
}
