import { printedJson } from '../diagnostics/format-json.ts';
import { type Paint, painter } from '../diagnostics/paint.ts';
import { count, visible } from '../diagnostics/quote.ts';
import { holds, type Row } from './result.ts';
import type { Verification } from './verification.ts';

/** Width of the column of areas. */
const TITLE_WIDTH = 13;

export interface VerificationStyle {
  colour: boolean;
  quiet: boolean;
  /** Whether what is tolerated fails. */
  strict: boolean;
}

/** A verification for people: a line for each area, its faults below it, and the count. */
export function formatVerification(
  url: string,
  result: Verification,
  seconds: number,
  { colour, quiet, strict }: VerificationStyle,
): string {
  const { checks, notes } = result;
  const paint = painter(colour);
  const isShown = ({ status, declared }: Row): boolean =>
    status === 'failed' || (status === 'tolerated' && (!quiet || (strict && declared !== true)));
  const areas = new Set(checks.map(({ id }) => partsOf(id)[0]));
  const lines = [...areas].flatMap((area) => {
    const rows = checks.filter(({ id }) => partsOf(id)[0] === area);
    return areaLines(area, rows, rows.filter(isShown), paint, quiet);
  });
  const remarks = quiet ? [] : notes.map((note) => `! ${visible(note)}`);
  const isFine = holds(result, strict);
  const last = quiet && isFine ? [] : ['', countLine(url, checks, seconds, isFine, paint)];
  const text = [...lines, ...remarks, ...last];
  return text.length === 0 ? '' : `${text.join('\n').trimStart()}\n`;
}

/** A verification for programs. */
export function formatVerificationJson(url: string, result: Verification, strict: boolean): string {
  const { checks, notes } = result;
  const status = holds(result, strict) ? 'passed' : 'failed';
  return printedJson({ version: 2, status, url, checks, notes });
}

/** The line of the report that a check is in, and its name there: the two parts of its id. */
function partsOf(id: string): [area: string, name: string] {
  return id.split('/') as [string, string];
}

function idsOf(rows: readonly Row[], status: Row['status']): ReadonlySet<string> {
  return new Set(rows.filter((row) => row.status === status).map(({ id }) => id));
}

function areaLines(area: string, rows: readonly Row[], listed: readonly Row[], paint: Paint, quiet: boolean): string[] {
  const failed = idsOf(rows, 'failed').size;
  const labels = rows
    .filter(({ status }) => status === 'passed')
    .map(({ id, label }) => visible(label ?? partsOf(id)[1]));
  const sign = failed > 0 ? paint('red', '✘') : paint('green', '✔');
  const all = new Set(rows.map(({ id }) => id)).size;
  const faults = failed === 0 ? '' : `${failed} of ${all} failed${labels.length === 0 || quiet ? '' : '; passed: '}`;
  const line = `${sign} ${area.padEnd(TITLE_WIDTH)}${faults}${quiet ? '' : labels.join(', ')}`.trimEnd();
  return [...(quiet && failed === 0 ? [] : [line]), ...listed.flatMap((row) => faultLines(row, paint))];
}

function faultLines({ id, status, message, expected, found, hint, url }: Row, paint: Paint): string[] {
  const sign = status === 'tolerated' ? paint('yellow', '!') : paint('red', '✘');
  const row = (name: string, text: string | undefined): string[] =>
    text === undefined || text === '' ? [] : [`      ${paint('dim', name.padEnd(10))}${visible(text)}`];
  return [
    `  ${sign} ${visible(message ?? '')}  ${paint('dim', `[${id}]`)}`,
    ...row('at', url),
    ...row('expected', expected),
    ...row('found', found),
    ...(hint === undefined ? [] : [`      = ${visible(hint)}`]),
  ];
}

function countLine(url: string, checks: readonly Row[], seconds: number, isFine: boolean, paint: Paint): string {
  const ids = new Set(checks.map(({ id }) => id)).size;
  const [failed, tolerated] = [idsOf(checks, 'failed').size, idsOf(checks, 'tolerated').size];
  const remark = tolerated === 0 ? '' : `, ${tolerated} tolerated,`;
  const time = `${seconds.toFixed(1)} s`;
  if (failed > 0)
    return paint('red', `✘ ${failed} of ${count(ids, 'check')} failed in ${time}: ${url} does not meet the contract.`);
  return isFine
    ? paint('green', `✔ ${count(ids - tolerated, 'check')} passed${remark} in ${time}: ${url} serves this build.`)
    : paint('red', `✘ ${tolerated} of ${count(ids, 'check')} tolerated, which --strict rejects, in ${time}: ${url}.`);
}
