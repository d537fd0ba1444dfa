import { printedJson } from '../../core/diagnostics/format-json.ts';
import { type Paint, painter } from '../../core/diagnostics/paint.ts';
import { count, visible } from '../../core/diagnostics/quote.ts';
import { writeYaml } from '../../core/source/write-yaml.ts';
import { type CheckResult, passes, type Verification } from './result.ts';

export interface Style {
  colour: boolean;
  strict: boolean;
}

/** What was verified, and against which older service, if any. */
export interface Subject {
  url: string;
  old?: string | undefined;
}

/** Limits the faults per check in the text: a broken host has thousands. */
const MAX_FAULTS = 100;
const NAME_WIDTH = 13;
const DETAIL_WIDTH = 10;
const MAX_NAME_WIDTH = 48;

/** Formats a verification as text, with everything from servers escaped: a line per area with its faults, then the count. */
export function formatVerification(
  { url, old }: Subject,
  result: Verification,
  seconds: number,
  { colour, strict }: Style,
): string {
  const { checks } = result;
  const paint = painter(colour);
  const areas = [...new Set(checks.map(({ id }) => id.split('/')[0] ?? ''))];
  const isFine = passes(result, strict);
  const total = `${isFine ? '✔' : '✘'} ${old === undefined ? countOf(checks, url, seconds, isFine) : differencesOf(checks)}`;
  const lines = [
    ...(old === undefined ? [] : [`OLD ${visible(old)}  NEW ${visible(url)}`]),
    ...areas.flatMap((area) => {
      const inArea = checks.filter(({ id }) => id.startsWith(`${area}/`));
      return areaLines(area, inArea, old !== undefined, paint);
    }),
    ...result.notes.map((note) => `! ${visible(note)}`),
    '',
    paint(isFine ? 'green' : 'red', total),
    ...(old === undefined ? [] : nextStep(checks)),
  ];
  return `${lines.join('\n').trimStart()}\n`;
}

export function formatVerificationJson(subject: Subject, result: Verification, strict: boolean): string {
  const { checks, notes } = result;
  const status = passes(result, strict) ? 'passed' : 'failed';
  return printedJson({ version: 2, status, ...subject, checks, notes });
}

function withStatus(rows: readonly CheckResult[], status: CheckResult['status']): CheckResult[] {
  return rows.filter((row) => row.status === status);
}

function idsOf(rows: readonly CheckResult[]): number {
  return new Set(rows.map(({ id }) => id)).size;
}

function countOf(checks: readonly CheckResult[], url: string, seconds: number, isFine: boolean): string {
  const [failed, tolerated] = [idsOf(withStatus(checks, 'failed')), idsOf(withStatus(checks, 'tolerated'))];
  const [all, time] = [idsOf(checks), `${seconds.toFixed(1)} s`];
  if (failed > 0) return `${failed} of ${count(all, 'check')} failed in ${time}: ${url} does not meet the contract.`;
  if (isFine)
    return `${count(all - tolerated, 'check')} passed${tolerated === 0 ? '' : `, ${tolerated} tolerated,`} in ${time}: ${url} serves this build.`;
  return `${tolerated} of ${count(all, 'check')} tolerated, which --strict rejects unless \`--tolerate ID\` names it, in ${time}: ${url}.`;
}

function timesOf(rows: readonly CheckResult[]): number {
  return rows.reduce((sum, { times = 1 }) => sum + times, 0);
}

function differencesOf(checks: readonly CheckResult[]): string {
  const [differing, accepted] = [timesOf(withStatus(checks, 'failed')), timesOf(withStatus(checks, 'tolerated'))];
  const words = `${differing} ${differing === 1 ? 'differs' : 'differ'}`;
  return accepted === 0 ? words : `${accepted} accepted, ${words}`;
}

/** Prints how to accept the first difference. */
function nextStep(checks: readonly CheckResult[]): string[] {
  const [first] = withStatus(checks, 'failed');
  if (first?.message === undefined) return [];
  if (first.hint !== undefined) return ['', first.hint];
  const entry = writeYaml([['what', visible(first.message)]]).trimEnd();
  return ['', 'Fix it, or add it with a reason to a file for --accept:', `- ${entry}`, '  reason: …'];
}

function areaLines(area: string, rows: readonly CheckResult[], isOld: boolean, paint: Paint): string[] {
  const [failed, labels] = [
    withStatus(rows, 'failed'),
    withStatus(rows, 'passed').map(({ id, label }) => label ?? id.split('/')[1]),
  ];
  const isFine = failed.length === 0;
  const faults = isFine ? [] : [isOld ? differencesOf(rows) : `${idsOf(failed)} of ${idsOf(rows)} failed`];
  const passed = labels.length === 0 ? [] : [`${isFine || isOld ? '' : 'passed: '}${labels.join(', ')}`];
  const entries = rows.filter(({ status }) => status !== 'passed');
  const shown = entries.slice(0, MAX_FAULTS);
  const width = isOld ? Math.min(MAX_NAME_WIDTH, Math.max(0, ...shown.map(({ message = '' }) => message.length))) : 0;
  const more = entries.length - shown.length;
  const summary = visible([...faults, ...passed].join('; '));
  return [
    `${paint(isFine ? 'green' : 'red', isFine ? '✔' : '✘')} ${area.padEnd(NAME_WIDTH)}${summary}`.trimEnd(),
    ...shown.flatMap((entry) => (isOld ? [differenceLine(entry, width, paint)] : faultLines(entry, paint))),
    ...(more > 0 ? [`  ✘ and ${count(more, 'more', 'more')}; \`--format json\` prints all`] : []),
  ];
}

const signOf = ({ status }: CheckResult, paint: Paint): string =>
  status === 'tolerated' ? paint('yellow', '!') : paint('red', '✘');

function differenceLine(row: CheckResult, width: number, paint: Paint): string {
  const { message = '', expected = '', found = '', times = 1, accepted } = row;
  const often = times === 1 ? '' : `  (${times.toLocaleString('en')} times)`;
  const reason = accepted === undefined ? '' : `  (accepted: ${accepted})`;
  return `  ${signOf(row, paint)} ${visible(`${message.padEnd(width)}  ${expected} → ${found}${often}${reason}`)}`;
}

function faultLines(row: CheckResult, paint: Paint): string[] {
  const { id, message = '', url, expected, found, hint } = row;
  const details = Object.entries({ at: url, expected, found });
  return [
    `  ${signOf(row, paint)} ${visible(message)}  ${paint('dim', `[${id}]`)}`,
    ...details.flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [`      ${paint('dim', name.padEnd(DETAIL_WIDTH))}${visible(value)}`],
    ),
    ...(hint === undefined ? [] : [`      = ${visible(hint)}`]),
  ];
}
